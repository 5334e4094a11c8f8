import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createRecords, keyOf, type Question } from '../../src/store/records.ts';
import { fakeApi, settled } from './fakeApi.ts';

const servers = resourceNamed('servers');
const volumes = resourceNamed('volumes');
const disks = resourceNamed('disks');
const all: Question = { resource: 'servers', operation: 'list', params: {} };
const disksOf = (serverId: string): Question => ({ resource: 'disks', operation: 'list', params: { serverId } });
const viewed: Question = { resource: 'servers', operation: 'view', params: { serverId: '1' } };

const server = (id: number, status = 'running'): Row => ({ id, label: `web-${id}`, status });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => server(from + index));

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  const collection = (question = all) => records.getState().collections[keyOf(question)];
  const answer = (question = viewed) => records.getState().answers[keyOf(question)];
  const ids = (question = all) => collection(question)?.rows.map(({ id }) => id);
  /** Reads a list of one page. */
  const load = async (rows: readonly Row[], question = all) => {
    const done = records.readCollection(question);
    await api.next(`${question.resource}.${question.operation}`).page(rows);
    await done;
  };
  return { api, records, collection, answer, ids, load };
}

describe('a list', () => {
  test('is painted with its first page, then with four more at a time, while a counter shows', async () => {
    const { api, records, collection } = open();
    void records.readCollection(all);
    expect(collection()).toMatchObject({ rows: [], loading: true });
    expect(collection()?.loadedAt).toBeUndefined();
    expect(api.open).toHaveLength(1);
    await api.next('servers.list').page(range(1, 100), 7, 620);
    expect(collection()).toMatchObject({ results: 620, loading: true });
    expect(collection()?.rows).toHaveLength(100);
    expect(api.open.map(({ request }) => request.query?.page)).toEqual([2, 3, 4, 5]);
    vi.setSystemTime(Date.now() + 1000);
    await api.next('servers.list').page(range(101, 200), 7, 620);
    expect(collection()?.rows).toHaveLength(200);
    expect(api.open).toHaveLength(4);
    for (let page = 3; page <= 7; page++)
      await api.next('servers.list').page(range(page * 100 - 99, Math.min(620, page * 100)), 7, 620);
    expect(collection()).toMatchObject({ results: 620, loading: false, loadedAt: Date.now(), error: undefined });
    expect(collection()?.rows).toHaveLength(620);
    expect(api.all).toHaveLength(7);
  });

  test('is not painted more often than ten times a second', async () => {
    const { api, records, collection } = open();
    void records.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 3, 300);
    await api.next('servers.list').page(range(101, 200), 3, 300);
    expect(collection()?.rows).toHaveLength(100);
    await api.next('servers.list').page(range(201, 300), 3, 300);
    expect(collection()?.rows).toHaveLength(300);
  });

  test('is painted less often the longer it is', async () => {
    const { api, records, collection } = open();
    void records.readCollection(all);
    let read = 0;
    const page = async () => {
      await api.next('servers.list').page(range(read + 1, read + 100), 100, 10_000);
      read += 100;
    };
    while (read < 4000) await page();
    await vi.advanceTimersByTimeAsync(100);
    await page();
    expect(collection()?.rows).toHaveLength(4100);
    await vi.advanceTimersByTimeAsync(200);
    await page();
    expect(collection()?.rows).toHaveLength(4100);
    await vi.advanceTimersByTimeAsync(10);
    await page();
    expect(collection()?.rows).toHaveLength(4300);
  });

  test('into which a row slips while it is read is read once more, and nothing is lost or doubled', async () => {
    const { api, records, ids, collection } = open();
    void records.readCollection(all);
    await api.next('servers.list').page(range(2, 101), 2, 101);
    // A new row comes first, so that the last of page 1 comes again on page 2, and the new one is never seen.
    await api.next('servers.list').page([server(101), server(102)], 2, 102);
    await api.next('servers.list').page(range(1, 100), 2, 102);
    await api.next('servers.list').page(range(101, 102), 2, 102);
    expect(ids()).toEqual(range(1, 102).map(({ id }) => id));
    expect(collection()).toMatchObject({ results: 102, loading: false });
  });

  test('from which a row goes while it is read does not keep it', async () => {
    const { api, records, ids } = open();
    void records.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 102);
    // Row 1 goes, so 101 has moved onto page 1: the reader begins again.
    await api.next('servers.list').page([server(102)], 2, 101);
    await api.next('servers.list').page(range(2, 101), 2, 101);
    await api.next('servers.list').page([server(102)], 2, 101);
    expect(ids()).toEqual(range(2, 102).map(({ id }) => id));
  });

  test('keeps its rows while it is read again, and those that are gone go at the end', async () => {
    const { api, records, ids, collection, load } = open();
    await load([server(1), server(2)]);
    vi.setSystemTime(Date.now() + 60_000);
    void records.readCollection(all);
    expect(ids()).toEqual([1, 2]);
    expect(collection()).toMatchObject({ loading: true, loadedAt: Date.now() - 60_000 });
    await api.next('servers.list').page([server(2), server(3)]);
    expect(ids()).toEqual([2, 3]);
  });

  test('that is the same when it is read again stays the very list, and its rows the very rows', async () => {
    const { api, collection, load } = open();
    await load([server(1), server(2)]);
    const before = collection()?.rows;
    await load([server(1), server(2)]);
    expect(collection()?.rows).toBe(before);
    await load([server(1), server(2, 'offline')]);
    expect(collection()?.rows).not.toBe(before);
    expect(collection()?.rows[0]).toBe(before?.[0]);
    expect(api.all).toHaveLength(3);
  });

  test('is read once however often it is asked for', async () => {
    const { api, records } = open();
    const readings = [records.readCollection(all), records.readCollection({ ...all }), records.readCollection(all)];
    expect(api.all).toHaveLength(1);
    await api.next('servers.list').page([server(1)]);
    await Promise.all(readings);
    expect(api.all).toHaveLength(1);
  });

  test('that fails keeps its rows, says why, and recovers', async () => {
    const { api, records, collection, ids, load } = open();
    await load([server(1)]);
    vi.setSystemTime(Date.now() + 1000);
    void records.readCollection(all);
    await api.next('servers.list').fail({ status: 503, message: 'Not now.' });
    expect(ids()).toEqual([1]);
    expect(collection()).toMatchObject({ loading: false, triedAt: Date.now(), loadedAt: Date.now() - 1000 });
    expect(collection()?.error?.message).toBe('Not now.');
    await load([server(1), server(2)]);
    expect(collection()).toMatchObject({ error: undefined, loadedAt: Date.now() });
    expect(ids()).toEqual([1, 2]);
  });

  test('that may not be read says so', async () => {
    const { api, records, collection } = open();
    void records.readCollection(all);
    await api.next('servers.list').fail({ status: 403, message: 'It lacks servers:read_only.' });
    expect(collection()).toMatchObject({ rows: [], loading: false });
    expect(collection()?.loadedAt).toBeUndefined();
    expect(collection()?.error?.status).toBe(403);
  });

  test('that one leaves is no longer read, and begins anew when one comes back', async () => {
    const { api, records, collection, ids } = open();
    void records.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 3, 300);
    const left = api.open;
    records.abandon(all);
    expect(collection()?.loading).toBe(false);
    expect(collection()?.triedAt).toBeUndefined();
    const again = records.readCollection(all);
    await settled();
    expect(left.every(({ request }) => request.signal?.aborted)).toBe(true);
    expect(collection()).toMatchObject({ loading: true });
    expect(ids()).toHaveLength(100);
    await api.next('servers.list').page([server(1), server(2)]);
    await again;
    expect(ids()).toEqual([1, 2]);
    expect(collection()).toMatchObject({ loading: false, error: undefined });
  });
});

