import { nearestRank, quantity } from '../../text/numbers.ts';
import { lastTime } from '../../text/times.ts';
import { memoize } from '../memoize.ts';
import { at, type CacheView, type Day, type Load, type LoadDay, loads, type Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import { cpuPoints, type Point, pointsOf, seriesPart, shareOf } from './statistics.ts';

/** The name and unit of each. */
export const loadNames: Readonly<Record<Load, { name: string; unit: string }>> = {
  cpu: { name: 'CPU', unit: '%' },
  networkIn: { name: 'Network in', unit: 'bit/s' },
  networkOut: { name: 'Network out', unit: 'bit/s' },
  io: { name: 'Disk I/O', unit: 'blocks/s' },
};

/** The readings of one load in a statistics body; those of the network are public, both protocols together. */
export function loadPoints(body: unknown, load: Load): readonly Point[] {
  if (load === 'cpu') return cpuPoints(body);
  const part = seriesPart(body);
  if (load === 'io') return pointsOf(at(part, 'io.io'));
  const way = load === 'networkIn' ? 'in' : 'out';
  return sumOf(pointsOf(at(part, `netv4.${way}`)), pointsOf(at(part, `netv6.${way}`)));
}

/** Readings added up where both have one of the same time. */
function sumOf(one: readonly Point[], other: readonly Point[]): readonly Point[] {
  if (other.length === 0) return one;
  const isOfSameTimes = one.length === other.length && one.every((point, index) => point[0] === other[index]?.[0]);
  if (isOfSameTimes) return one.map((point, index) => [point[0], point[1] + (other[index]?.[1] ?? 0)]);
  const sums = new Map(one);
  for (const [time, value] of other) sums.set(time, (sums.get(time) ?? 0) + value);
  return [...sums].sort(([earlier], [later]) => earlier - later);
}

/** The number of CPUs of a server, 1 where it is unknown. The API adds up the percentages of all of them. */
export function cpusOf(server: unknown): number {
  const cpus = at(server, 'specs.vcpus');
  return typeof cpus === 'number' && cpus > 0 ? cpus : 1;
}

/** The loads of a server, each with its readings: CPU in percent of its CPUs. */
export const serverLoads = (body: unknown, server: Row) =>
  loads.map((load) => {
    const points = loadPoints(body, load);
    return { ...loadNames[load], points: load === 'cpu' ? shareOf(points, cpusOf(server)) : points };
  });

/** Whether a server is off: by a user, or by the platform's maintenance (document 2, 1.1). Its last readings are of before. */
export const isOff = (server: Row): boolean => ['offline', 'stopped'].includes(statusOf(server));

const withoutLast = memoize<LoadDay, LoadDay>((day) => ({ ...day, last: undefined }));

/** The past day of one load of a server; without the newest reading where it is off, as that is not of now. */
export function loadOf(server: Row, load: Load, day: Day | undefined): LoadDay | undefined {
  const own = day?.[load];
  return own && isOff(server) ? withoutLast(own) : own;
}

/** The newest CPU reading of a server, in percent of all its CPUs: 100 is all that it has. */
export function cpuShare(server: Row, view: CacheView): number | undefined {
  const last = loadOf(server, 'cpu', view.day(String(server.id)))?.last;
  return last === undefined ? undefined : last / cpusOf(server);
}

/** The CPU of the past day by the half hour, in percent of all its CPUs. */
export function cpuCurve(server: Row, view: CacheView): readonly number[] | undefined {
  const day = view.day(String(server.id));
  return day && Array.from(day.cpu.buckets, (percent) => percent / cpusOf(server));
}

/** The share of the month's transfer quota that is used, in percent, from the answer of `transfer`. */
export const transferShare = ({ used, quota }: Row): number | undefined =>
  typeof used === 'number' && typeof quota === 'number' && quota > 0 ? (used / (quota * 2 ** 30)) * 100 : undefined;

/** A half hour in milliseconds. */
export const bucketMs = 30 * 60_000;

/** Half hours of a day. */
export const dayBuckets = 48;
/** Five minutes of a day. */
export const fineBuckets = 288;
/** A day in milliseconds. */
export const dayMs = dayBuckets * bucketMs;
const usageMs = 4 * bucketMs;

/** The end of the half hour that a time lies in; all in ms since the epoch. */
export const bucketEnd = (time: number): number => Math.ceil(time / bucketMs) * bucketMs;

/** The kept statistics of a server. */
export interface LoadSummary {
  day: Day;
  /** Means over the last two hours. */
  usage: Readonly<Partial<Record<Load, number>>>;
}

/**
 * Sums up a statistics body; undefined where it has no readings.
 * @param now ms since the epoch; readings may be later, because the clocks of both sides differ
 */
export function summaryOf(body: unknown, now: number): LoadSummary | undefined {
  const readings = loads.map((load) => ({
    load,
    points: loadPoints(body, load).filter(([at]) => Math.abs(at) < lastTime),
  }));
  const newest = Math.max(...readings.map(({ points }) => points.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return undefined;
  const until = bucketEnd(newest);
  const usageFrom = Math.max(newest, now) - usageMs;
  const days = readings.map(({ load, points }) => [load, dayOf(points, until)]);
  const means = readings.map(({ load, points }) => [load, meanOf(valuesAfter(usageFrom, points))]);
  return { day: { until, ...Object.fromEntries(days) }, usage: Object.fromEntries(means) };
}

function valuesAfter(from: number, points: readonly Point[]): readonly number[] {
  const values: number[] = [];
  for (const point of points) if (point[0] > from) values.push(point[1]);
  return values;
}

function dayOf(points: readonly Point[], until: number): LoadDay {
  const values = valuesAfter(until - dayMs, points);
  const max = values.reduce<number | undefined>((most, value) => Math.max(most ?? value, value), undefined);
  return {
    buckets: bucketsOf(points, until, dayBuckets),
    fine: bucketsOf(points, until, fineBuckets),
    last: values.at(-1),
    mean: meanOf(values),
    max,
  };
}

function bucketsOf(points: readonly Point[], until: number, count: number): Float32Array {
  const sums = new Float64Array(count);
  const counts = new Uint32Array(count);
  for (const point of points) {
    // A reading is the mean of the minutes before its time.
    const index = Math.ceil(((point[0] - until + dayMs) / dayMs) * count) - 1;
    if (index < 0 || index >= count) continue;
    sums[index] = (sums[index] ?? 0) + point[1];
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return Float32Array.from(sums, (sum, index) => finite(Math.fround(sum / (counts[index] ?? 0))) ?? Number.NaN);
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const meanOf = (values: readonly number[]): number | undefined =>
  finite(values.reduce((sum, value) => sum + value, 0) / values.length);

/** The spread of many servers' values. */
export interface Spread {
  median: number;
  p95: number;
}

/** Median and 95th percentile, both by nearest rank, of what is known; undefined where nothing is. */
export function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const sorted = values
    .flatMap((value) => (value !== undefined && Number.isFinite(value) ? [value] : []))
    .sort((one, other) => one - other);
  const [median, p95] = [nearestRank(sorted, 0.5), nearestRank(sorted, 0.95)];
  return median === undefined || p95 === undefined ? undefined : { median, p95 };
}

/** A server that never did more than this for a day is idle: percent of all its CPUs, and bits a second, both ways. */
const idleMost = { cpu: 10, network: 1e6 };
/** A day is known where nearly all of its half hours have a reading. */
const knownBuckets = dayBuckets - 4;

/** Tells by the past day whether a server is idle, and how that was measured; undefined where a whole day is not known. */
export function idleOf(
  server: Row,
  view: CacheView,
): { isIdle: boolean; since: number | undefined; says: string } | undefined {
  const day = view.day(String(server.id));
  const parts = [day?.cpu, day?.networkIn, day?.networkOut];
  const isKnown = (load: LoadDay | undefined) =>
    load !== undefined && load.buckets.filter((mean) => !Number.isNaN(mean)).length >= knownBuckets;
  if (!day || !parts.every(isKnown)) return undefined;
  const cpu = (day.cpu.max ?? 0) / cpusOf(server);
  const network = (day.networkIn.max ?? 0) + (day.networkOut.max ?? 0);
  const isIdle = cpu <= idleMost.cpu && network <= idleMost.network;
  const until = new Date(Math.min(day.until, view.now)).toISOString().slice(11, 16);
  const says = `at most ${quantity(cpu, '%')} CPU, ${quantity(network, 'bit/s')}: means of 5 min, 24 h until ${until} UTC`;
  return { isIdle, since: isIdle ? day.until - dayMs : undefined, says };
}
