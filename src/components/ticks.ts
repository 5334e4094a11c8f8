import { day, hour, minute, type Timestamp } from '../text/times.ts';

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
];
const daySteps = [1, 2, 5, 10];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** One label of a time axis. */
export interface TimeTick {
  at: Timestamp;
  label: string;
}

/**
 * Round times between two, in UTC: minutes or hours within a day or two, days of the month beyond, then months.
 * @param maxTicks the limit on their number
 */
export function timeTicks(from: Timestamp, to: Timestamp, maxTicks: number): readonly TimeTick[] {
  const most = Math.max(1, maxTicks);
  const step = steps.find((size) => (to - from) / size <= most);
  if (step !== undefined) return regularTicks(from, to, step);
  const days = daySteps.find((size) => (to - from) / (size * day) <= most);
  return days === undefined ? monthTicks(from, to, most) : dayTicks(from, to, days);
}

function regularTicks(from: number, to: number, step: number): readonly TimeTick[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step).map((at) => ({
    at,
    label: clockLabel(at),
  }));
}

/** The time of day, or the date at midnight. */
const clockLabel = (at: number) => (at % day === 0 ? dayLabel(at) : new Date(at).toISOString().slice(11, 16));

function dayLabel(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

function dayTicks(from: number, to: number, step: number): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(from / day) * day; at <= to; at += day) {
    const date = new Date(at).getUTCDate();
    // The days of every month are counted from its first; the last ones before the next first would be too close.
    if ((date - 1) % step === 0 && (step === 1 || date <= 31 - step / 2)) ticks.push({ at, label: dayLabel(at) });
  }
  return ticks;
}

function monthTicks(from: number, to: number, most: number): readonly TimeTick[] {
  const step =
    [1, 2, 3, 6, 12].find((size) => (to - from) / (size * 30 * day) <= most) ??
    12 * Math.ceil((to - from) / (365 * day * most));
  const ticks: TimeTick[] = [];
  const start = new Date(from);
  for (let month = 0; ; month += step) {
    const date = new Date(Date.UTC(start.getUTCFullYear(), Math.ceil(start.getUTCMonth() / step) * step + month));
    if (!(date.getTime() <= to)) return ticks;
    if (date.getTime() >= from)
      ticks.push({ at: date.getTime(), label: `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}` });
  }
}
