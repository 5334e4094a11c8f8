import type { GraphWindow } from '../../components/graphData.ts';
import { day } from '../../text/times.ts';
import { compareMonths, type Month, monthName, monthStart, stepMonth } from './months.ts';

/** Statistics are asked for the past 24 hours, or for a month. */
export type Period = 'day' | Month;

/** The period before: the month before, and the current month before the past 24 hours. */
export const earlierPeriod = (period: Period, current: Month): Period =>
  period === 'day' ? current : stepMonth(period, -1);

/** The period after; undefined where there is none. */
export function laterPeriod(period: Period, current: Month): Period | undefined {
  if (period === 'day') return undefined;
  return compareMonths(period, current) < 0 ? stepMonth(period, 1) : 'day';
}

/** The period in words; the current month holds the past 30 days (document 2, 4.1). */
export function periodName(period: Period, current: Month): string {
  if (period === 'day') return 'Last 24 hours';
  return compareMonths(period, current) === 0 ? 'Last 30 days' : monthName(period);
}

/** Whether the statistics of a period can still change. */
export const isOver = (period: Period, current: Month): boolean =>
  period !== 'day' && compareMonths(period, current) < 0;

/**
 * The part of time that a period covers.
 * @param until the end of periods that are not over, in milliseconds since the epoch
 */
export function periodWindow(period: Period, current: Month, until: number): GraphWindow {
  if (period === 'day') return { from: until - day, to: until };
  if (!isOver(period, current)) return { from: until - 30 * day, to: until };
  return { from: monthStart(period), to: monthStart(stepMonth(period, 1)) };
}
