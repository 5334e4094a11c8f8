import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { createRecords, keyOf, type Question } from '../../src/store/records.ts';
import { createRefresher } from '../../src/store/refresh.ts';
import { fakeApi, settled } from './fakeApi.ts';

const servers: Question = { resource: 'servers', operation: 'list', params: {} };
const volumes: Question = { resource: 'volumes', operation: 'list', params: {} };
const regions: Question = { resource: 'regions', operation: 'list', params: {} };
const server: Question = { resource: 'servers', operation: 'view', params: { serverId: '1' } };
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  const refresher = createRefresher(records, Date.now, 60);
  /** Answers every open request for a list with so many rows. */
  const answer = async (count = 1) => {
    for (const asked of api.open) await asked.page(rows(count), Math.max(1, Math.ceil(count / 100)), count);
  };
  return { api, records, refresher, answer };
}

describe('what is on screen', () => {
  test('is read at once and again when it is due; one timer waits for the next', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection');
    expect(api.count('servers.list')).toBe(1);
    await answer();
    await seconds(20);
    refresher.watch(volumes, 'collection');
    await answer();
    expect(vi.getTimerCount()).toBe(1);
    await seconds(39);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect([api.count('servers.list'), api.count('volumes.list')]).toEqual([2, 1]);
    await answer();
    await seconds(20);
    expect([api.count('servers.list'), api.count('volumes.list')]).toEqual([2, 2]);
  });

  test('is read seldom while nobody sees it: most rarely where events tell of its changes', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection', 'unseen');
    refresher.watch({ resource: 'managed-contacts', operation: 'list', params: {} }, 'collection', 'unseen');
    await answer();
    await seconds(61);
    expect([api.count('servers.list'), api.count('managed-contacts.list')]).toEqual([1, 2]);
    const away = refresher.watch(servers, 'collection');
    expect(api.count('servers.list')).toBe(2);
    await answer();
    away();
    await seconds(299);
    expect(api.count('servers.list')).toBe(2);
    await seconds(2);
    expect(api.count('servers.list')).toBe(3);
  });

  test('is read less often the more pages it has, and as rarely as its description says', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection');
    await answer(250);
    await answer(250);
    await answer(250);
    const before = api.count('servers.list');
    refresher.watch(regions, 'collection');
    await api.next('regions.list').page(rows(3));
    await seconds(179);
    expect(api.count('servers.list')).toBe(before);
    await seconds(1);
    expect(api.count('servers.list')).toBe(before + 1);
    expect(api.count('regions.list')).toBe(1);
    await seconds(420);
    expect(api.count('regions.list')).toBe(2);
  });

  test('is not read while nobody can see it, and what fell due meanwhile afterwards', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection');
    await answer();
    refresher.rest(true);
    await seconds(3600);
    expect(api.all).toHaveLength(1);
    refresher.rest(false);
    await seconds(0);
    expect(api.count('servers.list')).toBe(2);
    await answer();
    await seconds(60);
    expect(api.count('servers.list')).toBe(3);
  });

  test('is all that is read: nothing refreshes that nobody looks at', async () => {
    const { api, refresher, answer } = open();
    const away = refresher.watch(servers, 'collection');
    await answer();
    away();
    await seconds(3600);
    expect(api.all).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('and still fresh is not read again when one comes back', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection')();
    await settled();
    await answer();
    const away = refresher.watch(servers, 'collection');
    await answer();
    away();
    await seconds(30);
    const before = api.all.length;
    refresher.watch(servers, 'collection');
    await settled();
    expect(api.all).toHaveLength(before);
    await seconds(30);
    expect(api.all).toHaveLength(before + 1);
  });

  test('goes on being read when the next screen looks at the same', async () => {
    const { api, refresher } = open();
    const away = refresher.watch(servers, 'collection');
    away();
    refresher.watch(servers, 'collection');
    await settled();
    expect(api.open).toHaveLength(1);
    expect(api.all).toHaveLength(1);
  });

  test('is broken off when one leaves, and read when one comes back', async () => {
    const { api, records, refresher, answer } = open();
    const away = refresher.watch(servers, 'collection');
    away();
    await settled();
    expect(api.open).toHaveLength(0);
    expect(records.getState().collections[keyOf(servers)]?.loading).toBe(false);
    refresher.watch(servers, 'collection');
    expect(api.open).toHaveLength(1);
    await answer();
    expect(records.getState().collections[keyOf(servers)]?.rows).toHaveLength(1);
  });

  test('and broken off while it is read again stays as it was, and is read when one comes back', async () => {
    const { api, records, refresher, answer } = open();
    const away = refresher.watch(servers, 'collection');
    await answer();
    const before = records.getState().collections[keyOf(servers)];
    void refresher.refreshAll();
    away();
    await settled();
    expect(records.getState().collections[keyOf(servers)]).toEqual(before);
    refresher.watch(servers, 'collection');
    expect(api.open).toHaveLength(1);
  });

  test('and looked at twice is let go of by the last one', async () => {
    const { api, refresher } = open();
    const [one, other] = [refresher.watch(servers, 'collection'), refresher.watch(servers, 'collection')];
    one();
    await settled();
    expect(api.open).toHaveLength(1);
    other();
    await settled();
    expect(api.open).toHaveLength(0);
  });

  test('that failed is tried again when it is due, though it stays fresh for long; not before the API says', async () => {
    const { api, refresher } = open();
    refresher.watch(regions, 'collection');
    await api.next('regions.list').fail();
    await seconds(59);
    expect(api.all).toHaveLength(1);
    await seconds(1);
    await api.next('regions.list').fail({ status: 429, retryAfterMs: 90_000 });
    await seconds(89);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect(api.all).toHaveLength(3);
  });

  test('that someone else reads meanwhile is due after that', async () => {
    const { api, records, refresher } = open();
    refresher.watch(server, 'answer');
    await api.next('servers.view').answer({ id: 1 });
    await seconds(59);
    void records.readAnswer(server);
    await seconds(5);
    await api.next('servers.view').answer({ id: 1 });
    await seconds(59);
    expect(api.count('servers.view')).toBe(2);
    await seconds(1);
    expect(api.count('servers.view')).toBe(3);
  });

  test('is read now on demand, and no more once stopped', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection');
    refresher.watch(volumes, 'collection');
    await answer();
    const done = refresher.refreshAll();
    expect(api.open).toHaveLength(2);
    await answer();
    await done;
    refresher.stop();
    await seconds(3600);
    expect(api.all).toHaveLength(4);
  });
});

