import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { abortedError } from '../../src/api/error.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { pacesFor } from '../../src/store/paces.ts';
import { createScheduler } from '../../src/store/scheduler.ts';
import { fakeApi, settled } from './fakeApi.ts';

const servers: Query = { resource: 'servers', operation: 'list', params: {} };
const volumes: Query = { resource: 'volumes', operation: 'list', params: {} };
const regions: Query = { resource: 'regions', operation: 'list', params: {} };
const server: Query = { resource: 'servers', operation: 'view', params: { serverId: '1' } };
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const scheduler = createScheduler({ cache, now: Date.now, paces: pacesFor(60_000) });
  /** Answers every open request for a list with so many rows. */
  const answer = async (count = 1) => {
    for (const asked of api.open) await asked.page(rows(count), Math.max(1, Math.ceil(count / 100)), count);
  };
  return { api, cache, scheduler, answer };
}

describe('what is on screen', () => {
  test('is read at once and again when it is due; one timer waits for the next', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers]);
    expect(api.count('servers.list')).toBe(1);
    await answer();
    await seconds(20);
    scheduler.subscribe([volumes]);
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

  test('is not read again at once when the API is closed meanwhile', async () => {
    let sent = 0;
    const send = () =>
      ++sent < 5 ? Promise.reject(abortedError({ method: 'GET', path: '/any' }, false)) : new Promise<never>(() => {});
    const cache = createCache({ ...fakeApi(), send }, Date.now);
    const scheduler = createScheduler({ cache, now: Date.now, paces: pacesFor(60_000) });
    scheduler.subscribe([server]);
    await settled();
    expect(sent).toBe(1);
  });

  test('is read seldom while nobody sees it: most rarely where events tell of its changes', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers], 'account');
    scheduler.subscribe([{ resource: 'managed-contacts', operation: 'list', params: {} }], 'account');
    await answer();
    await seconds(61);
    expect([api.count('servers.list'), api.count('managed-contacts.list')]).toEqual([1, 2]);
    const away = scheduler.subscribe([servers]);
    expect(api.count('servers.list')).toBe(2);
    await answer();
    away();
    await seconds(299);
    expect(api.count('servers.list')).toBe(2);
    await seconds(2);
    expect(api.count('servers.list')).toBe(3);
  });

  test('is read less often the more pages it has, and as rarely as its description says', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers]);
    await answer(250);
    await answer(250);
    await answer(250);
    const before = api.count('servers.list');
    scheduler.subscribe([regions]);
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
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers]);
    await answer();
    scheduler.pause(true);
    await seconds(3600);
    expect(api.all).toHaveLength(1);
    scheduler.pause(false);
    await seconds(0);
    expect(api.count('servers.list')).toBe(2);
    await answer();
    await seconds(60);
    expect(api.count('servers.list')).toBe(3);
  });

  test('is all that is read: nothing refreshes that nobody looks at', async () => {
    const { api, scheduler, answer } = open();
    const away = scheduler.subscribe([servers]);
    await answer();
    away();
    await seconds(3600);
    expect(api.all).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('and still fresh is not read again when one comes back', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers])();
    await settled();
    await answer();
    const away = scheduler.subscribe([servers]);
    await answer();
    away();
    await seconds(30);
    const before = api.all.length;
    scheduler.subscribe([servers]);
    await settled();
    expect(api.all).toHaveLength(before);
    await seconds(30);
    expect(api.all).toHaveLength(before + 1);
  });

  test('goes on being read when the next screen looks at the same', async () => {
    const { api, scheduler } = open();
    const away = scheduler.subscribe([servers]);
    away();
    scheduler.subscribe([servers]);
    await settled();
    expect(api.open).toHaveLength(1);
    expect(api.all).toHaveLength(1);
  });

  test('is broken off when one leaves, and read when one comes back', async () => {
    const { api, cache, scheduler, answer } = open();
    const away = scheduler.subscribe([servers]);
    away();
    await settled();
    expect(api.open).toHaveLength(0);
    expect(cache.getState().collections[queryKey(servers)]?.loading).toBe(false);
    scheduler.subscribe([servers]);
    expect(api.open).toHaveLength(1);
    await answer();
    expect(cache.getState().collections[queryKey(servers)]?.rows).toHaveLength(1);
  });

  test('and broken off while it is read again stays as it was, and is read when one comes back', async () => {
    const { api, cache, scheduler, answer } = open();
    const away = scheduler.subscribe([servers]);
    await answer();
    const before = cache.getState().collections[queryKey(servers)];
    void scheduler.refresh();
    away();
    await settled();
    expect(cache.getState().collections[queryKey(servers)]).toEqual(before);
    scheduler.subscribe([servers]);
    expect(api.open).toHaveLength(1);
  });

  test('and looked at twice is let go of by the last one', async () => {
    const { api, scheduler } = open();
    const [one, other] = [scheduler.subscribe([servers]), scheduler.subscribe([servers])];
    one();
    await settled();
    expect(api.open).toHaveLength(1);
    other();
    await settled();
    expect(api.open).toHaveLength(0);
  });

  test('and is wanted at two paces is read once, at the sooner of the two, and goes on while one still wants it', async () => {
    const { api, scheduler } = open();
    const disks: Query = { resource: 'disks', operation: 'list', params: { serverId: '1' } };
    const unsubscribe = scheduler.subscribe([disks]);
    scheduler.subscribe([disks], 'unseen');
    expect(api.all).toHaveLength(1);
    await api.next('disks.list').page([]);
    await seconds(60);
    expect(api.all).toHaveLength(2);
    unsubscribe();
    await settled();
    expect(api.open).toHaveLength(1);
    await api.next('disks.list').page([]);
    await seconds(1799);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect(api.all).toHaveLength(3);
  });

  test('and is wanted sooner while it is read is read again as soon as that', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers], 'account');
    scheduler.subscribe([servers]);
    await answer();
    await seconds(60);
    expect(api.all).toHaveLength(2);
  });

  test('that failed is tried again when it is due, though it stays fresh for long; not before the API says', async () => {
    const { api, scheduler } = open();
    scheduler.subscribe([regions]);
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
    const { api, cache, scheduler } = open();
    scheduler.subscribe([server]);
    await api.next('servers.view').answer({ id: 1 });
    await seconds(59);
    void cache.readAnswer(server);
    await seconds(5);
    await api.next('servers.view').answer({ id: 1 });
    await seconds(59);
    expect(api.count('servers.view')).toBe(2);
    await seconds(1);
    expect(api.count('servers.view')).toBe(3);
  });

  test('is read now on demand, and no more once stopped', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers]);
    scheduler.subscribe([volumes]);
    await answer();
    const done = scheduler.refresh();
    expect(api.open).toHaveLength(2);
    await answer();
    await done;
    scheduler.stop();
    await seconds(3600);
    expect(api.all).toHaveLength(4);
  });
});

