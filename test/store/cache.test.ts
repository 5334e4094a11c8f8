import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { fakeApi, settled } from './fakeApi.ts';

const servers = resourceNamed('servers');
const volumes = resourceNamed('volumes');
const disks = resourceNamed('disks');
const all: Query = { resource: 'servers', operation: 'list', params: {} };
const disksOf = (serverId: string): Query => ({ resource: 'disks', operation: 'list', params: { serverId } });
const viewed: Query = { resource: 'servers', operation: 'view', params: { serverId: '1' } };

const server = (id: number, status = 'running'): Row => ({ id, label: `web-${id}`, status });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => server(from + index));

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const collection = (query = all) => cache.getState().collections[queryKey(query)];
  const answer = (query = viewed) => cache.getState().answers[queryKey(query)];
  const ids = (query = all) => collection(query)?.rows.map(({ id }) => id);
  /** Reads a list of one page. */
  const load = async (rows: readonly Row[], query = all) => {
    const done = cache.readCollection(query);
    await api.next(`${query.resource}.${query.operation}`).page(rows);
    await done;
  };
  return { api, cache, collection, answer, ids, load };
}

describe('a list', () => {
  test('is painted with its first page, then with four more at a time, while a counter shows', async () => {
    const { api, cache, collection } = open();
    void cache.readCollection(all);
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

  test('that was replaced while its next page was under way is not joined by that page', async () => {
    const { api, cache, ids } = open();
    const scripts: Query = { resource: 'stackscripts', operation: 'list', params: {} };
    const rows = (...of: number[]) => of.map((id) => ({ id, label: `script-${id}` }));
    void cache.readCollection(scripts);
    await api.next('stackscripts.list').page(rows(1, 2), 3, 6);
    void cache.readMore(scripts);
    const late = api.next('stackscripts.list');
    // Others were made since, so the list begins anew and goes on from another page.
    const again = cache.readCollection(scripts);
    const [first] = api.open.filter((asked) => asked !== late);
    await first?.page(rows(8, 9), 1, 2);
    await again;
    await late.page(rows(3, 4), 3, 6);
    expect(ids(scripts)).toEqual([8, 9]);
  });

  test('is not painted more often than ten times a second', async () => {
    const { api, cache, collection } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 3, 300);
    await api.next('servers.list').page(range(101, 200), 3, 300);
    expect(collection()?.rows).toHaveLength(100);
    await api.next('servers.list').page(range(201, 300), 3, 300);
    expect(collection()?.rows).toHaveLength(300);
  });

  test('is painted less often the longer it is', async () => {
    const { api, cache, collection } = open();
    void cache.readCollection(all);
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
    const { api, cache, ids, collection } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page(range(2, 101), 2, 101);
    // A new row comes first, so that the last of page 1 comes again on page 2, and the new one is never seen.
    await api.next('servers.list').page([server(101), server(102)], 2, 102);
    await api.next('servers.list').page(range(1, 100), 2, 102);
    await api.next('servers.list').page(range(101, 102), 2, 102);
    expect(ids()).toEqual(range(1, 102).map(({ id }) => id));
    expect(collection()).toMatchObject({ results: 102, loading: false });
  });

  test('from which a row goes while it is read does not keep it', async () => {
    const { api, cache, ids } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 102);
    // Row 1 goes, so 101 has moved onto page 1: the reader begins again.
    await api.next('servers.list').page([server(102)], 2, 101);
    await api.next('servers.list').page(range(2, 101), 2, 101);
    await api.next('servers.list').page([server(102)], 2, 101);
    expect(ids()).toEqual(range(2, 102).map(({ id }) => id));
  });

  test('keeps its rows while it is read again, and those that are gone go at the end', async () => {
    const { api, cache, ids, collection, load } = open();
    await load([server(1), server(2)]);
    vi.setSystemTime(Date.now() + 60_000);
    void cache.readCollection(all);
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
    const { api, cache } = open();
    const readings = [cache.readCollection(all), cache.readCollection({ ...all }), cache.readCollection(all)];
    expect(api.all).toHaveLength(1);
    await api.next('servers.list').page([server(1)]);
    await Promise.all(readings);
    expect(api.all).toHaveLength(1);
  });

  test('that fails keeps its rows, says why, and recovers', async () => {
    const { api, cache, collection, ids, load } = open();
    await load([server(1)]);
    vi.setSystemTime(Date.now() + 1000);
    void cache.readCollection(all);
    await api.next('servers.list').fail({ status: 503, message: 'Not now.' });
    expect(ids()).toEqual([1]);
    expect(collection()).toMatchObject({ loading: false, triedAt: Date.now(), loadedAt: Date.now() - 1000 });
    expect(collection()?.error?.message).toBe('Not now.');
    await load([server(1), server(2)]);
    expect(collection()).toMatchObject({ error: undefined, loadedAt: Date.now() });
    expect(ids()).toEqual([1, 2]);
  });

  test('that may not be read says so', async () => {
    const { api, cache, collection } = open();
    void cache.readCollection(all);
    await api.next('servers.list').fail({ status: 403, message: 'It lacks servers:read_only.' });
    expect(collection()).toMatchObject({ rows: [], loading: false });
    expect(collection()?.loadedAt).toBeUndefined();
    expect(collection()?.error?.status).toBe(403);
  });

  test('that one leaves is no longer read, and begins anew when one comes back', async () => {
    const { api, cache, collection, ids } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 3, 300);
    const left = api.open;
    cache.cancel(all);
    expect(collection()?.loading).toBe(false);
    expect(collection()?.triedAt).toBeUndefined();
    const again = cache.readCollection(all);
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
  const { api, cache, collection, answer } = open();
  void cache.readCollection(all);
  void cache.readAnswer(viewed);
  const arrived = [api.next('servers.list').page([server(1)]), api.next('servers.view').answer(server(1))];
  for (const query of [all, viewed]) cache.cancel(query);
  void cache.readCollection(all);
  void cache.readAnswer(viewed);
  await Promise.all(arrived);
  expect([collection()?.loading, answer()?.loading]).toEqual([true, true]);
  expect([collection()?.loadedAt, answer()?.loadedAt]).toEqual([undefined, undefined]);
});

describe('a row that comes in while its list is read', () => {
  test('is newer than what the reading finds', async () => {
    const { api, cache, collection, ids } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page([server(1, 'creating'), server(2)], 2, 102);
    cache.putRow(servers, { serverId: '1' }, server(1, 'running'));
    cache.putRow(servers, { serverId: '200' }, server(200, 'creating'));
    cache.dropRow(servers, { serverId: '3' });
    expect(ids()).toEqual([1, 2, 200]);
    await api.next('servers.list').page([server(3), ...range(4, 102)], 2, 102);
    expect(collection()?.loading).toBe(false);
    expect(collection()?.rows.find(({ id }) => id === 1)).toMatchObject({ status: 'running' });
    expect(ids()).toContain(200);
    expect(ids()).not.toContain(3);
  });

  test('is older than a page that was asked for once more after it, and only that page', async () => {
    const { api, cache, collection } = open();
    const statusOf = (wanted: number) => collection()?.rows.find(({ id }) => id === wanted)?.status;
    void cache.readCollection(all);
    cache.putRow(servers, { serverId: '1' }, server(1, 'creating'));
    cache.putRow(servers, { serverId: '102' }, server(102, 'creating'));
    vi.advanceTimersByTime(1);
    const body = { data: range(1, 101), page: 1, pages: 2, results: 102 };
    await api.next('servers.list').answer(body, { sentAt: performance.now() });
    await api.next('servers.list').page([server(102)], 2, 102);
    expect(collection()?.loading).toBe(false);
    expect([statusOf(1), statusOf(102)]).toEqual(['running', 'creating']);
  });

  test('stays away when it was deleted meanwhile', async () => {
    const { api, cache, ids, load } = open();
    await load([server(1), server(2)]);
    void cache.readCollection(all);
    cache.dropRow(servers, { serverId: '2' });
    await api.next('servers.list').page([server(1), server(2)]);
    expect(ids()).toEqual([1]);
    await load([server(1), server(2)]);
    expect(ids()).toEqual([1, 2]);
  });
});

describe('one row', () => {
  test('is read alone and takes its place; the list counts one more or less', async () => {
    const { api, cache, collection, load } = open();
    await load([server(1), server(2)]);
    const row2 = collection()?.rows[1];
    void cache.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1, 'offline'));
    expect(collection()?.rows).toEqual([server(1, 'offline'), server(2)]);
    expect(collection()?.rows[1]).toBe(row2);
    void cache.readRow(servers, { serverId: '3' });
    await api.next('servers.view').answer(server(3));
    expect(collection()).toMatchObject({ results: 3 });
    void cache.readRow(servers, { serverId: '2' });
    await api.next('servers.view').fail({ status: 404 });
    expect(collection()?.rows.map(({ id }) => id)).toEqual([1, 3]);
    expect(collection()).toMatchObject({ results: 2 });
  });

  test('that an answer tells nothing of stays as it was, and no other comes into the list', async () => {
    const { api, cache, collection, answer, load } = open();
    await load([server(1)]);
    for (const body of [{}, { id: null, label: 'x' }]) {
      void cache.readRow(servers, { serverId: '1' });
      await api.next('servers.view').answer(body);
      expect(collection()?.rows).toEqual([server(1)]);
      expect(answer()?.error?.message).toContain('but with no server.');
    }
  });

  test('that is as it was changes nothing', async () => {
    const { api, cache, collection, answer, load } = open();
    await load([server(1)]);
    const before = collection();
    void cache.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1));
    const body = answer()?.body;
    void cache.readRow(servers, { serverId: '1' });
    await api.next('servers.view').answer(server(1));
    expect(collection()).toBe(before);
    expect(answer()?.body).toBe(body);
  });

  test('is read once more when it is asked for while it is read: that answer may be old', async () => {
    const { api, cache, collection, load } = open();
    await load([server(1, 'creating')]);
    const readings = [1, 2, 3].map(() => cache.readRow(servers, { serverId: '1' }));
    expect(api.count('servers.view')).toBe(1);
    await api.next('servers.view').answer(server(1, 'creating'));
    expect(api.count('servers.view')).toBe(2);
    await api.next('servers.view').answer(server(1, 'running'));
    await Promise.all(readings);
    expect(collection()?.rows).toEqual([server(1, 'running')]);
    expect(api.count('servers.view')).toBe(2);
  });

  test('that an event asks for is read to the end although nobody looks any more', async () => {
    const { api, cache, collection, load } = open();
    await load([server(1, 'creating')]);
    const needed = cache.readRow(servers, { serverId: '1' });
    void cache.readAnswer(viewed);
    cache.cancel(viewed);
    await settled();
    expect(api.count('servers.view')).toBe(1);
    await api.next('servers.view').answer(server(1, 'running'));
    await needed;
    expect(collection()?.rows).toEqual([server(1, 'running')]);
  });

  test('goes only into lists of its parents that are loaded', async () => {
    const { api, cache, ids, load } = open();
    await load([{ id: 5 }], disksOf('1'));
    await load([], disksOf('2'));
    void cache.readCollection(disksOf('3'));
    await api.next('disks.list').fail();
    for (const serverId of ['1', '3']) cache.putRow(disks, { serverId, diskId: '6' }, { id: 6 });
    expect([ids(disksOf('1')), ids(disksOf('2')), ids(disksOf('3'))]).toEqual([[5, 6], [], []]);
    cache.dropRow(disks, { serverId: '2', diskId: '5' });
    expect(ids(disksOf('1'))).toEqual([5, 6]);
  });

  test('is brought up to date wherever it is listed, but joins no list that chooses its rows itself', async () => {
    const { cache, collection, load } = open();
    const attached: Query = { resource: 'servers', operation: 'volumes', params: { serverId: '1' } };
    await load([{ id: 7, label: 'data', size: 10 }], attached);
    cache.putRow(volumes, { volumeId: '7' }, { id: 7, label: 'data', size: 20 });
    cache.putRow(volumes, { volumeId: '8' }, { id: 8, label: 'more', size: 20 });
    expect(collection(attached)?.rows).toEqual([{ id: 7, label: 'data', size: 20 }]);
    cache.dropRow(volumes, { volumeId: '7' });
    expect(collection(attached)?.rows).toEqual([]);
  });

  test('that was viewed alone follows changes and is forgotten when it is deleted', async () => {
    const { api, cache, answer } = open();
    void cache.readAnswer(viewed);
    await api.next('servers.view').answer(server(1));
    cache.putRow(servers, { serverId: '1' }, server(1, 'offline'));
    expect(answer()?.body).toEqual(server(1, 'offline'));
    cache.dropRow(servers, { serverId: '1' });
    expect(answer()).toMatchObject({ body: undefined, loading: false });
  });

  test('many rows come in at once', async () => {
    const { cache, ids, load } = open();
    await load([server(1)]);
    let painted = 0;
    cache.subscribe(() => painted++);
    cache.putRows(servers, [server(1, 'offline'), server(2), server(3)]);
    cache.putRows(servers, []);
    expect(ids()).toEqual([1, 2, 3]);
    expect(painted).toBe(1);
  });
});

