import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { homeLayout, type LineCounts, type TileRegion } from '../../src/screens/home/layout.ts';
import { type TileName, tileNames } from '../../src/screens/home/tile.ts';

const usual: LineCounts = {
  problems: 42,
  happening: 2,
  servers: 5,
  regions: 6,
  fleet: 3,
  nodebalancers: 4,
  managed: 2,
  storage: 4,
  money: 8,
  tickets: 6,
  activity: 100,
};

/** The body of the screen, between header and footer. */
const laidOut = (columns: number, rows: number, counts = usual) => homeLayout(columns, rows - 2, counts);

const regionOf = (regions: readonly TileRegion[], name: TileName): TileRegion => {
  const found = regions.find(({ tile }) => tile === name);
  if (!found) throw new Error(`${name} is not shown`);
  return found;
};

const overlap = (one: TileRegion, other: TileRegion) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;

const sizes = [
  [60, 16],
  [80, 24],
  [100, 30],
  [120, 40],
  [200, 60],
] as const;

describe.each(sizes)('at %i×%i', (columns, rows) => {
  const regions = laidOut(columns, rows);

  test('every tile is shown, once, and problems come first', () => {
    expect(regions.map(({ tile }) => tile).sort()).toEqual([...tileNames].sort());
    expect(regions[0]).toMatchObject({ tile: 'problems', left: 0, top: 0 });
  });

  test('at least two problems, something of what happens and three lines of activity are in sight', () => {
    expect(regionOf(regions, 'problems').height).toBeGreaterThanOrEqual(4);
    expect(regionOf(regions, 'happening').height).toBeGreaterThanOrEqual(2);
    expect(regionOf(regions, 'activity').height).toBeGreaterThanOrEqual(4);
  });

  test('tiles keep their place when numbers change a little', () => {
    const others: readonly LineCounts[] = [
      { ...usual, problems: 41 },
      { ...usual, problems: 60 },
      { ...usual, servers: 3 },
      { ...usual, servers: 1 },
      { ...usual, activity: 99 },
    ];
    for (const counts of others) expect(laidOut(columns, rows, counts)).toEqual(regions);
  });
});

test('a wide screen has two columns, a very wide one three', () => {
  const leftEdges = (columns: number, rows: number) =>
    new Set(laidOut(columns, rows).flatMap(({ tile, left }) => (tile === 'problems' ? [] : [left]))).size;
  expect(leftEdges(120, 40)).toBe(2);
  expect(leftEdges(200, 60)).toBe(3);
  expect(regionOf(laidOut(120, 40), 'problems').width).toBe(120);
  expect(regionOf(laidOut(200, 60), 'problems').width).toBe(200);
});

test('a wider screen has no smaller tile than the usual one', () => {
  const sides = ['servers', 'managed', 'storage', 'money', 'tickets', 'activity'] as const;
  for (const columns of [130, 160, 180, 199, 200, 240])
    for (const name of sides)
      expect(regionOf(laidOut(columns, 60), name).width, `${name} at ${columns}`).toBeGreaterThanOrEqual(
        regionOf(laidOut(120, 60), name).width,
      );
});

test('where there is room every tile has its lines', () => {
  const regions = laidOut(200, 60);
  for (const name of tileNames.filter((name) => !['problems', 'happening', 'activity'].includes(name)))
    expect(regionOf(regions, name).height, name).toBeGreaterThan(usual[name] ?? 0);
});

test('when nothing is wrong, problems take little room', () => {
  expect(regionOf(laidOut(80, 24, { ...usual, problems: 2 }), 'problems').height).toBe(3);
});

test('what is not there has no place, and the others are shown', () => {
  const { managed: _managed, ...others } = usual;
  const regions = laidOut(80, 24, others);
  expect(regions.map(({ tile }) => tile)).not.toContain('managed');
  expect(regions).toHaveLength(tileNames.length - 1);
});

test('regions lie on the screen and never on each other, whatever the size and the counts', () => {
  const counts = fc.record(
    Object.fromEntries(tileNames.map((name) => [name, fc.nat({ max: 200 })])) as Record<TileName, fc.Arbitrary<number>>,
    { requiredKeys: ['problems', 'happening', 'activity'] },
  );
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 320 }), fc.integer({ min: 16, max: 100 }), counts, (columns, rows, some) => {
      const regions = laidOut(columns, rows, some);
      for (const [index, region] of regions.entries()) {
        expect(region.left).toBeGreaterThanOrEqual(0);
        expect(region.top).toBeGreaterThanOrEqual(0);
        expect(region.left + region.width).toBeLessThanOrEqual(columns);
        expect(region.top + region.height).toBeLessThanOrEqual(rows - 2);
        for (const other of regions.slice(index + 1)) expect(overlap(region, other)).toBe(false);
      }
    }),
  );
});
