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

/** The graphs of a server's statistics, their period, and the keys that change both. */
export function useServerGraphs({ resource, params, row, width, height }: CustomProps) {
  const stores = useStores();
  const current = monthOf(stores.now());
  const [period, setPeriod] = useState<Period>('day');
  const answer = useFinalAnswer(statsQuery({ resource, params }, period), isOver(period, current));
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
  const title = before.text ? `${name}, ${before.text}` : name;
  const isStale = answer?.error !== undefined && answer.body !== undefined;
  return { board, text: emptyText(answer, own, period, name), input, title, isStale };
}

/** The statistics of the months that a period is compared with, each read once, and words for the title. */
function useMonthsBefore(
  server: Pick<CustomProps, 'resource' | 'params'>,
  [first, second]: readonly Month[],
): { months: readonly MonthGroups[]; text: string } {
  const answers = [
    useFinalAnswer(first && statsQuery(server, first), true),
    useFinalAnswer(second && statsQuery(server, second), true),
  ];
  const [body, further] = answers.map((answer) => answer?.body);
  const key = [first, second].map((month) => month && monthText(month)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the months
  const months = useMemo(
    () =>
      [first, second].flatMap((month, index): readonly MonthGroups[] => {
        const read = index === 0 ? body : further;
        return month && read !== undefined ? [{ month, groups: statisticsOf(read) }] : [];
      }),
    [key, body, further],
  );
  return { months, text: first ? besideWords(answers[0], months, first) : '' };
}

/** Words for the title about the months before. */
function besideWords(answer: Answer | undefined, months: readonly MonthGroups[], first: Month): string {
  if (months.some(({ groups }) => hasPoints(groups))) return 'the month before dashed';
  const { error, body } = answer ?? {};
  if (error && !isWithoutReadings(error)) return error.message;
  return error || body !== undefined ? `no statistics of ${monthName(first)}` : `reading ${monthName(first)} …`;
}

/** The state of the month input while it is open. */
function useMonthInput(newest: Month, accept: (month: Month) => void) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const input = open ? { text, setText, newest, accept, close: () => setOpen(false) } : undefined;
  return { input, ask: () => setOpen(true) };
}

const statsQuery = ({ resource, params }: Pick<CustomProps, 'resource' | 'params'>, period: Period): Query =>
  period === 'day'
    ? { resource: resource.name, operation: 'stats', params }
    : {
        resource: resource.name,
        operation: 'statsMonth',
        params: { ...params, year: String(period.year), month: String(period.month) },
      };

/** A sentence in place of the graphs. */
function emptyText(
  answer: Answer | undefined,
  groups: readonly SeriesGroup[],
  period: Period,
  title: string,
): string | undefined {
  if (hasPoints(groups)) return undefined;
  const { error, body } = answer ?? {};
  if (body === undefined && !error) return 'Reading statistics …';
  if (error && !isWithoutReadings(error)) return `${error.message} r tries again.`;
  if (period !== 'day') return `This server has no statistics for this period: ${title}.`;
  return 'No statistics yet. The first readings of a server come some minutes after its first boot.';
}