describe('what is kept', () => {
  const stats = (id: number): Query => ({ resource: 'servers', operation: 'stats', params: { serverId: `${id}` } });

  test('is three hundred answers at most: the longest unused go first, never those that are looked at', async () => {
    const { api, cache, answer } = open();
    const release = cache.retain([stats(1)]);
    const read = async (id: number) => {
      const done = cache.readAnswer(stats(id));
      await api.next('servers.stats').answer({ cpu: [] });
      await done;
    };
    for (let id = 1; id <= 300; id++) await read(id);
    await read(2);
    await read(301);
    await read(302);
    const kept = Object.keys(cache.getState().answers);
    expect(kept).toHaveLength(300);
    expect([1, 2, 3, 4, 5].filter((id) => answer(stats(id)))).toEqual([1, 2, 5]);
    release();
    for (let id = 303; id <= 602; id++) await read(id);
    expect(answer(stats(1))).toBeUndefined();
    expect(Object.keys(cache.getState().answers)).toHaveLength(300);
  });

  test('of statistics is what their description holds of them, and the very same when they say the same', async () => {
    const { api, cache, answer } = open();
    const read = async () => {
      const done = cache.readAnswer(stats(1));
      await api.next('servers.stats').answer({ cpu: [[1000, 4.5]] });
      await done;
      return answer(stats(1))?.body;
    };
    const first = await read();
    expect(first).toEqual({ cpu: Float64Array.of(1000, 4.5) });
    expect(await read()).toBe(first);
  });

  test('is every list that lies under nothing', async () => {
    const { cache, ids, load } = open();
    await load([server(1)]);
    for (let id = 1; id <= 310; id++) await load([], disksOf(`${id}`));
    expect(ids()).toEqual([1]);
    expect(Object.keys(cache.getState().collections)).toHaveLength(301);
  });
});

