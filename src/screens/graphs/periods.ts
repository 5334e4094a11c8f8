import type { GraphWindow } from '../../components/graphData.ts';
import { hasMonths, monthOperation, type Point, type SeriesGroup } from '../../resources/compute/statistics.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { type Query, viewQuery } from '../../store/queries.ts';
import { day, hour, timeOf } from '../../text/times.ts';

/** The periods that end now, the shortest first. */
const spans = ['1h', '6h', '24h', '7d', '30d'] as const;
type Span = (typeof spans)[number];

/** Statistics cover a span that ends now, or a month that is over. */
export type Period = Span | Month;

/** The length of a span in milliseconds, and its name. */
const spanParts: Readonly<Record<Span, readonly [length: number, name: string]>> = {
  '1h': [hour, 'Last hour'],
  '6h': [6 * hour, 'Last 6 hours'],
  '24h': [day, 'Last 24 hours'],
  '7d': [7 * day, 'Last 7 days'],
  '30d': [30 * day, 'Last 30 days'],
};

/** Whether the statistics of the last 24 hours hold a period, rather than those of a month. */
export const isWithinDay = (period: Period): boolean => period === '1h' || period === '6h' || period === '24h';

/** The period of a month; of the current one the API answers the last 30 days (document 2, 4.1). */
export const periodOf = (month: Month, current: Month): Period => (compareMonths(month, current) < 0 ? month : '30d');

/** The previous month; for what ends now the last 30 days, and the month before after those. */
export const earlierPeriod = (period: Period, current: Month): Period =>
  typeof period !== 'string' ? stepMonth(period, -1) : period === '30d' ? stepMonth(current, -1) : '30d';

/** The next month, the last 30 days after the one before the current, then the last 24 hours; undefined after those. */
export const laterPeriod = (period: Period, current: Month): Period | undefined =>
  typeof period !== 'string' ? periodOf(stepMonth(period, 1), current) : isWithinDay(period) ? undefined : '24h';

/** The next shorter or longer span; from a month the last 7 or 30 days; undefined where there is none. */
export function spanBeside(period: Period, by: 1 | -1): Span | undefined {
  if (typeof period !== 'string') return by < 0 ? '7d' : '30d';
  return spans[spans.indexOf(period) + by];
}

/** The title of a period. */
export const periodName = (period: Period): string =>
  typeof period === 'string' ? spanParts[period][1] : monthName(period);

/**
 * The time range of a period.
 * @param until the end of a period that has not ended, in milliseconds since the epoch
 */
export function periodWindow(period: Period, until: number): GraphWindow {
  if (typeof period === 'string') return { from: until - spanParts[period][0], to: until };
  return { from: monthStart(period), to: monthStart(stepMonth(period, 1)) };
}

/** A calendar month in UTC; `month` counts from 1. */
export interface Month {
  year: number;
  month: number;
}

/** The years that an operation accepts, inclusive. */
export interface YearRange {
  min: number;
  max: number;
}

/** The month of a time in milliseconds since the epoch. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

const indexOf = ({ year, month }: Month) => year * 12 + month - 1;

/** The month that is `by` months later, or earlier where it is negative. */
export function stepMonth(from: Month, by: number): Month {
  const index = indexOf(from) + by;
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
}

/** Compares months for sorting, the earlier first; the difference is in months. */
export const compareMonths = (one: Month, other: Month): number => indexOf(one) - indexOf(other);

/** Every month from the newest back to the oldest. */
export const monthsBack = (newest: Month, oldest: Month): readonly Month[] =>
  Array.from({ length: Math.max(0, compareMonths(newest, oldest) + 1) }, (_, index) => stepMonth(newest, -index));

/** The start of a month, in milliseconds since the epoch. */
export const monthStart = ({ year, month }: Month): number => Date.UTC(year, month - 1);

/** A month as it is typed: `2026-03`. */
export const monthText = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, '0')}`;

const names = 'January February March April May June July August September October November December'.split(' ');

/** A month in words: `March 2026`. */
export const monthName = ({ year, month }: Month): string => `${names[month - 1]} ${year}`;

/**
 * The month that was typed, or a sentence about the mistake in it.
 * @param newest the current month, the last that is accepted
 * @param years the years that are accepted; any of four digits by default
 */
export function typedMonth(text: string, newest: Month, years?: YearRange): { month: Month } | { error: string } {
  const [, year, month] = /^\s*([1-9]\d{3})\s*[-/. ]\s*(\d{1,2})\s*$/.exec(text) ?? [];
  if (year === undefined || month === undefined)
    return { error: `Year and month must be typed as in ${monthText(newest)}.` };
  const typed = { year: Number(year), month: Number(month) };
  if (typed.month < 1 || typed.month > 12) return { error: `Month must be 1–12; it is ${typed.month}.` };
  if (years && (typed.year < years.min || typed.year > years.max))
    return { error: `Year must be ${years.min}–${years.max}; it is ${typed.year}.` };
  if (compareMonths(typed, newest) > 0)
    return { error: `Month must not be in the future; the newest is ${monthText(newest)}.` };
  return { month: typed };
}

/** Statistics to read, and whether they change no more, so that they are read once. */
export interface Reading {
  query: Query;
  isFinal: boolean;
}

/** The reading of a month; of the current one it is the last 30 days (document 2, 4.1). */
export function monthReading({ name }: Resource, params: Params, month: Month, current: Month): Reading {
  const named = { ...params, year: String(month.year), month: String(month.month) };
  const query = { resource: name, operation: monthOperation, params: named };
  return { query, isFinal: compareMonths(month, current) < 0 };
}

/** The reading that a period of one row begins with. */
export function readingOf(resource: Resource, params: Params, period: Period, current: Month): Reading {
  if (hasMonths(resource) && !isWithinDay(period))
    return monthReading(resource, params, typeof period === 'string' ? current : period, current);
  const query = resource.operations?.stats
    ? { resource: resource.name, operation: 'stats', params }
    : viewQuery(resource, params);
  return { query, isFinal: false };
}

/** Whether the answer of the current month begins so late that days of the period lie in the month before. */
export function needsMonthBefore(groups: readonly SeriesGroup[], created: unknown, from: number): boolean {
  const first = groups
    .flatMap(({ series }) => series.map(({ points }) => points[0]?.[0] ?? Number.POSITIVE_INFINITY))
    .reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const began = timeOf(created);
  return first > (began > from ? began : from) + day;
}

/** Readings of the month before, then those that follow them, series by series. */
export const joined = (
  earlier: readonly SeriesGroup[],
  later: readonly SeriesGroup[],
  current: Month,
): readonly SeriesGroup[] => {
  const end = monthStart(current);
  return (later.length > 0 ? later : earlier).map((group, place) => ({
    ...group,
    series: group.series.map((one, index) => {
      const own = later[place]?.series[index]?.points ?? [];
      const from = Math.min(own[0]?.[0] ?? end, end);
      const before = (earlier[place]?.series[index]?.points ?? []).filter(([time]) => time < from);
      return { ...one, points: [...before, ...own] };
    }),
  }));
};

/** The groups with the readings of a time range alone. */
export function within(groups: readonly SeriesGroup[], from: number, to: number): readonly SeriesGroup[] {
  const isInside = ([time]: Point) => time >= from && time <= to;
  return groups.map((group) => ({
    ...group,
    series: group.series.map((one) =>
      one.points.every(isInside) ? one : { ...one, points: one.points.filter(isInside) },
    ),
  }));
}
