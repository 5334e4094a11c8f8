import { hasMonths, monthOperation, type Point, type SeriesGroup } from '../../resources/compute/statistics.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { type Query, viewQuery } from '../../store/queries.ts';
import { day, timeOf } from '../../text/times.ts';
import { compareMonths, isWithinDay, type Month, monthStart, type Period, stepMonth } from './periods.ts';

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
  if (hasMonths(resource) && !isWithinDay(period)) {
    return monthReading(resource, params, typeof period === 'string' ? current : period, current);
  }
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
  const end = monthStart(stepMonth(current, 0));
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
