import { niceScale } from '../../components/scale.ts';
import { cpusOf, type Day, type Load, type LoadDay, loadOf } from '../../resources/compute/load.ts';
import { memoizeIncremental } from '../../resources/differences.ts';
import { at, type CacheView, type Resource, type Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import { clean, widthOf } from '../../text/cells.ts';

/** The figures by which servers can be sorted. */
type Figure = 'last' | 'max' | 'mean';

const figureOrders: Readonly<Record<string, Figure>> = { 'worst now': 'last', 'worst in 24 h': 'max', mean: 'mean' };

/** The sort orders of the fleet; the first is the default. */
export const fleetOrders: readonly string[] = [...Object.keys(figureOrders), 'label', 'region'];

/** Whether an order is descending. */
export const isDescending = (order: string): boolean => order in figureOrders;

/** Divides the readings of a server to make servers comparable: the number of CPUs for CPU, else 1. */
export const divisorOf = (row: Row, load: Load): number => (load === 'cpu' ? cpusOf(row) : 1);

/** A reading that is comparable between servers: CPU as the percentage of all CPUs. */
export const normalized = (row: Row, load: Load, reading: number | undefined): number | undefined =>
  reading === undefined ? undefined : reading / divisorOf(row, load);

/** The day of one load of a server, if loaded. */
export type DayOf = (row: Row) => LoadDay | undefined;

/** Looks up one load of a server by its id. */
export const dayReader =
  (servers: Resource, load: Load, dayOf: (id: string) => Day | undefined): DayOf =>
  (row) =>
    loadOf(row, load, dayOf(idOf(servers, row)));

/**
 * Sorts servers; those without readings come last, and equal ones stay sorted by label.
 * @param rows sorted by label
 * @param measured those that may have readings, in the same order
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

/** Sorts by region, and by label within a region. */
function byRegion(rows: readonly Row[], servers: Resource, view: CacheView): readonly Row[] {
  const groups = Map.groupBy(rows, regionOf);
  const firsts = [...groups.values()].flatMap(([first]) => (first ? [first] : []));
  return sorted(firsts, 'Region', servers.columns, view).flatMap((row) => groups.get(regionOf(row)) ?? []);
}

const regionOf = (row: Row): string => String(at(row, 'region') ?? '');

/** The number of texts of each width, in cells. */
type Widths = Map<number, number>;

/** The widths of the widest label and region, kept up to date as rows change. */
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

/** The reading that fills a heat cell: 100 % for CPU, else a round number above all servers. */
export function fullScaleOf(rows: readonly Row[], load: Load, dayOf: DayOf): number {
  if (load === 'cpu') return 100;
  const most = rows.reduce((largest, row) => Math.max(largest, dayOf(row)?.max ?? 0), 0);
  return niceScale(0, most, 1).high;
}
