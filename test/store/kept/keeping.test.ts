import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Row } from '../../../src/resources/resource.ts';
import type { KeptList, KeptSource } from '../../../src/store/kept/keptRows.ts';
import { placeKey } from '../../../src/store/navigation.ts';
import { queryKey } from '../../../src/store/queries.ts';
import { createStores } from '../../../src/store/stores.ts';
import { type FakeApi, fakeApi, settled } from '../fakeApi.ts';
import { eventOf, partsOf } from '../openStores.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source in memory. */
function memory(): KeptSource & { saves: (readonly KeptList[])[] } {
  const saves: (readonly KeptList[])[] = [];
  return {
    saves,
    read: () => undefined,
    readTop: () => undefined,
    async *rest() {},
    onLeftOut: () => {},
    save: async (lists) => void saves.push(lists),
  };
}

function open(api: FakeApi, kept: KeptSource) {
  const parts = partsOf(api, { persist: { lists: kept } });
  return createStores({ parts, start: { screen: 'home' }, now: Date.now });
}

const list = (resource: string, params = {}) => ({ resource, operation: 'list', params });
const rows = (count: number): Row[] => Array.from({ length: count }, (_, id) => ({ id: id + 1, label: `s${id}` }));

test('lists that were read to their ends are kept soon, then every few minutes, and at the end', async () => {
  const [api, kept] = [fakeApi(), memory()];
  const { cache, close } = open(api, kept);
  void cache.readCollection(list('servers'));
  void cache.readCollection(list('volumes'));
  await api.next('servers.list').page(rows(3));
  expect(kept.saves).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(kept.saves).toHaveLength(1);
  expect(kept.saves[0]?.map(({ query, rows }) => [query.resource, rows.length])).toEqual([['servers', 3]]);
  await api.next('volumes.list').page(rows(2));
  await vi.advanceTimersByTimeAsync(299_000);
  expect(kept.saves).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(kept.saves[1]?.map(({ query }) => query.resource)).toEqual(['servers', 'volumes']);
  // Without a change nothing is written.
  await vi.advanceTimersByTimeAsync(3_600_000);
  close();
  expect(kept.saves).toHaveLength(2);
});

test('of a long list the rows at the top of it as it was seen are kept apart', async () => {
  const [api, kept] = [fakeApi(), memory()];
  const { cache, navigation, close } = open(api, kept);
  const place = { screen: 'list', resource: 'servers', params: {} } as const;
  void cache.readCollection(list('servers'));
  void cache.readCollection(list('volumes'));
  await api.next('servers.list').page(rows(600));
  await api.next('volumes.list').page(rows(3));
  navigation.setListView(placeKey(place), { sort: '-ID' });
  await vi.advanceTimersByTimeAsync(20_000);
  const [servers, volumes] = kept.saves[0] ?? [];
  const top = servers?.top?.();
  expect(top?.sort).toBe('-ID');
  expect(top?.rows.slice(0, 2).map(({ id }) => id)).toEqual([600, 599]);
  expect(top?.rows.length).toBeLessThan(200);
  expect(volumes?.top?.()).toBeUndefined();
  // Its order may be another one as answers come.
  navigation.setListView(placeKey(place), { sort: 'CPU' });
  expect(servers?.top?.()).toBeUndefined();
  close();
});

test('a change is kept at the end and while nobody looks', async () => {
  const [api, kept] = [fakeApi(), memory()];
  const stores = open(api, kept);
  void stores.cache.readCollection(list('servers'));
  await api.next('servers.list').page(rows(3));
  stores.pause(true);
  expect(kept.saves).toHaveLength(1);
  vi.setSystemTime(Date.now() + 1000);
  void stores.cache.readCollection(list('servers'));
  await api.next('servers.list').page(rows(4));
  stores.close();
  expect(kept.saves[1]?.map(({ rows }) => rows.length)).toEqual([4]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(kept.saves).toHaveLength(2);
});

test('lists of the program itself and such as are not whole are not kept', async () => {
  const [api, kept] = [fakeApi(), memory()];
  const { cache, close } = open(api, kept);
  void cache.readCollection(list('servers'));
  void cache.readCollection(list('stackscripts'));
  await api.next('stackscripts.list').page(rows(100), 40, 4000);
  await api.next('servers.list').page(rows(100), 2, 200);
  await settled();
  close();
  expect(kept.saves).toEqual([]);
});

test('the newest events are kept, and older ones where they go on without a gap', async () => {
  const [api, kept] = [fakeApi(), memory()];
  const { events, cache, pause, close } = open(api, kept);
  const of = (...ids: number[]) => ids.map((id) => eventOf(id, 'server_boot', 'finished', null));
  events.start();
  await api.next('events.list').page(of(9, 8, 7));
  pause(true);
  expect(kept.saves[0]?.map(({ query, rows }) => [query.resource, rows.map(({ id }) => id)])).toEqual([
    ['events', [9, 8, 7]],
  ]);
  void cache.readCollection(list('events'));
  await api.next('events.list').page(of(8, 7, 6, 5));
  pause(false);
  await api.next('events.list').page(of(10, 9, 8, 7));
  close();
  expect(kept.saves[1]?.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[10, 9, 8, 7, 6, 5]]);
});

test.each([
  [false, 2],
  [true, 0],
])('where something that was kept is left out, the rest stays unless all of it is: %s', async (isAll, left) => {
  let leaveOut: Parameters<KeptSource['onLeftOut']>[0] = () => {};
  const keptList = { query: list('servers'), rows: rows(2), results: 2, keptAt: 1 };
  const source: KeptSource = {
    ...memory(),
    read: (query) => (queryKey(query) === queryKey(keptList.query) ? keptList : undefined),
    onLeftOut: (listener) => {
      leaveOut = listener;
    },
  };
  const { cache, notices, close } = open(fakeApi(), source);
  leaveOut('Some of it is damaged.', isAll);
  expect(cache.getState().collections[queryKey(keptList.query)]?.rows.length ?? 0).toBe(left);
  expect(notices.getState().notices.map(({ text }) => text)).toEqual(['Some of it is damaged.']);
  close();
});
