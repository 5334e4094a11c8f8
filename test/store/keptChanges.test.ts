import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createCache, type Query, queryKey } from '../../src/store/cache.ts';
import { countsText, createKeptChanges } from '../../src/store/kept/keptChanges.ts';
import type { KeptList } from '../../src/store/kept/keptRows.ts';
import { createNotices } from '../../src/store/notices.ts';
import { fakeApi } from './fakeApi.ts';

const all: Query = { resource: 'servers', operation: 'list', params: {} };
const balancers = { ...all, resource: 'nodebalancers' };
const now = Date.parse('2026-05-13T21:40:00Z');
const keptAt = Date.parse('2026-05-12T20:34:00Z');

const server = (id: number, status = 'running', more: Row = {}): Row => ({ id, label: `web-${id}`, status, ...more });

beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const notices = createNotices(Date.now);
  const keptChanges = createKeptChanges({ cache, notices, now: Date.now });
  const restore = (rows: readonly Row[], query = all) => {
    const list: KeptList = { query, rows, results: rows.length, keptAt };
    cache.restore([list]);
    keptChanges.compare(list);
  };
  const read = async (rows: readonly Row[], query = all) => {
    const done = cache.readCollection(query);
    await api.next(`${query.resource}.list`).page(rows);
    await done;
  };
  const changes = (query = all) => keptChanges.getState().lists[queryKey(query)];
  const told = () => notices.getState().notices.map(({ text }) => text);
  return { api, cache, keptChanges, restore, read, changes, told };
}

describe('what changed since an earlier session', () => {
  test('is counted, told in one notice for all lists, and marked for a while', async () => {
    const { restore, read, changes, told } = open();
    restore([server(1), server(2), server(3)]);
    restore([{ id: 7, label: 'edge' }], balancers);
    await read([server(2, 'offline'), server(3), server(4)]);
    expect(changes()).toMatchObject({ isWhole: true, isMarked: true, since: keptAt });
    expect([...(changes()?.came ?? [])]).toEqual(['4']);
    expect(changes()?.changed.get('2')).toEqual(server(2));
    expect(changes()?.gone).toEqual([server(1)]);
    await read([{ id: 7, label: 'edge-eu' }], balancers);
    expect(told()).toEqual([
      'Since yesterday 18:04: 1 server new, 1 gone, 1 changed; 1 NodeBalancer changed. :changed shows each.',
    ]);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(changes()).toMatchObject({ isMarked: false });
    expect(changes()?.changed.size).toBe(1);
  });

  test('is nothing where only what changes by itself is different', async () => {
    const { restore, read, changes, told } = open();
    restore([server(1, 'running', { updated: '2026-05-12T00:00:00' })]);
    restore([{ id: 7, label: 'edge', transfer: { in: 1, out: 2, total: 3 } }], balancers);
    await read([server(1, 'running', { updated: '2026-05-13T00:00:00' })]);
    await read([{ id: 7, label: 'edge', transfer: { in: 4, out: 5, total: 9 } }], balancers);
    expect(changes() && countsText(changes() as never)).toBe('');
    expect(told()).toEqual([]);
  });

  test('is known row by row while the list is read, but for those that are gone', async () => {
    const { api, cache, restore, changes } = open();
    restore(Array.from({ length: 200 }, (_, nth) => server(nth + 1)));
    void cache.readCollection(all);
    await api.next('servers.list').page([server(1, 'offline'), server(300)], 2, 102);
    expect(changes()).toMatchObject({ isWhole: false, gone: [] });
    expect([...(changes()?.changed.keys() ?? [])]).toEqual(['1']);
    expect([...(changes()?.came ?? [])]).toEqual(['300']);
  });

  test('is nothing of rows that nobody has read in this session', async () => {
    const { api, cache, keptChanges, changes } = open();
    const kept = Array.from({ length: 200 }, (_, nth) => server(nth + 1));
    cache.restore([{ query: all, rows: kept, results: 200, keptAt }]);
    // The list of another session, which has seen more of them.
    const rows = kept.map((row) => (row.id === 150 ? server(150, 'offline') : row)).filter(({ id }) => id !== 160);
    keptChanges.compare({ query: all, rows, results: 199, keptAt });
    void cache.readCollection(all);
    await api.next('servers.list').page([server(1, 'offline'), server(300)], 2, 201);
    expect([...(changes()?.changed.keys() ?? [])]).toEqual(['1']);
    expect([...(changes()?.came ?? [])]).toEqual(['300']);
  });

  test('is found also where the list was read before what was kept of it came', async () => {
    const { restore, read, changes, cache } = open();
    await read([server(1, 'offline')]);
    restore([server(1), server(2)]);
    expect(changes()).toMatchObject({ isWhole: true, gone: [server(2)] });
    expect([...(changes()?.changed.keys() ?? [])]).toEqual(['1']);
    expect(cache.getState().collections[queryKey(all)]?.keptAt).toBeUndefined();
  });

  test('is compared no further than the first reading: what happens later is news of this session', async () => {
    const { restore, read, changes } = open();
    restore([server(1)]);
    await read([server(1)]);
    await read([server(1, 'offline'), server(2)]);
    expect(changes() && countsText(changes() as never)).toBe('');
  });

  test('is exactly the difference between any kept list and any answer', async () => {
    const servers = resourceNamed('servers');
    expect(servers.name).toBe('servers');
    const row = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom('running', 'offline'));
    const rows = fc.uniqueArray(row, { selector: ([id]) => id, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.integer({ min: 1, max: 7 }), async (kept, fresh, size) => {
        const { api, cache, restore, changes } = open();
        restore(kept.map(([id, status]) => server(id, status)));
        const done = cache.readCollection(all);
        const answer = fresh.map(([id, status]) => server(id, status));
        const pages = Math.max(1, Math.ceil(answer.length / size));
        for (let page = 0; page < pages; page++) {
          vi.setSystemTime(Date.now() + 1000);
          await api.next('servers.list').page(answer.slice(page * size, (page + 1) * size), pages, answer.length);
        }
        await done;
        const before = new Map(kept);
        const after = new Map(fresh);
        const expected = {
          came: [...after.keys()].filter((id) => !before.has(id)).sort(),
          gone: [...before.keys()].filter((id) => !after.has(id)).sort(),
          changed: [...after]
            .filter(([id, status]) => before.has(id) && before.get(id) !== status)
            .map(([id]) => id)
            .sort(),
        };
        const found = changes();
        expect({
          came: [...(found?.came ?? [])].map(Number).sort(),
          gone: (found?.gone ?? []).map(({ id }) => id).sort(),
          changed: [...(found?.changed.keys() ?? [])].map(Number).sort(),
        }).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