test('what arrives as one leaves is not taken for what one reads when one comes back', async () => {
  const { api, records, collection, answer } = open();
  void records.readCollection(all);
  void records.readAnswer(viewed);
  const arrived = [api.next('servers.list').page([server(1)]), api.next('servers.view').answer(server(1))];
  for (const question of [all, viewed]) records.abandon(question);
  void records.readCollection(all);
  void records.readAnswer(viewed);
  await Promise.all(arrived);
  expect([collection()?.loading, answer()?.loading]).toEqual([true, true]);
  expect([collection()?.loadedAt, answer()?.loadedAt]).toEqual([undefined, undefined]);
});

describe('a row that comes in while its list is read', () => {
  test('is newer than what the reading finds', async () => {
    const { api, records, collection, ids } = open();
    void records.readCollection(all);
    await api.next('servers.list').page([server(1, 'creating'), server(2)], 2, 102);
    records.putRow(servers, { serverId: '1' }, server(1, 'running'));
    records.putRow(servers, { serverId: '200' }, server(200, 'creating'));
    records.dropRow(servers, { serverId: '3' });
    expect(ids()).toEqual([1, 2, 200]);
    await api.next('servers.list').page([server(3), ...range(4, 102)], 2, 102);
    expect(collection()?.loading).toBe(false);
    expect(collection()?.rows.find(({ id }) => id === 1)).toMatchObject({ status: 'running' });
    expect(ids()).toContain(200);
    expect(ids()).not.toContain(3);
  });

  test('stays away when it was deleted meanwhile', async () => {
    const { api, records, ids, load } = open();
    await load([server(1), server(2)]);
    void records.readCollection(all);
    records.dropRow(servers, { serverId: '2' });
    await api.next('servers.list').page([server(1), server(2)]);
    expect(ids()).toEqual([1]);
    await load([server(1), server(2)]);
    expect(ids()).toEqual([1, 2]);
  });
});

