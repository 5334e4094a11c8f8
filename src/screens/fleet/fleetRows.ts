import { niceScale } from '../../components/scale.ts';
import { cpusOf, type Day, type Load, type LoadDay } from '../../resources/compute/load.ts';
import { memoizeIncremental } from '../../resources/differences.ts';
import { at, type CacheView, type Resource, type Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import { clean, widthOf } from '../../text/cells.ts';

/** Servers are ordered by it, the largest first but for the names. */
type Figure = 'last' | 'max' | 'mean';

const figureOrders: Readonly<Record<string, Figure>> = { 'worst now': 'last', 'worst in 24 h': 'max', mean: 'mean' };

/** The orders of the fleet, the first by default. */
export const fleetOrders: readonly string[] = [...Object.keys(figureOrders), 'label', 'region'];

/** Whether an order begins with the largest. */
export const isDescending = (order: string): boolean => order in figureOrders;

/** Readings of a server are divided by it to be compared with others': of CPU its processors. */
export const divisorOf = (row: Row, load: Load): number => (load === 'cpu' ? cpusOf(row) : 1);

/** The reading of a server for its size: of CPU the percentage of all its processors. */
export const normalized = (row: Row, load: Load, reading: number | undefined): number | undefined =>
  reading === undefined ? undefined : reading / divisorOf(row, load);

/** The day of one load of a server, as far as it is known. */
export type DayOf = (row: Row) => LoadDay | undefined;

/** Answers one load of the servers, looked up by their ids. */
export const dayReader =
  (servers: Resource, load: Load, dayOf: (id: string) => Day | undefined): DayOf =>
  (row) =>
    dayOf(idOf(servers, row))?.[load];

/**
 * Servers in an order; those of which nothing is known come last, and equal ones stay by label.
 * @param rows by label
 * @param measured those of which something may be known, in the same order
 */
export function sortServers(
  rows: readonly Row[],
  order: string,
  load: Load,
  dayOf: DayOf,
  servers: Resource,
  view: CacheView,
  measured: readonly Row[] = rows,
): readonly Row[] {
  const figure = figureOrders[order];
  if (!figure) return order === 'region' ? byRegion(rows, servers, view) : rows;
  const figures = measured.flatMap((row) => {
    const value = normalized(row, load, dayOf(row)?.[figure]);
    return value === undefined ? [] : [{ row, value }];
  });
  const first = figures.sort((one, other) => other.value - one.value).map(({ row }) => row);
  const placed = new Set(first);
  return placed.size === 0 ? rows : [...first, ...rows.filter((row) => !placed.has(row))];
}

/** By region; those of one region stay by label. */
function byRegion(rows: readonly Row[], servers: Resource, view: CacheView): readonly Row[] {
  const groups = Map.groupBy(rows, regionOf);
  const firsts = [...groups.values()].flatMap(([first]) => (first ? [first] : []));
  return sorted(firsts, 'Region', servers.columns, view).flatMap((row) => groups.get(regionOf(row)) ?? []);
}

const regionOf = (row: Row): string => String(at(row, 'region') ?? '');

/** The number of texts of each width, in cells. */
type Widths = Map<number, number>;

/** The cells of the widest label and of the widest region of servers. */
export const labelWidths = (servers: Resource) => {
  const texts = [(row: Row) => servers.label(row), regionOf];
  const count = (widths: readonly Widths[], row: Row | undefined, by: 1 | -1) => {
    if (!row) return;
    for (const [index, textOf] of texts.entries()) {
      const width = widthOf(clean(textOf(row)));
      const left = (widths[index]?.get(width) ?? 0) + by;
      if (left > 0) widths[index]?.set(width, left);
      else widths[index]?.delete(width);
    }
  };
  const widthsOf = memoizeIncremental<readonly Widths[], Row>(
    (rows) => {
      const widths = texts.map((): Widths => new Map());
      for (const row of rows) count(widths, row, 1);
      return widths;
    },
    (widths, differences) => {
      for (const { before, after } of differences) {
        count(widths, before, -1);
        count(widths, after, 1);
      }
      return widths;
    },
  );
  return (rows: readonly Row[]): readonly number[] => widthsOf(rows).map((widths) => Math.max(0, ...widths.keys()));
};

/** Fills a cell of the heat map: of CPU all processors, else a round number that no server is above. */
export function fullScaleOf(rows: readonly Row[], load: Load, dayOf: DayOf): number {
  if (load === 'cpu') return 100;
  const most = rows.reduce((largest, row) => Math.max(largest, dayOf(row)?.max ?? 0), 0);
  return niceScale(0, most, 1).high;
}
