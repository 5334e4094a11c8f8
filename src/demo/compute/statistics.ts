import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, type FieldError, HttpError, invalid } from '../engine/errors.ts';
import type { Call } from '../engine/handler.ts';
import { noise } from '../engine/random.ts';
import { day, hour, minute, parseTimestamp } from '../engine/time.ts';
import { type Role, roleOf, type Server } from './servers.seed.ts';

type Point = readonly [time: number, reading: number];

/**
 * The statistics of a server (document 2, 2.5): five-minute averages of the past 24 hours or, for a month, averages of
 * two hours each; the current month gives the past 30 days. The same seed gives the same days, and a month and a day the
 * same load.
 * @throws 400 where there are none yet
 */
export function statisticsOf(cloud: Cloud, server: Server, month?: Month): Row {
  const { from, to, step } = month
    ? spanOf(month, cloud.time)
    : { from: cloud.time - day, to: cloud.time, step: 5 * minute };
  const times = timesBetween(Math.max(from, parseTimestamp(server.created)), to, step);
  if (times.length === 0) throw badRequest('Stats are unavailable at this time.');
  const isOff = server.status === 'offline' || server.status === 'stopped';
  const loadAt = loadOf(cloud.options.seed, server, isOff ? parseTimestamp(server.updated) : Number.POSITIVE_INFINITY);
  const offsets = Array.from({ length: Math.max(1, step / sampleStep) }, (_, nth) => nth * sampleStep);
  const samples = times.map((time) => offsets.map((offset) => loadAt(time - offset)));
  const series = (name: keyof Load, part = 1): readonly Point[] =>
    times.map((time, place) => {
      const sum = samples[place]?.reduce((sum, load) => sum + load[name] * part, 0) ?? 0;
      return [time, Math.round((sum / offsets.length) * 100) / 100];
    });
  const none = times.map((time): Point => [time, 0]);
  return {
    title: `${server.label} - ${month ? `${month.year}/${month.month}` : 'day (5 min avg)'}`,
    cpu: series('cpu'),
    io: { io: series('io'), swap: series('swap') },
    netv4: {
      in: series('inward', 0.9),
      out: series('out', 0.9),
      private_in: series('within'),
      private_out: series('within', 0.7),
    },
    netv6: { in: series('inward', 0.1), out: series('out', 0.1), private_in: none, private_out: none },
  };
}

/** An average of two hours is made of readings that lie so far apart. */
const sampleStep = 10 * minute;

function spanOf({ starts, ends }: Month, now: number) {
  const step = 2 * hour;
  return ends > now ? { from: now - 30 * day, to: now, step } : { from: starts, to: ends - 1, step };
}

/** The multiples of a step from one time to another, both included. */
export function timesBetween(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, place) => first + place * step);
}

/** The load of a server at a time: CPU in percent of a core, disk in blocks a second, network in bits a second. */
type Load = Record<'cpu' | 'io' | 'swap' | 'out' | 'inward' | 'within', number>;
const noLoad: Load = { cpu: 0, io: 0, swap: 0, out: 0, inward: 0, within: 0 };

function loadOf(seed: number, server: Server, stopped: number): (time: number) => Load {
  const role = roleOf(server.label);
  const key = seed * 1009 + server.id;
  const [quiet, high] = role.load;
  const wobble = (time: number, salt: number) => 0.8 + 0.4 * smooth(key + salt, time, 10 * minute);
  return (time) => {
    if (time > stopped) return noLoad;
    const busy = busyness(role, key, seed, time);
    const out = role.traffic * 1e6 * (0.08 + busy) * wobble(time, 3);
    return {
      cpu: Math.min(server.specs.vcpus * 100, quiet * wobble(time, 1) + (high - quiet) * busy * wobble(time, 2)),
      io: role.io * (0.1 + busy) * wobble(time, 4) + 12 * burst(key + 5, time),
      swap: burst(key + 6, time) > 0.9 ? role.io * 0.05 * noise(key, time / minute) : 0,
      out,
      inward: out * 0.11 * wobble(time, 7) + 2e5 * burst(key + 8, time),
      within: server.ipv4.length > 1 ? out * 0.6 * wobble(time, 9) : 0,
    };
  };
}

/** From 0 to about 1: the hour, the weekday, bursts, and deployments, which the whole fleet feels at once. */
function busyness({ name }: Role, key: number, seed: number, time: number): number {
  const shift = noise(key, 11) * hour;
  const hours = ((time + shift) % day) / hour;
  if (name === 'batch' || name === 'ci') return jobs(name, key, hours, time);
  const curve = (0.5 - 0.5 * Math.cos(((hours - 4) / 24) * 2 * Math.PI)) ** 1.4;
  const weekday = new Date(time).getUTCDay() % 6 === 0 ? 0.62 : 1;
  return (
    curve * weekday * (0.75 + 0.3 * smooth(key, time, 40 * minute)) + 0.25 * burst(key, time) + deployment(seed, time)
  );
}