describe('one row', () => {
  test('is read alone and takes its place; the list counts one more or less', async () => {
    const { api, records, collection, load } = open();
    await load([server(1), server(2)]);
    const row2 = collection()?.rows[1];
    void records.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1, 'offline'));
    expect(collection()?.rows).toEqual([server(1, 'offline'), server(2)]);
    expect(collection()?.rows[1]).toBe(row2);
    void records.readRow(servers, { serverId: '3' });
    await api.next('servers.view').answer(server(3));
    expect(collection()).toMatchObject({ results: 3 });
    void records.readRow(servers, { serverId: '2' });
    await api.next('servers.view').fail({ status: 404 });
    expect(collection()?.rows.map(({ id }) => id)).toEqual([1, 3]);
    expect(collection()).toMatchObject({ results: 2 });
  });

  test('that is as it was changes nothing', async () => {
    const { api, records, collection, answer, load } = open();
    await load([server(1)]);
    const before = collection();
    void records.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1));
    const body = answer()?.body;
    void records.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1));
    expect(collection()).toBe(before);
    expect(answer()?.body).toBe(body);
  });

  test('is read once more when it is asked for while it is read: that answer may be old', async () => {
    const { api, records, collection, load } = open();
    await load([server(1, 'creating')]);
    const readings = [1, 2, 3].map(() => records.readRow(servers, { serverId: '1' }));
    expect(api.count('servers.view')).toBe(1);
    await api.next('servers.view').answer(server(1, 'creating'));
    expect(api.count('servers.view')).toBe(2);
    await api.next('servers.view').answer(server(1, 'running'));
    await Promise.all(readings);
    expect(collection()?.rows).toEqual([server(1, 'running')]);
    expect(api.count('servers.view')).toBe(2);
  });

  test('that an event asks for is read to the end although nobody looks any more', async () => {
    const { api, records, collection, load } = open();
    await load([server(1, 'creating')]);
    const needed = records.readRow(servers, { serverId: '1' });
    void records.readAnswer(viewed);
    records.abandon(viewed);
    await settled();
    expect(api.count('servers.view')).toBe(1);
    await api.next('servers.view').answer(server(1, 'running'));
    await needed;
    expect(collection()?.rows).toEqual([server(1, 'running')]);
  });

  test('goes only into lists of its parents that are loaded', async () => {
    const { api, records, ids, load } = open();
    await load([{ id: 5 }], disksOf('1'));
    await load([], disksOf('2'));
    void records.readCollection(disksOf('3'));
    await api.next('disks.list').fail();
    for (const serverId of ['1', '3']) records.putRow(disks, { serverId, diskId: '6' }, { id: 6 });
    expect([ids(disksOf('1')), ids(disksOf('2')), ids(disksOf('3'))]).toEqual([[5, 6], [], []]);
    records.dropRow(disks, { serverId: '2', diskId: '5' });
    expect(ids(disksOf('1'))).toEqual([5, 6]);
  });

  test('is brought up to date wherever it is listed, but joins no list that chooses its rows itself', async () => {
    const { records, collection, load } = open();
    const attached: Question = { resource: 'servers', operation: 'volumes', params: { serverId: '1' } };
    await load([{ id: 7, label: 'data', size: 10 }], attached);
    records.putRow(volumes, { volumeId: '7' }, { id: 7, label: 'data', size: 20 });
    records.putRow(volumes, { volumeId: '8' }, { id: 8, label: 'more', size: 20 });
    expect(collection(attached)?.rows).toEqual([{ id: 7, label: 'data', size: 20 }]);
    records.dropRow(volumes, { volumeId: '7' });
    expect(collection(attached)?.rows).toEqual([]);
  });

  test('that was viewed alone follows changes and is forgotten when it is deleted', async () => {
    const { api, records, answer } = open();
    void records.readAnswer(viewed);
    await api.next('servers.view').answer(server(1));
    records.putRow(servers, { serverId: '1' }, server(1, 'offline'));
    expect(answer()?.body).toEqual(server(1, 'offline'));
    records.dropRow(servers, { serverId: '1' });
    expect(answer()).toMatchObject({ body: undefined, loading: false });
  });

  test('many rows come in at once', async () => {
    const { records, ids, load } = open();
    await load([server(1)]);
    let painted = 0;
    records.subscribe(() => painted++);
    records.putRows(servers, [server(1, 'offline'), server(2), server(3)]);
    records.putRows(servers, []);
    expect(ids()).toEqual([1, 2, 3]);
    expect(painted).toBe(1);
  });
});

