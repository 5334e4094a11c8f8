import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { pacesFor } from '../../src/store/paces.ts';
import { createScheduler } from '../../src/store/scheduler.ts';
import { type Asked, fakeApi } from './fakeApi.ts';

const stats = (id: number): Query => ({ resource: 'servers', operation: 'stats', params: { serverId: `${id}` } });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => stats(from + index));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const scheduler = createScheduler({ cache, now: Date.now, paces: pacesFor(60_000) });
  const askedFor = () => api.all.map(({ request }) => Number(request.params?.serverId));
  const answerAll = async () => {
    while (api.open.length > 0) for (const asked of api.open) await asked.answer({ cpu: [] });
  };
  return { api, cache, scheduler, askedFor, answerAll };
}

test('visible rows are asked about from the top, four at a time, each once', async () => {
  const { api, scheduler, askedFor, answerAll } = open();
  scheduler.subscribe(range(1, 10), 'row');
  expect(askedFor()).toEqual([1, 2, 3, 4]);
  await api.open[0]?.answer({});
  expect(askedFor()).toEqual([1, 2, 3, 4, 5]);
  await answerAll();
  expect(askedFor()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await seconds(299);
  expect(api.all).toHaveLength(10);
});

test('visible rows leave the way to the pages of a list, but for one at a time', async () => {
  const { api, scheduler } = open();
  scheduler.subscribe([{ resource: 'servers', operation: 'list', params: {} }]);
  scheduler.subscribe(range(1, 10), 'row');
  expect(api.open.map(({ name }) => name)).toEqual(['servers.list', 'servers.stats']);
  await api.next('servers.stats').answer({});
  expect(api.count('servers.stats')).toBe(2);
  await api.next('servers.list').page([{ id: 1 }]);
  await api.next('servers.stats').answer({});
  expect(api.open.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => 'servers.stats'));
});

test('they are asked about again when the answers are old, for as long as they are visible', async () => {
  const { api, scheduler, answerAll } = open();
  const away = scheduler.subscribe(range(1, 2), 'row');
  await answerAll();
  await seconds(300);
  expect(api.all).toHaveLength(4);
  await answerAll();
  away();
  await seconds(3600);
  expect(api.all).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing is asked during a rest, and what fell due meanwhile afterwards', async () => {
  const { api, scheduler, answerAll } = open();
  scheduler.subscribe(range(1, 2), 'row');
  await answerAll();
  scheduler.pause(true);
  await seconds(3600);
  expect(api.all).toHaveLength(2);
  scheduler.pause(false);
  expect(api.all).toHaveLength(4);
});

test('rows scrolled away are dropped', async () => {
  const { scheduler, askedFor, answerAll } = open();
  const away = scheduler.subscribe(range(1, 50), 'row');
  away();
  scheduler.subscribe(range(101, 104), 'row');
  await answerAll();
  expect(askedFor()).toEqual([1, 2, 3, 4, 101, 102, 103, 104]);
});

test('ninety are asked a minute, the others when the minute is over', async () => {
  const { api, scheduler, answerAll } = open();
  scheduler.subscribe(range(1, 120), 'row');
  await answerAll();
  expect(api.all).toHaveLength(90);
  await seconds(59);
  expect(api.all).toHaveLength(90);
  await seconds(1);
  await answerAll();
  expect(api.all).toHaveLength(120);
});

test('what failed is tried again after a minute', async () => {
  const { api, scheduler } = open();
  scheduler.subscribe([stats(1)], 'row');
  await api.next('servers.stats').fail();
  await seconds(59);
  expect(api.all).toHaveLength(1);
  await seconds(1);
  expect(api.all).toHaveLength(2);
});

