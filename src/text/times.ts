import { grouped, rounded } from './numbers.ts';
import { counted } from './words.ts';

/** Milliseconds since the epoch. */
export type Timestamp = number;

/** Lengths of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The last time of a `Date`. */
export const lastTime: Timestamp = 8.64e15;

/** Whether a value is a time that can be written: a broken answer may hold any number. */
export const isTime = (value: unknown): value is Timestamp => typeof value === 'number' && Math.abs(value) <= lastTime;

/** The milliseconds since a time; one that is yet to come is of before the clock was set back, who knows how long ago. */
export const msSince = (time: number, now: number) => (time > now ? Number.POSITIVE_INFINITY : now - time);

const timestamp = /^\d{4}-\d\d-\d\d(?:([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** The time of an ISO 8601 text of the API, UTC where it names no zone, or of a number; NaN when it is neither. */
export function timeOf(value: unknown): Timestamp {
  if (typeof value === 'number') return isTime(value) ? value : Number.NaN;
  const parts = typeof value === 'string' && value.length < 40 ? timestamp.exec(value) : null;
  if (!parts) return Number.NaN;
  const [text, clock, zone] = parts;
  return Date.parse(clock && !zone ? `${text}Z` : text);
}

const maxTimerMs = 2 ** 31 - 1;

/**
 * Bounds a wait in milliseconds to what a timer takes: Node warns of a negative one, and one that is too long, or no
 * number, would be over at once.
 */
export const timerDelay = (wait: number): number =>
  Number.isNaN(wait) ? maxTimerMs : Math.min(maxTimerMs, Math.max(0, wait));

/** A time as the API writes it, in UTC to the millisecond; undefined where it cannot be written. */
export const isoText = (time: unknown): string | undefined => (isTime(time) ? new Date(time).toISOString() : undefined);

/** A time in UTC to the minute: `2026-05-13 14:05`. */
export const dateText = (time: Timestamp): string => new Date(time).toISOString().slice(0, -8).replace('T', ' ');

/** The day of a time in UTC: `2026-05-13`. */
export const dayText = (time: Timestamp): string => new Date(time).toISOString().slice(0, -14);

/** The first of those of these times that are known; undefined where none is. */
export function earliest(times: readonly (Timestamp | undefined)[]): Timestamp | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** A local time of day; with 8 characters, to the second. */
export const clockTime = (time: number | undefined, length = 5): string =>
  time === undefined ? '' : new Date(time).toTimeString().slice(0, length);

/**
 * A time as one says it on the same day or soon after, by the clock of this machine: `18:04`, `yesterday 18:04`,
 * `Friday 18:04`, `2026-05-13 18:04`.
 */
export function momentWords(time: Timestamp, now: Timestamp): string {
  const at = new Date(time);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.round((midnight - new Date(time).setHours(0, 0, 0, 0)) / day);
  const clock = clockTime(time);
  if (days === 0) return clock;
  if (days === 1) return `yesterday ${clock}`;
  if (days > 1 && days < 7) return `${weekdays[at.getDay()]} ${clock}`;
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return `${parts.map((part) => String(part).padStart(2, '0')).join('-')} ${clock}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** From so many milliseconds on, an age is told in units of so many. */
const ageUnits = [
  [730 * day, 365.25 * day, 'y'],
  [2 * day, day, 'd'],
  [hour, hour, 'h'],
  [minute, minute, 'min'],
] as const;

/** Writes milliseconds that have passed in one unit: `3 s`, `5 min`, `2 h`, `4 d`, `3 y`; `in 3 h` where it lies ahead. */
export function ageText(milliseconds: number): string {
  const span = Math.abs(milliseconds);
  const [, size, unit] = ageUnits.find(([from]) => span >= from) ?? [0, second, 's'];
  const text = `${Math.floor(span / size)} ${unit}`;
  return milliseconds <= -second ? `in ${text}` : text;
}

/** For so many milliseconds a line with ages in it is kept as it is: seconds and minutes count on in short steps. */
export const ageLifetimeMs = (line: string): number => (/\d (s|min)\b/.test(line) ? 5 * second : minute);

/** A duration in its two largest units: `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. Takes seconds. */
export function durationText(seconds: number): string {
  if (seconds < 0) return `-${durationText(-seconds)}`;
  if (seconds < 60) return `${seconds < 10 ? rounded(seconds, 1) : Math.floor(seconds)} s`;
  const steps: readonly [number, string, number, string][] = [
    [86_400, 'd', 3_600, 'h'],
    [3_600, 'h', 60, 'min'],
  ];
  const [large, largeUnit, small, smallUnit] = steps.find(([size]) => seconds >= size) ?? [60, 'min', 1, 's'];
  const rest = Math.floor((seconds % large) / small);
  return `${grouped(Math.floor(seconds / large))} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`;
}

/** Milliseconds in the largest unit that counts two or more: `5 hours`. */
export function spanWords(span: number): string {
  const units = [
    [day, 'day'],
    [hour, 'hour'],
  ] as const;
  const [unit, noun] = units.find(([unit]) => span >= 2 * unit) ?? [minute, 'minute'];
  return counted(Math.floor(span / unit), noun);
}

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

/** The seconds of a span as it is typed: `3600`, `5m`, `1.5 h`; undefined for any other text. */
export function typedSeconds(typed: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(typed.trim().toLowerCase()) ?? [];
  const factor = unitSeconds[unit];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