describe('what is kept', () => {
  const stats = (id: number): Question => ({ resource: 'servers', operation: 'stats', params: { serverId: `${id}` } });

  test('is three hundred answers at most: the longest unused go first, never those that are looked at', async () => {
    const { api, records, answer } = open();
    const release = records.hold([stats(1)]);
    const read = async (id: number) => {
      const done = records.readAnswer(stats(id));
      await api.next('servers.stats').answer({ cpu: [] });
      await done;
    };
    for (let id = 1; id <= 300; id++) await read(id);
    await read(2);
    await read(301);
    await read(302);
    const kept = Object.keys(records.getState().answers);
    expect(kept).toHaveLength(300);
    expect([1, 2, 3, 4, 5].filter((id) => answer(stats(id)))).toEqual([1, 2, 5]);
    release();
    for (let id = 303; id <= 602; id++) await read(id);
    expect(answer(stats(1))).toBeUndefined();
    expect(Object.keys(records.getState().answers)).toHaveLength(300);
  });

  test('of statistics is what their description holds of them, and the very same when they say the same', async () => {
    const { api, records, answer } = open();
    const read = async () => {
      const done = records.readAnswer(stats(1));
      await api.next('servers.stats').answer({ cpu: [[1000, 4.5]] });
      await done;
      return answer(stats(1))?.body;
    };
    const first = await read();
    expect(first).toEqual({ cpu: Float64Array.of(1000, 4.5) });
    expect(await read()).toBe(first);
  });

  test('is every list that lies under nothing', async () => {
    const { records, ids, load } = open();
    await load([server(1)]);
    for (let id = 1; id <= 310; id++) await load([], disksOf(`${id}`));
    expect(ids()).toEqual([1]);
    expect(Object.keys(records.getState().collections)).toHaveLength(301);
  });
});

describe('a row that is gone', () => {
  const statsOf = (serverId: string): Question => ({
    resource: 'servers',
    operation: 'transfer',
    params: { serverId },
  });
  const loadAll = async (opened: ReturnType<typeof open>) => {
    const { api, records, load } = opened;
    await load(range(1, 3));
    for (const id of ['1', '2']) {
      await load([{ id: Number(id) * 10, label: 'Disk' }], disksOf(id));
      const done = records.readAnswer(statsOf(id));
      await api.next('servers.transfer').answer({ used: 1 });
      await done;
    }
  };
  const left = ({ collection, answer }: ReturnType<typeof open>) =>
    ['1', '2'].map((id) => [collection(disksOf(id)) !== undefined, answer(statsOf(id)) !== undefined]);

  test('takes what lies under it along when it is dropped', async () => {
    const opened = open();
    await loadAll(opened);
    opened.records.dropRow(servers, { serverId: '2' });
    expect(left(opened)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(opened.ids()).toEqual([1, 3]);
  });

  test('and when its list is read without it', async () => {
    const opened = open();
    await loadAll(opened);
    await opened.load([server(1), server(4)]);
    expect(left(opened)).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test('leaves what lies under a row of the same id of another kind', async () => {
    const { records, load, collection } = open();
    const nodes: Question = {
      resource: 'nodebalancer-nodes',
      operation: 'list',
      params: { nodeBalancerId: '9', configId: '5' },
    };
    await load([{ id: 1 }], nodes);
    records.dropRow(resourceNamed('configs'), { serverId: '1', configId: '5' });
    expect(collection(nodes)).toBeDefined();
    records.dropRow(resourceNamed('nodebalancer-configs'), { nodeBalancerId: '9', configId: '5' });
    expect(collection(nodes)).toBeUndefined();
  });
});
