import { niceScale } from '../../components/scale.ts';
import { cpusOf, type Day, type Load, type LoadDay } from '../../resources/compute/load.ts';
import type { Known, Resource, Row } from '../../resources/resource.ts';
import { idOf } from '../../store/records.ts';
import { sorted } from '../../store/sorting.ts';

/** What a server is ordered by, the largest first but for the names. */
type Figure = 'last' | 'max' | 'mean';

const figureOrders: Readonly<Record<string, Figure>> = { 'worst now': 'last', 'worst in 24 h': 'max', mean: 'mean' };

/** The orders of the fleet, the first by default. */
export const fleetOrders: readonly string[] = [...Object.keys(figureOrders), 'label', 'region'];

/** Whether an order begins with the largest. */
export const isDescending = (order: string): boolean => order in figureOrders;

/** What the readings of a server are to be divided by to be compared with others': of CPU its processors. */
export const sizeOf = (row: Row, load: Load): number => (load === 'cpu' ? cpusOf(row) : 1);

/** The reading of a server for its size: of CPU the percentage of all its processors. */
export const forSize = (row: Row, load: Load, reading: number | undefined): number | undefined =>
  reading === undefined ? undefined : reading / sizeOf(row, load);

/** The day of one load of a server, as far as it is known. */
export type DayOf = (row: Row) => LoadDay | undefined;

/** What one load of the servers is, looked up by their ids. */
export const dayFrom =
  (servers: Resource, load: Load, dayOf: (id: string) => Day | undefined): DayOf =>
  (row) =>
    dayOf(idOf(servers, row))?.[load];

/**
 * Servers in an order; those of which nothing is known come last, and equal ones stay by label.
 * @param rows by label
 */
export function inOrder(
  rows: readonly Row[],
  order: string,
  load: Load,
  dayOf: DayOf,
  servers: Resource,
  known: Known,
): readonly Row[] {
  const figure = figureOrders[order];
  if (!figure) return order === 'region' ? sorted(rows, 'Region', servers.columns, known) : rows;
  return rows
    .map((row) => ({ row, value: forSize(row, load, dayOf(row)?.[figure]) ?? Number.NEGATIVE_INFINITY }))
    .sort((one, other) => (one.value === other.value ? 0 : other.value - one.value))
    .map(({ row }) => row);
}

/** What fills a cell of the heat map: of CPU all processors, else a round number that no server is above. */
export function fullOf(rows: readonly Row[], load: Load, dayOf: DayOf): number {
  if (load === 'cpu') return 100;
  const most = rows.reduce((largest, row) => Math.max(largest, dayOf(row)?.max ?? 0), 0);
  return niceScale(0, most, 1).high;
}
