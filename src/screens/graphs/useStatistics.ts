import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Point, SeriesGroup, Statistics } from '../../resources/compute/statistics.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { type Answer, queryKey } from '../../store/cache.ts';
import { isWithoutReadings } from '../../store/fleet.ts';
import type { Urgency } from '../../store/paces.ts';
import { durationText } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { failureText } from '../freshness.ts';
import { useQueries, useSame, useStores } from '../useStores.ts';
import {
  isWithinDay,
  joined,
  type Month,
  monthName,
  monthOf,
  monthReading,
  monthStart,
  monthText,
  needsMonthBefore,
  type Period,
  periodName,
  periodWindow,
  type Reading,
  readingOf,
  stepMonth,
  within,
} from './periods.ts';
import { hasPoints, newestTime } from './useGraphBoard.ts';

/** The statistics of a row over a period. */
export type Drawn = ReturnType<typeof useStatistics>['members'][number];

interface Asked {
  period: Period;
  isBeside: boolean;
  /** The graphs of one row, or the loads of which several have one each. */
  kind: 'graphs' | 'loads';
  urgency: Urgency;
}

/** The statistics of rows over a period, with those of the month before beside them where they are asked for. */
export function useStatistics(resource: Resource, subjects: readonly { params: Params; row: Row }[], asked: Asked) {
  const { now } = useStores();
  const { period, kind, urgency } = asked;
  const current = monthOf(now());
  const groupsOf = useGroups(resource.statistics?.[kind] ?? noGraphs);
  const answers = useReadings(
    subjects.map(({ params }) => readingOf(resource, params, period, current)),
    urgency,
  );
  const own = answers.map((answer, index) => groupsOf(answer?.body, subjects[index]?.row));
  const loadedAt = Math.max(...answers.map((answer) => answer?.loadedAt ?? 0));
  const window = periodWindow(period, newestTime(own.flat(), loadedAt > 0 ? loadedAt : now()));

  // Only an API whose current month does not reach back far enough is asked for the month before as well.
  const isShort = (index: number) =>
    (period === '7d' || period === '30d') &&
    isKnown(answers[index]) &&
    needsMonthBefore(own[index] ?? [], subjects[index]?.row.created, window.from);
  const compared = asked.isBeside ? monthsBefore(period, current) : [];
  const [before] = monthsBefore('30d', current);
  const further = subjects.flatMap(({ params }, index) => {
    const months = isShort(index) && before && compared.length === 0 ? [before] : compared;
    return months.map((month) => ({ index, month, reading: monthReading(resource, params, month, current) }));
  });
  const furtherAnswers = useReadings(
    further.map(({ reading }) => reading),
    urgency,
  );
  const monthsOf = (index: number): readonly MonthGroups[] =>
    further.flatMap((one, place) => {
      const body = furtherAnswers[place]?.body;
      if (one.index !== index || body === undefined) return [];
      return [{ month: one.month, groups: groupsOf(body, subjects[index]?.row) }];
    });

  const inputs = useSame([...own, ...furtherAnswers.map((answer) => answer?.body)]);
  const key = JSON.stringify([window, compared]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups, answers and the key say all
  const drawn = useMemo(
    () =>
      subjects.map((_, index) => {
        const months = monthsOf(index);
        const earlier = isShort(index)
          ? (months.find(({ month }) => before && monthText(month) === monthText(before))?.groups ?? [])
          : [];
        const whole = earlier.length > 0 ? joined(earlier, own[index] ?? [], current) : (own[index] ?? []);
        return within(compared.length > 0 ? withMonthsBefore(whole, months) : whole, window.from, window.to);
      }),
    [inputs, key],
  );
  const members = drawn.map((groups, index) => {
    const { error, body } = answers[index] ?? {};
    const says = hasPoints(groups) ? undefined : emptyText(resource, answers[index], period, subjects.length);
    const isFailed = error !== undefined && !isWithoutReadings(error);
    const trouble = isFailed ? (body === undefined ? error.message : 'stale: the last reading failed') : '';
    return {
      groups,
      /** A sentence where there are none. */
      says,
      /** They are read, or cannot be. */
      isKnown: error !== undefined || body !== undefined,
      /** That the last reading failed, so that the graphs are older or not there; empty where it did not. */
      trouble,
    };
  });
  const beside = compared[0]
    ? besideWords(
        furtherAnswers,
        further.some((_, index) => hasPoints(monthsOf(index).flatMap(({ groups }) => groups))),
        compared[0],
      )
    : '';
  return {
    members,
    window,
    title: [periodName(period), beside, coarseWords(drawn, window)].filter(Boolean).join(', '),
  };
}

const noGraphs: Statistics['graphs'] = () => [];

/** Whether a reading has ended, with statistics or because there are none. */
const isKnown = (answer: Answer | undefined) =>
  answer !== undefined &&
  (answer.body !== undefined || (answer.error !== undefined && isWithoutReadings(answer.error)));

/** The groups of a body and its row, worked out once. */
function useGroups(graphs: Statistics['graphs']) {
  const ofBody = useMemo(
    () => memoize((body: object) => memoizeOne((row: Row | undefined) => graphs(body, row ?? {}))),
    [graphs],
  );
  return (body: unknown, row: Row | undefined): readonly SeriesGroup[] =>
    body === null || typeof body !== 'object' ? noGroups : ofBody(body)(row);
}

const noGroups: readonly SeriesGroup[] = [];

/** Words for the title about the months before. */
function besideWords(answers: readonly (Answer | undefined)[], isThere: boolean, month: Month): string {
  if (isThere) return 'the month before dashed';
  if (answers.some((answer) => answer?.body === undefined && !answer?.error)) return `reading ${monthName(month)} …`;
  const failures = answers.flatMap((answer) => answer?.error ?? []);
  return failures.find((error) => !isWithoutReadings(error))?.message ?? `no statistics of ${monthName(month)}`;
}

/** Fewer readings than this in a period are told with their distance. */
const fewReadings = 8;

/** Says how far apart the readings are where they are few for the period. */
function coarseWords(drawn: readonly (readonly SeriesGroup[])[], { from, to }: { from: number; to: number }): string {
  const counts = drawn.flat().flatMap(({ series }) => series.map(({ points }) => points));
  const [points] = counts.toSorted((one, other) => other.length - one.length);
  const [first, second] = points ?? [];
  if (!points || !first || !second || points.length >= fewReadings) return '';
  const apart = (Number(points.at(-1)?.[0]) - first[0]) / (points.length - 1);
  return apart * fewReadings > to - from ? `one reading every ${durationText(Math.round(apart / 1000))}` : '';
}

/** A sentence in place of the graphs of one of so many rows. */
function emptyText(resource: Resource, answer: Answer | undefined, period: Period, count: number): string {
  const { error, body } = answer ?? {};
  if (body === undefined && !error) return 'Reading statistics …';
  if (error && !isWithoutReadings(error)) return failureText(error);
  const these = count > 1 ? `These ${counted(count, resource.one)} have` : `This ${resource.one} has`;
  if (period !== '24h') return `${these} no statistics for this period: ${periodName(period)}.`;
  return resource.statistics?.none(body) ?? '';
}

/** The answers of readings, kept fresh while the component is mounted; final ones are read once. */
export function useReadings(readings: readonly Reading[], urgency: Urgency): readonly (Answer | undefined)[] {
  const { cache } = useStores();
  const keys = readings.map(({ query }) => queryKey(query));
  const answers = useStore(
    cache,
    useShallow(({ answers }) => keys.map((key) => answers[key])),
  );
  const isDue = ({ isFinal }: Reading, index: number) => !isFinal || answers[index]?.body === undefined;
  const isComplete = !readings.some(isDue);
  // Each subscription waits a moment, so it changes with the first and the last answer alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the readings
  const due = useMemo(() => readings.filter(isDue).map(({ query }) => query), [keys.join(' '), isComplete]);
  useQueries(due, urgency);
  return answers;
}

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
interface MonthGroups {
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