test('when the API asks to wait, nothing is asked until then', async () => {
  const { api, scheduler, askedFor } = open();
  scheduler.subscribe(range(1, 6), 'row');
  await api.next('servers.stats').fail({ status: 429, retryAfterMs: 30_000 });
  for (const asked of api.open) await asked.answer({});
  await seconds(29);
  expect(askedFor()).toEqual([1, 2, 3, 4]);
  await seconds(1);
  expect(askedFor()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what is read already is not asked for; what is visible is kept', async () => {
  const { api, cache, scheduler, answerAll } = open();
  void cache.readAnswer(stats(1));
  await answerAll();
  scheduler.subscribe([stats(1)], 'row');
  expect(api.all).toHaveLength(1);
  for (let id = 2; id <= 400; id++) {
    void cache.readAnswer(stats(id));
    await answerAll();
  }
  expect(cache.getState().answers[queryKey(stats(1))]).toBeDefined();
  expect(cache.getState().answers[queryKey(stats(2))]).toBeUndefined();
});

test('what was asked is answered, though the rows have been scrolled away meanwhile', async () => {
  const { api, cache, scheduler } = open();
  scheduler.subscribe([stats(1)], 'row')();
  await seconds(1);
  await api.next('servers.stats').answer({ cpu: [] });
  expect(cache.getState().answers[queryKey(stats(1))]?.body).toEqual({ cpu: [] });
});

test('of very many only as many are looked at as may be asked', async () => {
  const { api, scheduler, answerAll } = open();
  let looked = 0;
  function* many() {
    for (let id = 1; id <= 20_000; id++, looked++) yield stats(id);
  }
  scheduler.subscribe(many, 'next');
  expect([api.all.length, looked]).toEqual([3, 3]);
  await answerAll();
  expect(api.all).toHaveLength(60);
  looked = 0;
  scheduler.subscribe([stats(20_000)], 'row');
  expect(looked).toBe(0);
  await answerAll();
  expect(looked).toBe(60);
});

test('nothing is asked once it is stopped', async () => {
  const { api, scheduler, answerAll } = open();
  scheduler.subscribe(range(1, 10), 'row');
  scheduler.stop();
  await answerAll();
  await seconds(3600);
  expect(api.all).toHaveLength(4);
});

test('what may have changed is asked about again at once, but for means over some minutes', async () => {
  const { api, scheduler, answerAll } = open();
  const health: Query = { resource: 'nodebalancers', operation: 'configs', params: { nodeBalancerId: '7' } };
  const access: Query = { resource: 'buckets', operation: 'access', params: { clusterId: 'eu', bucket: 'a' } };
  scheduler.subscribe([stats(1), health, access], 'row');
  await answerAll();
  scheduler.invalidate(() => true);
  await answerAll();
  expect(api.all.slice(3).map(({ name }) => name)).toEqual(['nodebalancers.configs', 'buckets.access']);
});

describe('what is wanted unseen', () => {
  const lists = (from: number, to: number): readonly Query[] =>
    range(from, to).map(({ params }) => ({ resource: 'disks', operation: 'list', params }));
  const names = (asked: readonly Asked[]) => asked.map(({ name }) => name);

  test('comes after what is visible, and its lists are read as lists', async () => {
    const { api, cache, scheduler } = open();
    const [disks, ...others] = lists(1, 10);
    if (!disks) throw new Error('there is no list');
    scheduler.subscribe([disks, ...others], 'unseen');
    scheduler.subscribe(range(1, 3), 'row');
    expect(names(api.open)).toEqual(['disks.list', 'disks.list', 'servers.stats', 'servers.stats']);
    await api.next('disks.list').page([{ id: 5 }]);
    expect(cache.getState().collections[queryKey(disks)]?.rows).toEqual([{ id: 5 }]);
    expect(names(api.open)).toEqual(['disks.list', 'servers.stats', 'servers.stats', 'servers.stats']);
    await api.next('servers.stats').answer({});
    await api.next('servers.stats').answer({});
    expect(names(api.open)).toEqual(['disks.list', 'servers.stats']);
    await api.next('servers.stats').answer({});
    expect(names(api.open)).toEqual(['disks.list', 'disks.list']);
  });

  test('takes twenty of the ninety requests a minute', async () => {
    const { api, scheduler } = open();
    const answerAll = async () => {
      while (api.open.length > 0)
        for (const asked of api.open) await (asked.name === 'disks.list' ? asked.page([]) : asked.answer({}));
    };
    scheduler.subscribe(lists(1, 40), 'unseen');
    await answerAll();
    expect(api.all).toHaveLength(20);
    scheduler.subscribe(range(1, 100), 'row');
    await answerAll();
    expect(api.all).toHaveLength(90);
    await seconds(60);
    await answerAll();
    expect([api.count('servers.stats'), api.count('disks.list')]).toEqual([100, 40]);
  });

  test('waits with all else when the API asks to wait', async () => {
    const { api, scheduler } = open();
    scheduler.subscribe(lists(1, 3), 'unseen');
    await api.next('disks.list').fail({ status: 429, retryAfterMs: 45_000 });
    await api.next('disks.list').page([]);
    await seconds(44);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect(api.all).toHaveLength(3);
  });
});

test('what failed is asked about again when the API is back, except what it refuses', async () => {
  const { api, scheduler, askedFor } = open();
  scheduler.subscribe(range(1, 4), 'row');
  for (const status of [500, 401, 403, 404]) await api.open[0]?.fail({ status });
  expect(api.open).toHaveLength(0);
  await seconds(1);
  scheduler.retryFailed();
  expect(askedFor()).toEqual([1, 2, 3, 4, 1, 2]);
});
