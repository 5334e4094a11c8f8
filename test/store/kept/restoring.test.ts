import { expect, test } from 'vitest';
import { restoreKept } from '../../../src/store/kept/restoring.ts';
import type { Place } from '../../../src/store/place.ts';

/** The lists that are read before the first frame of a place, each with the most rows that it may have. */
function readAtOnce(place: Place): ReadonlyMap<string, number | undefined> {
  const read = new Map<string, number | undefined>();
  const end = restoreKept({
    source: {
      read: ({ resource }, most) => void read.set(resource, most),
      async *rest() {},
      save: async () => {},
      onLeftOut() {},
    },
    cache: { restore() {}, forgetKept() {} },
    keptChanges: { compare() {}, forget() {} },
    notices: { add: () => ({ id: 1 }) as never },
    place,
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
