import { useMemo, useState } from 'react';
import { type SeriesGroup, statisticsOf } from '../../resources/compute/statistics.ts';
import type { Answer, Query } from '../../store/cache.ts';
import { isWithoutReadings } from '../../store/fleet.ts';
import type { CustomProps } from '../customProps.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores } from '../useStores.ts';
import { type MonthGroups, monthsBefore, withMonthsBefore } from './monthBefore.ts';
import { type Month, monthName, monthOf, monthText } from './months.ts';
import { earlierPeriod, isOver, laterPeriod, type Period, periodName, periodWindow } from './periods.ts';
import { useFinalAnswer } from './useFinalAnswer.ts';
import { hasPoints, newestTime, useGraphBoard } from './useGraphBoard.ts';

/** The statistics that are looked at, how they are laid out, and the keys that change both. */
export function useServerGraphs({ resource, params, row, width, height }: CustomProps) {
  const stores = useStores();
  const current = monthOf(stores.now());
  const [period, setPeriod] = useState<Period>('day');
  const answer = useFinalAnswer(questionOf({ resource, params }, period), isOver(period, current));
  const own = useMemo(() => statisticsOf(answer?.body, row.alerts), [answer?.body, row.alerts]);
  const [isBeside, setBeside] = useState(false);
  const before = useMonthsBefore({ resource, params }, isBeside ? monthsBefore(period, current) : []);
  const groups = useMemo(
    () => (before.months.length > 0 ? withMonthsBefore(own, before.months) : own),
    [own, before.months],
  );
  const window = periodWindow(period, current, newestTime(own, answer?.loadedAt ?? stores.now()));
  const { board, keys, dropCrosshair } = useGraphBoard(groups, window, width, height);

  const turn = (next: Period) => {
    setPeriod(next);
    dropCrosshair();
  };
  const { input, ask } = useMonthInput(current, turn);
  const later = laterPeriod(period, current);
  useKeys('graphs', {
    ...keys,
    earlier: () => turn(earlierPeriod(period, current)),
    later: later && (() => turn(later)),
    day: period === 'day' ? undefined : () => turn('day'),
    month: ask,
    beside: period === 'day' ? undefined : () => setBeside(!isBeside),
  });
  const name = periodName(period, current);
  const title = before.says ? `${name}, ${before.says}` : name;
  const isStale = answer?.error !== undefined && answer.body !== undefined;
  return { board, says: sentenceOf(answer, own, period, name), input, title, isStale };
}

/** The statistics of the months that stand beside those looked at, each read once, and what there is to say of them. */
function useMonthsBefore(
  server: Pick<CustomProps, 'resource' | 'params'>,
  [first, second]: readonly Month[],
): { months: readonly MonthGroups[]; says: string } {
  const answers = [
    useFinalAnswer(first && questionOf(server, first), true),
    useFinalAnswer(second && questionOf(server, second), true),
  ];
  const [body, further] = answers.map((answer) => answer?.body);
  const key = [first, second].map((month) => month && monthText(month)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which months there are
  const months = useMemo(
    () =>
      [first, second].flatMap((month, index): readonly MonthGroups[] => {
        const read = index === 0 ? body : further;
        return month && read !== undefined ? [{ month, groups: statisticsOf(read) }] : [];
      }),
    [key, body, further],
  );
  return { months, says: first ? besideWords(answers[0], months, first) : '' };
}

/** Tells of the months that stand beside the one looked at. */
function besideWords(answer: Answer | undefined, months: readonly MonthGroups[], first: Month): string {
  if (months.some(({ groups }) => hasPoints(groups))) return 'the month before dashed';
  const { error, body } = answer ?? {};
  if (error && !isWithoutReadings(error)) return error.message;
  return error || body !== undefined ? `nothing of ${monthName(first)}` : `reading ${monthName(first)} …`;
}

/** The line in which a month is typed, while it is open. */
function useMonthInput(newest: Month, accept: (month: Month) => void) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const input = open ? { text, setText, newest, accept, close: () => setOpen(false) } : undefined;
  return { input, ask: () => setOpen(true) };
}

const questionOf = ({ resource, params }: Pick<CustomProps, 'resource' | 'params'>, period: Period): Query =>
  period === 'day'
    ? { resource: resource.name, operation: 'stats', params }
    : {
        resource: resource.name,
        operation: 'statsMonth',
        params: { ...params, year: String(period.year), month: String(period.month) },
      };

/** A sentence in place of graphs. */
function sentenceOf(
  answer: Answer | undefined,
  groups: readonly SeriesGroup[],
  period: Period,
  title: string,
): string | undefined {
  if (hasPoints(groups)) return undefined;
  const { error, body } = answer ?? {};
  if (body === undefined && !error) return 'Reading statistics …';
  if (error && !isWithoutReadings(error)) return `${error.message} r tries again.`;
  if (period !== 'day') return `There are no statistics of this server for these days: ${title}.`;
  return 'No statistics yet. A server has its first readings some minutes after it was booted for the first time.';
}
