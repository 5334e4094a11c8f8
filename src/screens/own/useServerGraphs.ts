import { useMemo, useState } from 'react';
import type { GraphWindow } from '../../components/graphData.ts';
import { type SeriesGroup, statisticsOf } from '../../resources/compute/statistics.ts';
import type { Answer, Question } from '../../store/records.ts';
import { useKeys } from '../keyboard.tsx';
import { useDeck } from '../useDeck.ts';
import { crosshairStride, stepCrosshair, timesOf } from './crosshair.ts';
import type { OwnProps } from './index.ts';
import { type Month, monthOf } from './months.ts';
import { earlierPeriod, isSettled, laterPeriod, type Period, periodName, periodWindow } from './periods.ts';
import { useSettledAnswer } from './useSettledAnswer.ts';

/** How many graphs stand beside and below each other. */
export interface GraphLayout {
  across: number;
  down: number;
}

/** What the graphs show. */
export interface DrawnGraphs {
  groups: readonly SeriesGroup[];
  window: GraphWindow;
  /** Milliseconds since the epoch. */
  crosshair: number | undefined;
  /** The index of the group that the keys are about. */
  focus: number;
}

/** The statistics that are looked at, how they are laid out, and the keys that change both. */
export function useServerGraphs({ resource, params, row, width, height }: OwnProps) {
  const deck = useDeck();
  const current = monthOf(deck.now());
  const [period, setPeriod] = useState<Period>('day');
  const [focus, setFocus] = useState(0);
  const [alone, setAlone] = useState(false);
  const [crosshair, setCrosshair] = useState<number>();

  const answer = useSettledAnswer(questionOf({ resource, params }, period), isSettled(period, current));
  const groups = useMemo(() => statisticsOf(answer?.body, row.alerts), [answer?.body, row.alerts]);
  const window = periodWindow(period, current, newestTime(groups, answer?.loadedAt ?? deck.now()));
  const room = { width: width - 2, height: height - 1 };
  const possible = layoutOf(room.width, room.height, groups.length);
  const layout = alone ? undefined : possible;

  const turn = (next: Period) => {
    setPeriod(next);
    setCrosshair(undefined);
  };
  const { input, ask } = useMonthInput(current, turn);
  const times = timesOf(groups[focus]?.series ?? [], window.from, window.to);
  const columns = Math.floor(room.width / (layout?.across ?? 1)) - axisWidth;
  const stride = crosshairStride(times.length, columns);
  const step = (by: number) =>
    times.length > 0 ? () => setCrosshair(stepCrosshair(times, crosshair, by * stride)) : undefined;
  const later = laterPeriod(period, current);
  useKeys('graphs', {
    left: step(-1),
    right: step(1),
    off: crosshair === undefined ? undefined : () => setCrosshair(undefined),
    next: () => setFocus((focus + 1) % groups.length),
    previous: () => setFocus((focus + groups.length - 1) % groups.length),
    zoom: possible && (() => setAlone(!alone)),
    earlier: () => turn(earlierPeriod(period, current)),
    later: later && (() => turn(later)),
    day: period === 'day' ? undefined : () => turn('day'),
    month: ask,
  });
  const drawn: DrawnGraphs = { groups, window, crosshair, focus };
  const title = periodName(period, current);
  const isStale = answer?.error !== undefined && answer.body !== undefined;
  return { room, layout, drawn, says: sentenceOf(answer, groups, period, title), input, title, isStale };
}

/** The line in which a month is typed, while it is open. */
function useMonthInput(newest: Month, accept: (month: Month) => void) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const input = open ? { text, setText, newest, accept, close: () => setOpen(false) } : undefined;
  return { input, ask: () => setOpen(true) };
}

/** Cells that the labels left of a field of lines take, about. */
const axisWidth = 7;

const questionOf = ({ resource, params }: Pick<OwnProps, 'resource' | 'params'>, period: Period): Question =>
  period === 'day'
    ? { resource: resource.name, operation: 'stats', params }
    : {
        resource: resource.name,
        operation: 'statsMonth',
        params: { ...params, year: String(period.year), month: String(period.month) },
      };

/** The time of the newest reading where that is later than `least`: the clocks of both sides may differ. */
const newestTime = (groups: readonly SeriesGroup[], least: number): number =>
  groups
    .flatMap(({ series }) => series.map(({ points }) => points.at(-1)?.[0] ?? least))
    .reduce((latest, time) => Math.max(latest, time), least);

const narrowest = 56;
const lowest = 10;

/** How all graphs are laid out; undefined where there is room for one only. */
function layoutOf(width: number, height: number, count: number): GraphLayout | undefined {
  for (const across of [2, 1]) {
    const down = Math.ceil(count / across);
    if (Math.floor(width / across) >= narrowest && Math.floor(height / down) >= lowest) return { across, down };
  }
  return undefined;
}

/** What there is to say in place of graphs; the API answers 400 while there are no readings. */
function sentenceOf(
  answer: Answer | undefined,
  groups: readonly SeriesGroup[],
  period: Period,
  title: string,
): string | undefined {
  if (groups.some(({ series }) => series.some(({ points }) => points.length > 0))) return undefined;
  const { error, body } = answer ?? {};
  if (body === undefined && !error) return 'Reading statistics …';
  const isNone = !error || (error.status === 400 && error.errors.some(({ reason }) => /unavailable/i.test(reason)));
  if (!isNone) return `${error.message} r tries again.`;
  if (period !== 'day') return `There are no statistics of this server for these days: ${title}.`;
  return 'No statistics yet. A server has its first readings some minutes after it was booted for the first time.';
}
