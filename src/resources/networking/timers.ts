import { counted } from '../../text/words.ts';
import type { Field, Row } from '../resource.ts';

const hour = 3600;
const day = 24 * hour;

const spansOf = (unit: number, noun: string, counts: readonly number[]) =>
  counts.map((count) => ({ seconds: count * unit, words: counted(count, noun) }));

/** The values that a timer takes, in seconds, with what they are (document 3, 2.1 and 2.2). */
const spans = [
  ...spansOf(60, 'minute', [5]),
  ...spansOf(hour, 'hour', [1, 2, 4, 8, 16]),
  ...spansOf(day, 'day', [1, 2, 4]),
  ...spansOf(7 * day, 'week', [1, 2, 4]),
];

/** The seconds that 0 means in each timer of a domain (document 3, 2.1). */
export const timerDefaults = {
  expire_sec: 14 * day,
  refresh_sec: 4 * hour,
  retry_sec: 4 * hour,
  ttl_sec: day,
} as const;

/** A timer of a domain. */
export type TimerName = keyof typeof timerDefaults;

/** The value that a timer takes for other seconds: those of domains the next one, those of records the nearest (document 3, 2.1 and 2.2). */
export function fittingTimer(seconds: number, way: 'up' | 'nearest'): number {
  const { seconds: next } = spans.find((span) => span.seconds >= seconds) ?? { seconds: 28 * day };
  const { seconds: last } = spans.findLast((span) => span.seconds < seconds) ?? { seconds: next };
  return way === 'nearest' && seconds - last < next - seconds ? last : next;
}

/**
 * A timer as a choice of the values that it takes.
 * @param zero what 0 means
 * @param way in which the API rounds other values
 */
export const timerField = (label: string, zero: string, help: string, way: 'up' | 'nearest' = 'nearest'): Field => ({
  label,
  kind: 'choice',
  numeric: 'seconds',
  rounds: (seconds) => fittingTimer(seconds, way),
  options: ['0', ...spans.map(({ seconds }) => String(seconds))],
  optionHelp: { 0: zero, ...Object.fromEntries(spans.map(({ seconds, words }) => [seconds, words])) },
  fallback: '0',
  help,
  section: 'Timers',
});

/** A timer of a domain; 0 says what its default is. */
export const domainTimer = (name: TimerName, label: string, help: string): Field =>
  timerField(label, `the default, ${spans.find((span) => span.seconds === timerDefaults[name])?.words}`, help, 'up');

/** The timers of a domain that are 0 and so at their default, in words. */
export const timersAtDefault = (domain: Row): readonly string[] =>
  Object.keys(timerDefaults)
    .filter((name) => domain[name] === 0)
    .map((name) => name.replace('_sec', '').replace('ttl', 'TTL'));
