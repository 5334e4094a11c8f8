import { grouped, prefixes, prefixOf, unitText } from '../text/numbers.ts';
import { day, hour, minute, type Timestamp } from '../text/times.ts';

/** A vertical axis: its ends and the values that are labelled, ascending. */
type Scale = ReturnType<typeof niceScale>;

/** The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * An axis with round ticks that holds all values between `least` and `most`; zero is always on it.
 * @param count how many steps there may be, at most
 */
export function niceScale(least: number, most: number, count: number) {
  const bottom = Math.min(0, least);
  const top = Math.max(0, most);
  if (top - bottom < 1e-9) return { low: 0, high: 1, ticks: [0, 1] };
  let step = niceStep((top - bottom) / Math.max(1, count));
  while (stepsBetween(bottom, top, step) > Math.max(1, count) && bottom === 0) step = niceStep(step * 1.01);
  const first = Math.floor(bottom / step + 1e-9);
  const last = Math.ceil(top / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  // Where the last step would be mostly empty, the axis ends half way through it, without a tick there.
  const half = (last - 0.5) * step;
  if (ticks.length > 2 && top > 0 && top <= half && top / (last * step) < 0.8)
    return { low: first * step, high: half, ticks: ticks.slice(0, -1) };
  return { low: first * step, high: last * step, ticks };
}

const stepsBetween = (bottom: number, top: number, step: number) =>
  Math.ceil(top / step - 1e-9) - Math.floor(bottom / step + 1e-9);

/** The labels of an axis's ticks, all with the same prefix and as many decimals: `0`, `0.5 M`, `1.0 M`. */
export function tickLabels({ low, high, ticks }: Scale, unit: string): readonly string[] {
  const index = prefixOf(Math.max(Math.abs(low), Math.abs(high)), unit);
  const factor = 1000 ** index;
  const step = ((ticks[1] ?? high) - (ticks[0] ?? low)) / factor;
  // A rounded label would tell another value than that of its line.
  const decimals = [0, 1, 2, 3, 4, 5].find((some) => Math.abs(step - Number(step.toFixed(some))) < step * 1e-6) ?? 6;
  const suffix = unitText(unit === '%' ? unit : '', prefixes[index]);
  return ticks.map((tick) =>
    Math.abs(tick) < 1e-12 ? (unit === '%' ? '0%' : '0') : `${grouped((tick / factor).toFixed(decimals))}${suffix}`,
  );
}

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
];
const daySteps = [1, 2, 5, 10];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

interface TimeTick {
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
    label: at % day === 0 ? dayLabel(at) : new Date(at).toISOString().slice(11, 16),
  }));
}

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
