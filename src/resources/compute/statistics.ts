import { isNumber } from '../../text/numbers.ts';
import { at, isRow, type Row } from '../row.ts';

/** One reading: milliseconds since the epoch, and the value. */
export type Point = readonly [ms: number, value: number];

/** One line of a graph; `threshold` is the value above which the platform raises an alert. */
export interface Series {
  name: string;
  points: readonly Point[];
  threshold?: number;
  /** The index in its group of the series that it is compared with. */
  comparedWith?: number;
}

/** Lines that share one axis. */
export interface SeriesGroup {
  name: string;
  /** The unit of every value: `%`, `blocks/s` or `bit/s`. */
  unit: string;
  series: readonly Series[];
}

/** The statistics of a resource that are drawn as graphs, of one row or of several beside each other. */
export interface Statistics<T = Row> {
  /** The graphs of a row, from the answer of the operation `stats`, of `statsMonth`, or else of its view. */
  graphs: (body: unknown, row: T) => readonly SeriesGroup[];
  /** The loads by which rows are compared, each a group of one series. */
  loads?: (body: unknown, row: T) => readonly SeriesGroup[];
  /** Said where there are none; with the answer, since the API may say why. */
  none: (body: unknown) => string;
  /** The actions of its events that stand on the time axis, by the letter of each. */
  letters?: Readonly<Record<string, readonly string[]>>;
}

/** The operation that answers the statistics of a month; without it there are those of the last 24 hours alone. */
export const monthOperation = 'statsMonth';

/** Whether a resource has the statistics of any month. */
export const hasMonths = ({ operations }: { operations?: Readonly<Record<string, unknown>> }): boolean =>
  operations?.[monthOperation] !== undefined;

/** The points of one series, sorted by time, from `[ms, value]` or `{x, y}` or the compact form; others are skipped. */
export function pointsOf(value: unknown): readonly Point[] {
  if (value instanceof Float64Array) return heldPoints(value);
  if (!Array.isArray(value)) return [];
  const points: Point[] = [];
  for (const item of value) {
    const point = pointOf(item);
    if (point) points.push(point);
  }
  return points.sort((one, other) => one[0] - other[0]);
}

function heldPoints(numbers: Float64Array): readonly Point[] {
  const points: Point[] = [];
  for (let index = 1; index < numbers.length; index += 2) points.push([numbers[index - 1] ?? 0, numbers[index] ?? 0]);
  return points;
}

/**
 * Statistics as they are cached: each series as its numbers one after the other, which takes a sixth of the memory of
 * small arrays. Other members are kept unchanged.
 */
export const compactStatistics = (answer: Row): Row =>
  Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, heldValue(value)]));

function heldValue(value: unknown): unknown {
  if (isRow(value)) return compactStatistics(value);
  if (!Array.isArray(value) || value.length === 0) return value;
  const numbers = new Float64Array(2 * value.length);
  let isInTime = true;
  for (let index = 0; index < value.length; index++) {
    const ms = timeIn(value[index]);
    const reading = readingIn(value[index]);
    if (!isNumber(ms) || !isNumber(reading)) return value;
    numbers[2 * index] = ms;
    numbers[2 * index + 1] = reading;
    if (index > 0 && ms < (numbers[2 * index - 2] ?? ms)) isInTime = false;
  }
  return isInTime ? numbers : new Float64Array(pointsOf(value).flat());
}

const timeIn = (item: unknown): unknown => (Array.isArray(item) ? item[0] : at(item, 'x'));
const readingIn = (item: unknown): unknown => (Array.isArray(item) ? item[1] : at(item, 'y'));

function pointOf(item: unknown): Point | undefined {
  const ms = timeIn(item);
  const value = readingIn(item);
  return isNumber(ms) && isNumber(value) ? [ms, value] : undefined;
}

/** The part of a statistics body that holds the series: the body itself or its `data`. */
export const seriesPart = (body: unknown): unknown => at(body, 'data') ?? body;

/** The processor load of a statistics body, in percent. */
export const cpuPoints = (body: unknown): readonly Point[] => pointsOf(at(seriesPart(body), 'cpu'));

/**
 * A graph of a statistics body.
 * @param paths of its series, by their names
 */
export const graphAt = (
  body: unknown,
  name: string,
  unit: string,
  paths: Readonly<Record<string, string>>,
): SeriesGroup => ({
  name,
  unit,
  series: Object.entries(paths).map(([name, path]) => ({ name, points: pointsOf(at(seriesPart(body), path)) })),
});

/**
 * The graphs of a server's statistics (document 2, 2.5): processor, disk and network.
 * @param body the answer, flat or wrapped in `data`
 * @param alerts the server's `alerts`: cpu in percent, network_in and network_out in Mbit/s, 0 for none
 * @param cpus the number of its CPUs; the API adds up the percentages of all of them
 */
export function statisticsOf(body: unknown, alerts?: unknown, cpus = 1): readonly SeriesGroup[] {
  const part = seriesPart(body);
  return [
    {
      name: 'CPU',
      unit: '%',
      series: [
        { name: 'of its CPUs', points: shareOf(cpuPoints(body), cpus), threshold: limitOf(alerts, 'cpu', 1 / cpus) },
      ],
    },
    graphAt(body, 'Disk I/O', 'blocks/s', { io: 'io.io', swap: 'io.swap' }),
    { name: 'IPv4', unit: 'bit/s', series: networkSeries(at(part, 'netv4'), alerts) },
    { name: 'IPv6', unit: 'bit/s', series: networkSeries(at(part, 'netv6'), alerts) },
  ];
}

/** Readings divided among so many. */
export const shareOf = (points: readonly Point[], among: number): readonly Point[] =>
  among === 1 ? points : points.map(([time, value]): Point => [time, value / among]);

/** The lowest alert threshold of a group of series. */
export function alertThreshold({ series }: SeriesGroup): number | undefined {
  const limits = series.flatMap(({ threshold }) => threshold ?? []);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

const bitsInMbit = 1e6;

const networkSeries = (net: unknown, alerts: unknown): readonly Series[] => [
  { name: 'public in', points: pointsOf(at(net, 'in')), threshold: limitOf(alerts, 'network_in', bitsInMbit) },
  { name: 'public out', points: pointsOf(at(net, 'out')), threshold: limitOf(alerts, 'network_out', bitsInMbit) },
  { name: 'private in', points: pointsOf(at(net, 'private_in')) },
  { name: 'private out', points: pointsOf(at(net, 'private_out')) },
];

/** An alert threshold in the unit of its graph; undefined where the alert is off. */
function limitOf(alerts: unknown, name: string, factor: number): number | undefined {
  const limit = at(alerts, name);
  return isNumber(limit) && limit > 0 ? limit * factor : undefined;
}
