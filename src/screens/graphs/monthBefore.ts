import type { Point, SeriesGroup } from '../../resources/compute/statistics.ts';
import { type Month, monthStart, stepMonth } from './months.ts';
import { isWithinDay, type Period } from './periods.ts';

/** The months that a period is compared with: the one before, and for the last days also the one before that. */
export function monthsBefore(period: Period, current: Month): readonly Month[] {
  if (isWithinDay(period)) return [];
  if (typeof period !== 'string') return [stepMonth(period, -1)];
  return [stepMonth(current, -1), stepMonth(current, -2)];
}

/** The readings of a month, moved to the same days of the next month; days that it does not have are left out. */
export function shiftToNextMonth(points: readonly Point[], month: Month): readonly Point[] {
  const [from, end] = [1, 2].map((by) => monthStart(stepMonth(month, by)));
  const distance = Number(from) - monthStart(month);
  return points.flatMap(([time, value]): readonly Point[] => {
    const moved = time + distance;
    return time >= monthStart(month) && moved < Number(end) ? [[moved, value]] : [];
  });
}

/** The statistics of a month, in the same groups as those compared with it. */
export interface MonthGroups {
  month: Month;
  groups: readonly SeriesGroup[];
}

/** The groups with a further series for the months before of each series, unless both are all zeros. */
export function withMonthsBefore(
  groups: readonly SeriesGroup[],
  months: readonly MonthGroups[],
): readonly SeriesGroup[] {
  return groups.map((group, place) => ({
    ...group,
    series: [
      ...group.series,
      ...group.series.flatMap(({ name, points: own }, index) => {
        const points = months
          .flatMap(({ month, groups: before }) => shiftToNextMonth(before[place]?.series[index]?.points ?? [], month))
          .sort(([earlier], [later]) => earlier - later);
        const isShown = points.length > 0 && [...points, ...own].some(([, value]) => value !== 0);
        return isShown ? [{ name: `${name}, month before`, points, comparedWith: index }] : [];
      }),
    ],
  }));
}