describe('what is stale', () => {
  const isServers = ({ resource }: Question) => resource === 'servers';

  test('is read now when someone looks, else the next time someone does', async () => {
    const { api, refresher, answer } = open();
    const away = refresher.watch(servers, 'collection');
    refresher.watch(volumes, 'collection');
    await answer();
    refresher.invalidate(isServers);
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
    await answer();
    away();
    await settled();
    refresher.invalidate(isServers);
    await settled();
    expect(api.open).toHaveLength(0);
    refresher.watch(servers, 'collection');
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
    await answer();
    await seconds(1);
    expect(api.open).toHaveLength(0);
  });

  test('while it is read is read once more: the answer may be older', async () => {
    const { api, refresher, answer } = open();
    refresher.watch(servers, 'collection');
    refresher.invalidate(isServers);
    refresher.invalidate(isServers);
    expect(api.all).toHaveLength(1);
    await answer();
    await seconds(0);
    expect(api.all).toHaveLength(2);
    await answer();
    await seconds(1);
    expect(api.all).toHaveLength(2);
  });

  test('is asked about with its parameters as they were given', async () => {
    const { records, refresher } = open();
    const odd: Question = { resource: 'images', operation: 'view', params: { imageId: 'private/1 ä+&=%2F?.' } };
    void records.readAnswer(odd);
    const asked: Question[] = [];
    refresher.invalidate((question) => {
      asked.push(question);
      return false;
    });
    expect(asked).toEqual([odd]);
  });

  test('and failed is tried at once when the API is back, unless it refused', async () => {
    const { api, refresher } = open();
    refresher.watch(servers, 'collection');
    refresher.watch(volumes, 'collection');
    await api.next('servers.list').fail({ kind: 'unreachable', status: undefined });
    await api.next('volumes.list').fail({ status: 403 });
    refresher.retryFailed();
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
  });
});

test('what the program makes itself is neither read nor stale', async () => {
  const { api, records, refresher } = open();
  const problems: Question = { resource: 'problems', operation: 'list', params: {} };
  const matches = vi.fn(() => true);
  const made = { id: 'a' };
  records.putLocal(resourceNamed('problems'), [made], undefined);
  const look = () => records.getState().collections[keyOf(problems)];
  expect(look()).toMatchObject({ rows: [{ id: 'a' }], loading: true });
  refresher.watch(problems, 'collection')();
  refresher.invalidate(matches);
  await refresher.refreshAll();
  expect(matches).not.toHaveBeenCalled();
  expect(api.all).toEqual([]);
  const before = look()?.rows;
  records.putLocal(resourceNamed('problems'), [made], 5);
  expect(look()).toMatchObject({ loading: false, loadedAt: 5, results: 1 });
  expect(look()?.rows).toBe(before);
});
