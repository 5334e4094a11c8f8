import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { idOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { createCacheChanges } from '../../src/store/cacheChanges.ts';
import { isWhole } from '../../src/store/entries.ts';
import { createPoller } from '../../src/store/events.ts';
import { isUnconfirmed } from '../../src/store/kept/keptRows.ts';
import { fakeApi, settled } from './fakeApi.ts';

const servers = resourceNamed('servers');
const all: Query = { resource: 'servers', operation: 'list', params: {} };
const yesterday = 1_000_000;

const server = (id: number, status = 'running'): Row => ({ id, label: `web-${id}`, status });
const range = (from: number, to: number, status?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => server(from + index, status));

beforeEach(() => void vi.useFakeTimers({ now: 100_000_000 }));
afterEach(() => void vi.useRealTimers());

function open(rows: readonly Row[] = []) {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const events = createPoller(api, Date.now, () => {});
  const cacheChanges = createCacheChanges(cache, events);
  const list = (query = all) => cache.getState().collections[queryKey(query)];
  if (rows.length > 0) cache.restore([{ query: all, rows, results: rows.length, keptAt: yesterday }]);
  const ids = () => list()?.rows.map(({ id }) => id);
  /** The ids of the rows that nobody has read in this session. */
  const unconfirmed = () => {
    const collection = list();
    if (!collection) return [];
    return collection.rows.map((row) => idOf(servers, row)).filter((id) => isUnconfirmed(collection, id));
  };
  return { api, cache, cacheChanges, list, ids, unconfirmed };
}

describe('a kept list', () => {
  test('is there at once, is not read, and says of when it is', () => {
    const { list, ids, unconfirmed } = open(range(1, 3));
    expect(list()).toMatchObject({ keptAt: yesterday, loading: false, results: 3 });
    expect(list()?.loadedAt).toBeUndefined();
    expect(list() && isWhole(list() as never)).toBe(false);
    expect(ids()).toEqual([1, 2, 3]);
    expect(unconfirmed()).toEqual(['1', '2', '3']);
  });

  test('is confirmed page by page in place, and those that are gone go at its end', async () => {
    const { api, cache, list, ids, unconfirmed } = open(range(1, 300));
    const before = list()?.rows;
    void cache.readCollection(all);
    expect(list()).toMatchObject({ keptAt: yesterday, loading: true });
    expect(ids()).toHaveLength(300);
    await api.next('servers.list').page([server(0), ...range(2, 99), server(100, 'offline')], 3, 299);
    expect(ids()?.slice(0, 3)).toEqual([1, 2, 3]);
    expect(list()?.rows[99]).toEqual(server(100, 'offline'));
    expect(list()?.rows[1]).toBe(before?.[1]);
    expect(ids()?.at(-1)).toBe(0);
    expect(unconfirmed()).toHaveLength(201);
    vi.setSystemTime(Date.now() + 1000);
    await api.next('servers.list').page(range(101, 200), 3, 299);
    expect(unconfirmed()).toEqual(['1', ...range(201, 300).map(({ id }) => String(id))]);
    await api.next('servers.list').page(range(201, 299), 3, 299);
    expect(ids()).toEqual([0, ...range(2, 299).map(({ id }) => id)]);
    expect(list()).toMatchObject({ keptAt: undefined, confirmed: undefined, loading: false, loadedAt: Date.now() });
  });

  test('of which the top came first is whole then, but for what was read since, or is gone', async () => {
    const { api, cache, list, ids, unconfirmed } = open();
    const kept = { query: all, results: 300, keptAt: yesterday };
    cache.restore([{ ...kept, rows: range(201, 210), isTop: true }]);
    expect(list()).toMatchObject({ results: 300, isTop: true });
    void cache.readCollection(all);
    await api.next('servers.list').page([server(0), ...range(2, 99), server(205, 'offline')], 3, 298);
    cache.dropRow(servers, { serverId: '206' });
    cache.restore([{ ...kept, rows: range(1, 300) }]);
    expect(list()).toMatchObject({ keptAt: yesterday, isTop: undefined });
    expect(ids()).toEqual([...range(1, 205), ...range(207, 300), server(0)].map(({ id }) => id));
    expect(list()?.rows[204]).toEqual(server(205, 'offline'));
    expect(unconfirmed()).toHaveLength(200);
    await api.next('servers.list').page(range(101, 200), 3, 298);
    await api.next('servers.list').page(range(201, 299), 3, 298);
    expect(list()).toMatchObject({ keptAt: undefined, loadedAt: Date.now() });
  });

  test('of which the top came first does not come where the list was read meanwhile, or is withheld', async () => {
    const { api, cache, list, ids } = open();
    const kept = { query: all, results: 300, keptAt: yesterday };
    cache.restore([{ ...kept, rows: range(201, 210), isTop: true }]);
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 3));
    cache.restore([{ ...kept, rows: range(1, 300) }]);
    expect(ids()).toEqual([1, 2, 3]);
    expect(list()).toMatchObject({ keptAt: undefined, isTop: undefined });
    const other = open();
    other.cache.restore([{ ...kept, rows: range(201, 210), isTop: true }]);
    void other.cache.readCollection(all);
    await other.api.next('servers.list').fail({ status: 403 });
    other.cache.restore([{ ...kept, rows: range(1, 300) }]);
    expect(other.ids()).toEqual([]);
  });

  test('that comes while its list is read for the first time is confirmed in place, too', async () => {
    const { api, cache, ids, unconfirmed } = open();
    void cache.readCollection(all);
    cache.restore([{ query: all, rows: range(1, 300), keptAt: yesterday }]);
    await api.next('servers.list').page(range(101, 200), 2, 200);
    expect(ids()).toHaveLength(300);
    expect(unconfirmed()).toHaveLength(200);
    await api.next('servers.list').page(range(1, 100), 2, 200);
    expect(ids()).toEqual([...range(101, 200), ...range(1, 100)].map(({ id }) => id));
  });

  test('stays as far as it was not confirmed where the API fails, and is confirmed by the next reading', async () => {
    const { api, cache, list, ids, unconfirmed } = open(range(1, 200));
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 200);
    await api.next('servers.list').fail();
    expect(list()).toMatchObject({ loading: false, keptAt: yesterday, error: { status: 500 } });
    expect(ids()).toHaveLength(200);
    expect(unconfirmed()).toHaveLength(100);
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 150);
    await api.next('servers.list').page(range(101, 150), 2, 150);
    expect(ids()).toHaveLength(150);
    expect(unconfirmed()).toEqual([]);
  });

  test.each([{ status: 403 }, { status: 404 }, { kind: 'unsupported' as const }])(
    'goes where the API withholds it: %o',
    async (failure) => {
      const { api, cache, list } = open(range(1, 3));
      void cache.readCollection(all);
      await api.next('servers.list').fail(failure);
      expect(list()).toMatchObject({ rows: [], keptAt: undefined });
    },
  );

  test('does not take the place of what was read in this session', async () => {
    const { api, cache, list } = open();
    void cache.readCollection(all);
    await api.next('servers.list').page([]);
    cache.restore([{ query: all, rows: range(1, 3), keptAt: yesterday }]);
    expect(list()).toMatchObject({ rows: [], keptAt: undefined });
  });

  test('of a list that is read only as far as it is scrolled is left out', () => {
    const { cache, list } = open();
    const query = { resource: 'stackscripts', operation: 'list', params: {} };
    cache.restore([{ query, rows: [{ id: 1 }], keptAt: yesterday }]);
    expect(list(query)).toBeUndefined();
  });

  test('has a row confirmed that is read alone, and another one taken out that is not found', async () => {
    const { api, cache, list, unconfirmed } = open(range(1, 3));
    const viewed = cache.readRow(servers, { serverId: '2' });
    await api.next('servers.view').answer(server(2));
    await viewed;
    expect(unconfirmed()).toEqual(['1', '3']);
    const missing = cache.readRow(servers, { serverId: '3' });
    await api.next('servers.view').fail({ status: 404 });
    await missing;
    expect(list()?.rows).toEqual(range(1, 2));
  });

  test('is forgotten as far as it is not confirmed where it turns out to be of another account', async () => {
    const { api, cache, list, ids } = open(range(1, 200));
    cache.restore([{ query: { ...all, resource: 'volumes' }, rows: [{ id: 1 }], keptAt: yesterday }]);
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 200);
    cache.forgetKept();
    expect(ids()).toHaveLength(100);
    expect(list()?.keptAt).toBeUndefined();
    expect(list({ ...all, resource: 'volumes' })).toBeUndefined();
    await api.next('servers.list').page(range(101, 200), 2, 200);
    expect(ids()).toEqual(range(1, 200).map(({ id }) => id));
  });

  test('is reported when it was read to its end, as a list is that is read for the first time', async () => {
    const { api, cache, cacheChanges } = open(range(1, 2));
    const told: string[] = [];
    cacheChanges.subscribe((changes) => {
      for (const { isStructural, differences } of changes) told.push(`${isStructural} ${differences?.length}`);
    });
    void cache.readCollection(all);
    await api.next('servers.list').page(range(1, 100), 2, 101);
    expect(told).toEqual([]);
    expect(cacheChanges.loaded().size).toBe(0);
    await api.next('servers.list').page([server(101)], 2, 101);
    expect(told).toEqual(['true undefined']);
    expect(cacheChanges.loaded().size).toBe(1);
  });

  test('any kept list and any answer end in exactly the answer', async () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('running', 'offline'));
    const rows = fc.uniqueArray(row, { selector: ([id]) => id, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 8 }), fc.boolean(), async (kept, fresh, size, isLate) => {
        const { api, cache, list } = open();
        const asRows = (those: typeof kept) => those.map(([id, status]) => server(id, status));
        const restore = () => cache.restore([{ query: all, rows: asRows(kept), keptAt: yesterday }]);
        if (!isLate) restore();
        const done = cache.readCollection(all);
        const answer = asRows(fresh);
        const pages = Math.max(1, Math.ceil(answer.length / size));
        for (let page = 0; page < pages; page++) {
          if (isLate && page === pages >> 1) restore();
          vi.setSystemTime(Date.now() + 1000);
          await api.next('servers.list').page(answer.slice(page * size, (page + 1) * size), pages, answer.length);
          const ids = list()?.rows.map((one) => idOf(servers, one)) ?? [];
          expect(new Set(ids).size).toBe(ids.length);
        }
        await done;
        await settled();
        expect(list()?.rows).toEqual(answer);
        expect(list()).toMatchObject({ keptAt: undefined, confirmed: undefined });
      }),
      { numRuns: 60 },
    );
  });
});
