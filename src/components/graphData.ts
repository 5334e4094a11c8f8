import { isNumber, nearestRank } from '../text/numbers.ts';
import { isTime, type Timestamp } from '../text/times.ts';

/** A time and its value; NaN when the value is missing. */
export type GraphPoint = readonly [Timestamp, number];

/** One line of a graph. */
export interface GraphSeries {
  name: string;
  points: readonly GraphPoint[];
  /** The index of the series that this one is compared with: it is dim and dashed, with the mark of that series. */
  comparedWith?: number;
}

/** The period that a graph shows. */
export interface GraphWindow {
  from: Timestamp;
  to: Timestamp;
}

/** A series in order of time, cut to the window. */
export interface PreparedSeries extends Pick<GraphSeries, 'name' | 'comparedWith'> {
  points: readonly GraphPoint[];
  /** The median distance of its points in milliseconds. */
  interval: number;
}

/** The requested window, by default from the first point to now or to the last point. Never empty. */
export function graphWindow(
  series: readonly GraphSeries[],
  asked: { from?: number; to?: number; now?: number },
): GraphWindow {
  const times = series.flatMap(({ points }) => points.map(([time]) => time)).filter(isTime);
  const [first = 0] = times;
  const to = asked.to ?? asked.now ?? times.reduce((one, other) => Math.max(one, other), first);
  const from = asked.from ?? (times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : to);
  return from < to ? { from, to } : { from: to - 60_000, to };
}

/** Sorts a series by time and cuts it to the window; invalid values become NaN. */
export function prepareSeries({ name, points, comparedWith }: GraphSeries, { from, to }: GraphWindow): PreparedSeries {
  const inside = points
    .filter(([time]) => isTime(time) && time >= from && time <= to)
    // Beyond this a scale cannot be written; such points come from a broken response.
    .map(([time, value]): GraphPoint => [time, isNumber(value) && Math.abs(value) < 1e21 ? value : Number.NaN]);
  const ordered = inside.every(([time], index) => index === 0 || (inside[index - 1]?.[0] ?? 0) <= time);
  const sorted = ordered ? inside : inside.toSorted(([one], [other]) => one - other);
  return { name, comparedWith, points: sorted, interval: medianInterval(sorted) };
}

function medianInterval(points: readonly GraphPoint[]): number {
  const distances: number[] = [];
  for (let index = 1; index < points.length; index += 1) {
    const distance = (points[index]?.[0] ?? 0) - (points[index - 1]?.[0] ?? 0);
    if (distance > 0) distances.push(distance);
  }
  distances.sort((one, other) => one - other);
  return distances[Math.floor(distances.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/** Splits a series at its gaps: missing values, and distances of more than one and a half intervals. */
export function segmentsOf({ points, interval }: PreparedSeries): readonly (readonly GraphPoint[])[] {
  const found: GraphPoint[][] = [];
  let current: GraphPoint[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const [time, value] = point;
    const missing = !Number.isFinite(value);
    if (current.length > 0 && (missing || time - before > interval * 1.5)) {
      found.push(current);
      current = [];
    }
    if (!missing) current.push(point);
    before = time;
  }
  return current.length > 0 ? [...found, current] : found;
}

/** Last, least, mean, 95th percentile (nearest rank) and largest value; undefined when there is no value. */
export function summarize({ points }: PreparedSeries) {
  const values = points.map(([, value]) => value).filter(Number.isFinite);
  const last = values.at(-1);
  if (last === undefined) return undefined;
  const sorted = values.toSorted((one, other) => one - other);
  const rank = (share: number) => nearestRank(sorted, share) ?? last;
  const total = values.reduce((sum, value) => sum + value, 0);
  return { last, min: rank(0), avg: total / values.length, p95: rank(0.95), max: rank(1) };
}

/** The value of the point nearest to a time; undefined when that is more than three quarters of an interval away. */
export function nearestValue(
  { points, interval }: Pick<PreparedSeries, 'points' | 'interval'>,
  time: number,
): number | undefined {
  let nearest: GraphPoint | undefined;
  for (const point of points) {
    if (nearest === undefined || Math.abs(point[0] - time) < Math.abs(nearest[0] - time)) nearest = point;
  }
  if (!nearest || !Number.isFinite(nearest[1])) return undefined;
  return Math.abs(nearest[0] - time) <= interval * 0.75 ? nearest[1] : undefined;
}
