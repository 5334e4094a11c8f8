import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { createFleet, statsOf } from '../../src/store/fleet.ts';
import { pacesFor, type Urgency } from '../../src/store/paces.ts';
import { createScheduler } from '../../src/store/scheduler.ts';
import { fakeApi } from './fakeApi.ts';

const start = Date.UTC(2026, 4, 13, 12);
const list: Query = { resource: 'servers', operation: 'list', params: {} };
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const unavailable = { status: 400, errors: [{ reason: 'Stats are unavailable at this time.' }] };

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const fleet = createFleet(cache, Date.now);
  const scheduler = createScheduler({ cache, now: Date.now, paces: pacesFor(60_000), attemptOf: fleet.attemptOf });
  /** The statistics of these servers, as the fleet's screen subscribes to them: each query is made when it is asked for. */
  const want = (serverIds: readonly string[], urgency: Urgency = 'row') =>
    scheduler.subscribe(() => serverIds.map(statsOf), urgency);
  /** The servers asked about so far, in order. */
  const asked = () => api.all.flatMap(({ request }) => request.params?.serverId ?? []);
  /** Answers with the number of the server as its load. */
  const answerAll = async () => {
    while (api.open.length > 0) {
      for (const one of api.open) await one.answer({ cpu: [[Date.now(), Number(one.request.params?.serverId)]] });
      await vi.advanceTimersByTimeAsync(16);
    }
  };
  return { api, cache, scheduler, want, fleet, asked, answerAll };
}

