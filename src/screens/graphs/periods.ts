import type { GraphWindow } from '../../components/graphData.ts';
import { day } from '../../text/times.ts';
import { compareMonths, type Month, monthName, monthStart, stepMonth } from './months.ts';

/** Statistics cover the last 24 hours, or a month. */
export type Period = 'day' | Month;

/** The previous month; for the last 24 hours the current month. */
export const earlierPeriod = (period: Period, current: Month): Period =>
  period === 'day' ? current : stepMonth(period, -1);

/** The next month, or the last 24 hours after the current month; undefined after those. */
export function laterPeriod(period: Period, current: Month): Period | undefined {
  if (period === 'day') return undefined;
  return compareMonths(period, current) < 0 ? stepMonth(period, 1) : 'day';
}

/** The title of a period; the current month covers the last 30 days (document 2, 4.1). */
export function periodName(period: Period, current: Month): string {
  if (period === 'day') return 'Last 24 hours';
  return compareMonths(period, current) === 0 ? 'Last 30 days' : monthName(period);
}

/** Whether a period has ended, so that its statistics no longer change. */
export const isOver = (period: Period, current: Month): boolean =>
  period !== 'day' && compareMonths(period, current) < 0;

/**
 * The time range of a period.
 * @param until the end of a period that has not ended, in milliseconds since the epoch
 */
export function periodWindow(period: Period, current: Month, until: number): GraphWindow {
  if (period === 'day') return { from: until - day, to: until };
  if (!isOver(period, current)) return { from: until - 30 * day, to: until };
  return { from: monthStart(period), to: monthStart(stepMonth(period, 1)) };
}
