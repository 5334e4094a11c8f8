import type { GraphWindow } from '../../components/graphData.ts';
import { day, hour } from '../../text/times.ts';
import { compareMonths, type Month, monthName, monthStart, stepMonth } from './months.ts';

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
export function earlierPeriod(period: Period, current: Month): Period {
  if (typeof period !== 'string') return stepMonth(period, -1);
  return period === '30d' ? stepMonth(current, -1) : '30d';
}

/** The next month, the last 30 days after the one before the current, then the last 24 hours; undefined after those. */
export function laterPeriod(period: Period, current: Month): Period | undefined {
  if (typeof period !== 'string') return periodOf(stepMonth(period, 1), current);
  return isWithinDay(period) ? undefined : '24h';
}

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