describe('what is asked for', () => {
  test('is asked in the order given, four at a time, each once in five minutes', async () => {
    const { asked, answerAll, want } = open();
    want(['3', '1', '2', '5', '4']);
    expect(asked()).toEqual(['3', '1', '2', '5']);
    await answerAll();
    await seconds(299);
    expect(asked()).toEqual(['3', '1', '2', '5', '4']);
    await seconds(1);
    await answerAll();
    expect(asked()).toHaveLength(10);
  });

  test('is not asked for when it came from elsewhere, and not again when its answer went', async () => {
    const { api, cache, fleet, asked, answerAll, want } = open();
    void cache.readAnswer(statsOf('7'));
    await answerAll();
    for (const id of ids(1001, 1301)) {
      void cache.readAnswer(statsOf(id));
      await answerAll();
    }
    expect(cache.getState().answers[queryKey(statsOf('7'))]).toBeUndefined();
    expect(fleet.dayOf('7')?.cpu.last).toBe(7);
    const before = api.all.length;
    want(['7', '8']);
    await answerAll();
    expect(asked().slice(before)).toEqual(['8']);
  });

  test('stays within ninety a minute, what is visible first; what comes next takes sixty, the background thirty', async () => {
    const { asked, answerAll, want } = open();
    want(ids(2001, 2100), 'background');
    await answerAll();
    expect(asked()).toEqual(ids(2001, 2030));
    want(ids(1001, 1100), 'next');
    want(ids(1, 20));
    await answerAll();
    expect(asked()).toHaveLength(90);
    expect(
      asked()
        .slice(30)
        .filter((id) => Number(id) < 1000),
    ).toEqual(ids(1, 20));
    await seconds(61);
    await answerAll();
    expect(
      asked()
        .slice(90)
        .filter((id) => Number(id) < 2000),
    ).toEqual(ids(1041, 1100));
  });

  test('stops when nobody wants it, and leaves no timer behind', async () => {
    const { asked, answerAll, want } = open();
    const away = want(ids(1, 100));
    away();
    await answerAll();
    await seconds(3600);
    expect(asked()).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is asked for what was never read first, then for what was read longest ago', async () => {
    const { fleet, scheduler, asked, answerAll } = open();
    const rows = ids(1, 3).map((id) => ({ id: Number(id) }));
    const end = scheduler.subscribe(() => fleet.queries('stats', resourceNamed('servers'), rows.slice(2)), 'next');
    await answerAll();
    end();
    await seconds(301);
    scheduler.subscribe(() => fleet.queries('stats', resourceNamed('servers'), rows), 'next');
    expect(asked()).toEqual(['3', '1', '2', '3']);
  });

  test('is also what columns ask about more rows of another area than the cache keeps, 60 a minute, each once', async () => {
    const { api, cache, fleet, scheduler } = open();
    const balancers = resourceNamed('nodebalancers');
    const rows = ids(1, 400).map((id) => ({ id: Number(id) }));
    const ends = [
      fleet.retain('configs', balancers, rows),
      scheduler.subscribe(() => fleet.queries('configs', balancers, rows), 'next'),
    ];
    for (let minutes = 1; minutes <= 6; minutes += 1) {
      for (let second = 0; second < 60; second += 1) {
        for (const one of api.open) await one.answer({ data: [] });
        await seconds(1);
      }
      expect(api.all.length).toBeLessThanOrEqual(60 * minutes + 3);
    }
    expect(api.all.length).toBeGreaterThan(350);
    expect(new Set(api.all.map(({ request }) => request.params?.nodeBalancerId)).size).toBe(api.all.length);
    expect(rows.filter((row) => fleet.readingOf('configs', balancers, row)?.triedAt !== undefined).length).toBe(
      Object.keys(cache.getState().answers).length - api.open.length,
    );
    for (const end of ends) end();
  });

  test('is also how much of its transfer a server has used, for an hour', async () => {
    const { api, cache, fleet } = open();
    const query = { resource: 'servers', operation: 'transfer', params: { serverId: '7' } };
    void cache.readAnswer(query);
    await api.open[0]?.answer({ used: 2 ** 30, quota: 4, billable: 0 });
    expect(fleet.transferShareOf('7')).toBe(25);
    expect(fleet.attemptOf(query)).toEqual({ triedAt: Date.now(), readAt: Date.now(), share: 25 });
    expect(fleet.lastOf('transfer', '7')?.error).toBeUndefined();
    expect([fleet.lastOf('stats', '7'), fleet.lastOf('transfer', '8'), fleet.usageOf('7')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await seconds(3600);
    expect([fleet.transferShareOf('7'), fleet.lastOf('transfer', '7')]).toEqual([undefined, undefined]);
  });

  test('is asked again after a minute where that failed, after five where there are no readings yet', async () => {
    const { api, fleet, asked, want } = open();
    want(['1', '2']);
    await api.next('servers.stats').fail({ status: 502 });
    await api.next('servers.stats').fail(unavailable);
    await seconds(59);
    expect(asked()).toEqual(['1', '2']);
    expect(fleet.failureOf('1')?.status).toBe(502);
    await seconds(1);
    expect(asked()).toEqual(['1', '2', '1']);
    await seconds(240);
    expect(asked()).toContain('2');
    expect(asked().filter((id) => id === '2')).toHaveLength(2);
  });

  test('is asked at once when the API is back', async () => {
    const { api, scheduler, asked, want } = open();
    want(['1']);
    await api.next('servers.stats').fail({ status: 502 });
    await seconds(5);
    scheduler.retryFailed();
    expect(asked()).toEqual(['1', '1']);
  });

  test('says how long the rest takes', async () => {
    const { scheduler, answerAll, want } = open();
    expect(scheduler.waitMs(60, 'next')).toBe(0);
    expect(scheduler.waitMs(61, 'next')).toBe(60_000);
    expect(scheduler.waitMs(181, 'next')).toBe(180_000);
    want(ids(1, 60), 'next');
    await answerAll();
    await seconds(20);
    expect(scheduler.waitMs(1, 'next')).toBeLessThanOrEqual(40_000);
    expect(scheduler.waitMs(30, 'row')).toBe(0);
  });
});

describe('what is kept', () => {
  test('is one entry a server, also when a later reading fails', async () => {
    const { api, fleet, answerAll, want } = open();
    want(['4']);
    await answerAll();
    expect(fleet.usageOf('4')).toMatchObject({ cpu: 4 });
    await seconds(300);
    await api.next('servers.stats').fail({ status: 500 });
    expect(fleet.dayOf('4')?.cpu.last).toBe(4);
    expect(fleet.failureOf('4')?.status).toBe(500);
  });

  test('says nothing of the present when it is old', async () => {
    const { fleet, answerAll, want } = open();
    const away = want(['4']);
    await answerAll();
    away();
    await seconds(3599);
    expect(fleet.usageOf('4')).toMatchObject({ cpu: 4 });
    await seconds(1);
    expect(fleet.usageOf('4')).toBeUndefined();
    expect(fleet.dayOf('4')).toBeDefined();
  });

  test('goes with servers that are gone, also where their answer comes late', async () => {
    const { api, cache, fleet, answerAll, want } = open();
    void cache.readCollection(list);
    await api.next('servers.list').page([{ id: 1 }, { id: 2 }]);
    const away = want(['1', '2']);
    await answerAll();
    expect(fleet.dayOf('2')).toBeDefined();
    away();
    void cache.readCollection(list);
    await api.next('servers.list').page([{ id: 1 }]);
    await vi.advanceTimersByTimeAsync(16);
    expect([fleet.isRequested('1'), fleet.isRequested('2')]).toEqual([true, false]);
    void cache.readAnswer(statsOf('2'));
    await answerAll();
    expect(fleet.isRequested('2')).toBe(false);
  });

  test('is told once a frame, however much came', async () => {
    const { api, fleet, want } = open();
    let told = 0;
    fleet.subscribe(() => told++);
    want(ids(1, 4));
    for (const one of api.open) void one.answer({ cpu: [[Date.now(), 1]] });
    await vi.advanceTimersByTimeAsync(16);
    expect([told, fleet.getState().version]).toEqual([1, 1]);
  });
});
