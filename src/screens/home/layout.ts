import type { Size } from '../useStores.ts';
import type { TileName } from './tile.ts';

/** The place of a tile, in cells; one of a single line has no heading. */
export interface TileRegion extends Size {
  tile: TileName;
  left: number;
  top: number;
}

/** The number of lines of each tile below its heading; absent for a tile that is not shown. */
export type LineCounts = Readonly<Partial<Record<TileName, number>>>;

export type Rectangle = Omit<TileRegion, 'tile'>;

const gap = 2;

const smallColumns: readonly (readonly TileName[])[] = [
  ['servers', 'regions', 'fleet', 'nodebalancers'],
  ['managed', 'storage', 'money', 'tickets'],
];
/** The small tiles in one column; the first get more than one line before the others. */
const smallTiles: readonly TileName[] = [...smallColumns.flat().filter((name) => name !== 'regions'), 'regions'];

/** Heights grow in steps, so that tiles keep their place when a line comes or goes. */
const steps = [1, 2, 4, 6, 8, 10, 16, 24];

const stepped = (count: number, max: number): number => Math.min(max, steps.find((step) => step >= count) ?? max);

/** Lines of each small tile before any has more. */
const usualLines: LineCounts = {
  servers: 5,
  regions: 4,
  fleet: 3,
  nodebalancers: 4,
  managed: 2,
  storage: 4,
  money: 3,
  tickets: 2,
};
/** Lines of a small tile that has any: the number of statuses changes often. */
const minLines: LineCounts = { servers: 5 };

/** The room of every tile while lists are still to come, so that none moves another when they do. */
export const reservedLines: LineCounts = {
  ...usualLines,
  problems: Number.POSITIVE_INFINITY,
  happening: 2,
  activity: 1,
};

/** Lays out every tile that has a count. */
export function homeLayout(width: number, height: number, counts: LineCounts): readonly TileRegion[] {
  const area = { left: 0, top: 0, width, height };
  if (width >= 200 && height >= 40)
    return withSideColumns(area, counts, smallColumns, Math.min(58, Math.floor(width * 0.25)));
  if (width >= 100)
    return withSideColumns(area, counts, [smallTiles], Math.min(58, Math.max(40, Math.floor(width * 0.42))));
  return inOneColumn(area, counts);
}

/** The maximum of problems and of events in progress on a screen of this height. */
function maxLines(height: number): { problems: number; happening: number } {
  if (height >= 50) return { problems: 24, happening: 8 };
  if (height >= 36) return { problems: 10, happening: 4 };
  if (height >= 26) return { problems: 6, happening: 4 };
  return height >= 20 ? { problems: 4, happening: 2 } : { problems: 3, happening: 1 };
}

const topRegion = (tile: TileName, area: Rectangle, lines: number): TileRegion => ({
  tile,
  ...area,
  height: 1 + lines,
});

const below = (area: Rectangle, lines: number): Rectangle => ({
  ...area,
  top: area.top + lines,
  height: Math.max(0, area.height - lines),
});

/** Problems, events in progress, the small tiles in two columns, and activity in the rest. */
function inOneColumn(area: Rectangle, counts: LineCounts): readonly TileRegion[] {
  const max = maxLines(area.height);
  const blank = area.height >= 20 ? 1 : 0;
  const problems = topRegion('problems', area, stepped(counts.problems ?? 0, max.problems));
  let rest = below(area, problems.height);
  const happening = topRegion('happening', rest, stepped(counts.happening ?? 0, max.happening));
  rest = below(rest, happening.height + blank);
  const columns = sideBySide(rest, 2);
  const minHeight = Math.max(...smallColumns.map((names) => present(names, counts).length));
  const tiles = Math.max(minHeight, rest.height - Math.max(8, Math.floor(area.height / 2)));
  const small = smallColumns.flatMap((names, index) =>
    fitTiles(names, { ...(columns[index] ?? rest), height: tiles }, counts),
  );
  const bottom = Math.max(rest.top, ...small.map(({ top, height }) => top + height));
  rest = below(rest, bottom - rest.top + blank);
  return [problems, happening, ...small, { tile: 'activity', ...rest }];
}

/** Problems over the whole width, then events at the left and the small tiles at the right, in columns of one width. */
function withSideColumns(
  area: Rectangle,
  counts: LineCounts,
  columns: readonly (readonly TileName[])[],
  side: number,
): readonly TileRegion[] {
  const max = maxLines(area.height);
  const blank = area.height >= 36 ? 1 : 0;
  const problems = topRegion('problems', area, stepped(counts.problems ?? 0, max.problems));
  const rest = below(area, problems.height + blank);
  const left = { ...rest, width: rest.width - columns.length * (side + gap) };
  const happening = topRegion('happening', left, stepped(counts.happening ?? 0, max.happening));
  return [
    problems,
    happening,
    { tile: 'activity', ...below(left, happening.height + blank) },
    ...columns.flatMap((names, index) =>
      fitTiles(names, { ...rest, left: left.width + gap + index * (side + gap), width: side }, counts),
    ),
  ];
}

function sideBySide(area: Rectangle, count: number): readonly Rectangle[] {
  const width = Math.floor((area.width - gap * (count - 1)) / count);
  return Array.from({ length: count }, (_, index) => ({ ...area, left: area.left + index * (width + gap), width }));
}

const present = (names: readonly TileName[], counts: LineCounts) => names.filter((name) => counts[name] !== undefined);

/**
 * Tiles in one column: each has one line at least; the first get their usual lines while there is room, then blank lines
 * between them, then further lines.
 */
function fitTiles(names: readonly TileName[], area: Rectangle, counts: LineCounts): readonly TileRegion[] {
  const shown = present(names, counts).slice(0, area.height);
  const lines = new Map(shown.map((name) => [name, 0]));
  let room = area.height - shown.length;
  const grow = (name: TileName, max: number) => {
    const count = counts[name] ?? 0;
    const wanted = count === 0 ? 0 : Math.min(max, Math.max(count, minLines[name] ?? 0));
    const more = wanted - (lines.get(name) ?? 0);
    if (more <= 0 || more > room) return;
    lines.set(name, wanted);
    room -= more;
  };
  for (const name of shown) grow(name, usualLines[name] ?? 0);
  const hasRoom = room >= shown.length - 1 && shown.some((name) => lines.get(name) !== 0);
  const blank = hasRoom ? 1 : 0;
  room -= blank * (shown.length - 1);
  for (const max of [8, 16]) for (const name of shown) grow(name, max);
  let top = area.top;
  return shown.map((tile) => {
    const region = topRegion(tile, { ...area, top }, lines.get(tile) ?? 0);
    top += region.height + blank;
    return region;
  });
}