describe('a row that is gone', () => {
  const statsOf = (serverId: string): Query => ({ resource: 'servers', operation: 'transfer', params: { serverId } });
  const loadAll = async (opened: ReturnType<typeof open>) => {
    const { api, cache, load } = opened;
    await load(range(1, 3));
    for (const id of ['1', '2']) {
      await load([{ id: Number(id) * 10, label: 'Disk' }], disksOf(id));
      const done = cache.readAnswer(statsOf(id));
      await api.next('servers.transfer').answer({ used: 1 });
      await done;
    }
  };
  const left = ({ collection, answer }: ReturnType<typeof open>) =>
    ['1', '2'].map((id) => [collection(disksOf(id)) !== undefined, answer(statsOf(id)) !== undefined]);

  test('takes what lies under it along when it is dropped', async () => {
    const opened = open();
    await loadAll(opened);
    opened.cache.dropRow(servers, { serverId: '2' });
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
    const { cache, load, collection } = open();
    const nodes: Query = {
      resource: 'nodebalancer-nodes',
      operation: 'list',
      params: { nodeBalancerId: '9', configId: '5' },
    };
    await load([{ id: 1 }], nodes);
    cache.dropRow(resourceNamed('configs'), { serverId: '1', configId: '5' });
    expect(collection(nodes)).toBeDefined();
    cache.dropRow(resourceNamed('nodebalancer-configs'), { nodeBalancerId: '9', configId: '5' });
    expect(collection(nodes)).toBeUndefined();
  });
});
