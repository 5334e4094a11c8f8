import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { isSingle, resourceNamed } from '../../src/resources/index.ts';
import { drawTiles, type LineCache, placeTiles } from '../../src/screens/home/drawTiles.ts';
import { memoizeTiles } from '../../src/screens/home/HomeScreen.tsx';
import type { HomeData, Tile } from '../../src/screens/home/tile.ts';
import { homeTiles, tileBuilders } from '../../src/screens/home/useHomeData.ts';
import { queryKey, viewQuery } from '../../src/store/queries.ts';
import type { Stores } from '../../src/store/stores.ts';
import { seed } from '../draw.ts';
import { openExamined, step, take } from '../store/openExamined.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ servers: 30, colleagues: false });
});
afterAll(() => demo.close());

/** The data that Home is drawn from now. */
function dataOf({ view, cache, problems, fleet }: Stores): HomeData {
  const { collections, answers } = cache.getState();
  return {
    view,
    queryState: (name) =>
      isSingle(resourceNamed(name))
        ? answers[queryKey(viewQuery(resourceNamed(name), {}))]
        : collections[queryKey({ resource: name, operation: 'list', params: {} })],
    problems: problems.getState(),
    unexamined: [],
    fleet: { dayOf: fleet.dayOf, requested: fleet.requested },
    readOnly: false,
    glyphs: 'unicode',
  };
}

test(`as rows, answers and events change, tiles and lines that are kept are those made anew (seed ${seed})`, async () => {
  const stores = await openExamined(demo);
  const tilesOf = memoizeTiles(tileBuilders);
  const cache: LineCache = new WeakMap();
  const theme = themeNamed('dark', 'unicode', true);
  const [width, height] = [160, 50];
  const linesOf = (tiles: readonly Tile[], kept?: LineCache) =>
    drawTiles(placeTiles(tiles, width, height), { theme, now: stores.now(), width, height, cache: kept })();
  expect(linesOf(homeTiles(dataOf(stores))).join('\n')).toContain('Servers');
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      for (const one of steps) take(stores, one);
      const data = dataOf(stores);
      expect(linesOf(tilesOf(data), cache)).toEqual(linesOf(homeTiles(data)));
    }),
    { seed, numRuns: 80, endOnFailure: true },
  );
});