describe('what is stale', () => {
  const isServers = ({ resource }: Query) => resource === 'servers';

  test('is read now when someone looks, else the next time someone does', async () => {
    const { api, scheduler, answer } = open();
    const away = scheduler.subscribe([servers]);
    scheduler.subscribe([volumes]);
    await answer();
    scheduler.invalidate(isServers);
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
    await answer();
    away();
    await settled();
    scheduler.invalidate(isServers);
    await settled();
    expect(api.open).toHaveLength(0);
    scheduler.subscribe([servers]);
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
    await answer();
    await seconds(1);
    expect(api.open).toHaveLength(0);
  });

  test('while it is read is read once more: the answer may be older', async () => {
    const { api, scheduler, answer } = open();
    scheduler.subscribe([servers]);
    scheduler.invalidate(isServers);
    scheduler.invalidate(isServers);
    expect(api.all).toHaveLength(1);
    await answer();
    await seconds(0);
    expect(api.all).toHaveLength(2);
    await answer();
    await seconds(1);
    expect(api.all).toHaveLength(2);
  });

  test('while somebody else reads it is read once more: their request may be older than what has happened', async () => {
    const { api, cache, scheduler, answer } = open();
    void cache.readCollection(servers);
    scheduler.invalidate(isServers);
    scheduler.subscribe([servers]);
    expect(api.count('servers.list')).toBe(1);
    await answer();
    await seconds(0);
    expect(api.count('servers.list')).toBe(2);
    await answer();
    await seconds(1);
    expect(api.count('servers.list')).toBe(2);
  });

  test('is asked about with its parameters as they were given', async () => {
    const { cache, scheduler } = open();
    const odd: Query = { resource: 'images', operation: 'view', params: { imageId: 'private/1 ä+&=%2F?.' } };
    void cache.readAnswer(odd);
    const asked: Query[] = [];
    scheduler.invalidate((query) => {
      asked.push(query);
      return false;
    });
    expect(asked).toEqual([odd]);
  });

  test('is nothing that is a mean over some minutes', async () => {
    const { api, scheduler } = open();
    scheduler.subscribe([{ resource: 'servers', operation: 'stats', params: { serverId: '1' } }]);
    await api.next('servers.stats').answer({});
    scheduler.invalidate(isServers);
    expect(api.open).toHaveLength(0);
  });

  test('and failed is tried at once when the API is back, unless it refused', async () => {
    const { api, scheduler } = open();
    scheduler.subscribe([servers]);
    scheduler.subscribe([volumes]);
    await api.next('servers.list').fail({ kind: 'unreachable', status: undefined });
    await api.next('volumes.list').fail({ status: 403 });
    scheduler.retryFailed();
    expect(api.open.map(({ name }) => name)).toEqual(['servers.list']);
  });
});

test('what the program makes itself is neither read nor stale', async () => {
  const { api, cache, scheduler } = open();
  const problems: Query = { resource: 'problems', operation: 'list', params: {} };
  const matches = vi.fn(() => true);
  const made = { id: 'a' };
  cache.putLocal(resourceNamed('problems'), [made], undefined);
  const look = () => cache.getState().collections[queryKey(problems)];
  expect(look()).toMatchObject({ rows: [{ id: 'a' }], loading: true });
  scheduler.subscribe([problems])();
  scheduler.invalidate(matches);
  await scheduler.refresh();
  expect(matches).not.toHaveBeenCalled();
  expect(api.all).toEqual([]);
  const before = look()?.rows;
  cache.putLocal(resourceNamed('problems'), [made], 5);
  expect(look()).toMatchObject({ loading: false, loadedAt: 5, results: 1 });
  expect(look()?.rows).toBe(before);
});

test('it is idle when all is read, also what was subscribed to because of that', async () => {
  const { api, cache, scheduler } = open();
  scheduler.subscribe([servers]);
  const unsubscribe = cache.subscribe(({ collections }) => {
    if (collections[queryKey(servers)]?.loading) return;
    unsubscribe();
    setImmediate(() => scheduler.subscribe([volumes]));
  });
  let isIdle = false;
  const idle = scheduler.whenIdle().then(() => {
    isIdle = true;
  });
  await api.next('servers.list').page([]);
  await vi.waitFor(() => api.next('volumes.list'));
  expect(isIdle).toBe(false);
  await api.next('volumes.list').page([]);
  await idle;
  expect(api.all).toHaveLength(2);
});