/** Batch servers work at night, builds come in bouts by day. */
function jobs(name: string, key: number, hours: number, time: number): number {
  if (name === 'batch') return hours > 1 && hours < 4.5 ? 0.7 + 0.3 * smooth(key, time, 20 * minute) : 0.02;
  const working = hours > 7 && hours < 19 ? 0.5 : 0.06;
  return noise(key, Math.floor(time / (15 * minute))) < working ? 0.4 + 0.6 * smooth(key, time, 5 * minute) : 0.02;
}

/** A quarter of an hour of extra work, once in some hours. */
function burst(key: number, time: number): number {
  const slot = Math.floor(time / (15 * minute));
  return noise(key, slot, 12) < 0.03 ? 0.6 + 0.6 * noise(key, slot, 13) : 0;
}

/** Up to three deployments a working day, ten minutes each. */
function deployment(seed: number, time: number): number {
  const today = Math.floor(time / day);
  if (new Date(time).getUTCDay() % 6 === 0) return 0;
  const at = [0, 1, 2].some((nth) => {
    const starts = today * day + (9 + 8 * noise(seed, today, nth)) * hour;
    return time >= starts && time < starts + 10 * minute;
  });
  return at ? 0.35 : 0;
}

/** Noise from 0 to 1 without jumps: it runs from one random value to the next in each step of time. */
function smooth(key: number, time: number, step: number): number {
  const slot = Math.floor(time / step);
  const part = time / step - slot;
  if (part === 0) return noise(key, slot);
  const ease = part * part * (3 - 2 * part);
  return noise(key, slot) * (1 - ease) + noise(key, slot + 1) * ease;
}

/** A month and when it starts and ends, in milliseconds since the epoch. */
export type Month = ReturnType<typeof monthAsked>;

/**
 * The month that a path names.
 * @param years the first and last year allowed, where there are bounds
 * @throws 400 about year or month, also for a month to come
 */
export function monthAsked({ params }: Call, cloud: Cloud, [first, last]: readonly [number, number] = [0, 9999]) {
  const errors: FieldError[] = [];
  const year = wholeNumber(params.year);
  const month = wholeNumber(params.month);
  if (!(year >= first && year <= last)) errors.push({ field: 'year', reason: `Must be between ${first} and ${last}` });
  if (!(month >= 1 && month <= 12)) errors.push({ field: 'month', reason: 'Must be between 1 and 12' });
  if (errors.length > 0) throw new HttpError(400, errors);
  const starts = Date.UTC(year, month - 1);
  if (starts > cloud.time) throw invalid('month', 'Must not be in the future');
  return { year, month, starts, ends: Date.UTC(year, month) };
}

const wholeNumber = (text = '') => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

/** The transfer of the current month (document 2, 2.5): used in bytes, quota and billable in GB. */
export function transferNow(cloud: Cloud, server: Server): Row {
  const now = new Date(cloud.time);
  const { sent, received } = trafficOf(cloud, server, Date.UTC(now.getUTCFullYear(), now.getUTCMonth()), cloud.time);
  const used = sent + received;
  const quota = server.specs.transfer;
  return { used, quota, billable: Math.max(0, Math.ceil(used / 2 ** 30) - quota) };
}

/** The public transfer of a month, in bytes. */
export function transferOfMonth(cloud: Cloud, server: Server, { starts, ends }: Month): Row {
  const { sent, received } = trafficOf(cloud, server, starts, Math.min(ends, cloud.time));
  return { bytes_in: received, bytes_out: sent, bytes_total: sent + received };
}

/** Adds up the days between two times, the first and last by their part, none before the server was made. */
function trafficOf(cloud: Cloud, server: Server, from: number, to: number): { sent: number; received: number } {
  const { traffic } = roleOf(server.label);
  const begins = Math.max(from, parseTimestamp(server.created));
  let sent = 0;
  for (let today = Math.floor(begins / day); today * day < to; today += 1) {
    const part = Math.min(to, (today + 1) * day) - Math.max(begins, today * day);
    sent += ((traffic * 1e6) / 8) * (0.35 + 0.3 * noise(cloud.options.seed, server.id, today)) * (part / 1000);
  }
  return { sent: Math.round(Math.max(0, sent)), received: Math.round(Math.max(0, sent) * 0.11) };
}
