import { expect, test, vi } from 'vitest';
import { restoreKept } from '../../../src/store/kept/keeping.ts';
import type { KeptList, KeptSource } from '../../../src/store/kept/keptRows.ts';
import { createNavigation, type ListView, type Place, placeKey } from '../../../src/store/navigation.ts';

const servers = { resource: 'servers', operation: 'list', params: {} };
const nothing: KeptSource = {
  read: () => undefined,
  readTop: () => undefined,
  async *rest() {},
  save: async () => {},
  onLeftOut() {},
};
const parts = {
  cache: { restore() {}, forgetKept() {} },
  keptChanges: { compare() {}, forget() {} },
  notices: { add: () => ({ id: 1 }) as never },
};

/** Lets the event loop go round. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The lists that are read before the first frame of a place, each with the most rows that it may have. */
function readAtOnce(place: Place): ReadonlyMap<string, number | undefined> {
  const read = new Map<string, number | undefined>();
  const end = restoreKept({
    source: { ...nothing, read: ({ resource }, most) => void read.set(resource, most) },
    ...parts,
    navigation: createNavigation(place),
  });
  end();
  return read;
}

test('Home, which counts rows, leaves long lists for after its first frame; places that show them do not', () => {
  const home = readAtOnce({ screen: 'home' });
  expect([...new Set(home.values())]).toEqual([expect.any(Number)]);
  expect(readAtOnce({ screen: 'list', resource: 'servers', params: {} }).get('servers')).toBeUndefined();
  for (const place of [{ screen: 'fleet' }, { screen: 'compare', resource: 'servers', ids: ['1', '2'] }] as const) {
    const read = readAtOnce(place);
    expect(read.has('servers')).toBe(true);
    expect(read.get('servers')).toBeUndefined();
  }
});

test('the other lists are read once the first frame is drawn, however long that takes', async () => {
  const drawn = Promise.withResolvers<void>();
  const [list, restored]: [KeptList, unknown[]] = [{ query: servers, rows: [{ id: 1 }], keptAt: 1 }, []];
  const end = restoreKept({
    source: {
      ...nothing,
      rest: async function* () {
        yield list;
      },
    },
    ...parts,
    cache: { restore: (lists) => void restored.push(...lists), forgetKept() {} },
    navigation: createNavigation({ screen: 'home' }),
    drawn: drawn.promise,
  });
  await turns(20);
  expect(restored).toEqual([]);
  drawn.resolve();
  await vi.waitFor(() => expect(restored).toEqual([list]));
  end();
});

test('a long list shows its top at first, where the cursor is there and no filter looks for rows elsewhere', () => {
  const top = { query: servers, rows: [{ id: 1 }, { id: 2 }], results: 900, keptAt: 1, isTop: true } as const;
  const shown = (place: Place, view: Partial<ListView> = {}): readonly unknown[] => {
    const navigation = createNavigation(place);
    navigation.setListView(placeKey(place), view);
    const restored: unknown[] = [];
    restoreKept({
      source: {
        ...nothing,
        readTop: ({ resource }, sort) => (resource === 'servers' && sort === 'Label' ? top : undefined),
      },
      ...parts,
      cache: { restore: (lists) => void restored.push(...lists), forgetKept() {} },
      navigation,
    })();
    return restored;
  };
  const place: Place = { screen: 'list', resource: 'servers', params: {} };
  expect(shown(place)).toEqual([top]);
  expect(shown(place, { cursor: '2' })).toEqual([top]);
  expect(shown(place, { cursor: '3' })).toEqual([]);
  expect(shown(place, { filter: 'web' })).toEqual([]);
  expect(shown(place, { sort: '-Label' })).toEqual([]);
  expect(shown({ screen: 'home' })).toEqual([]);
  expect(shown({ screen: 'detail', resource: 'servers', params: { serverId: '1' }, tab: 'overview' })).toEqual([]);
});
