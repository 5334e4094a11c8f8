import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { wrapCells } from '../../components/cells.ts';
import { Graph } from '../../components/Graph.tsx';
import type { GraphWindow } from '../../components/graphData.ts';
import { Line } from '../../components/Line.tsx';
import { type Theme, useTheme } from '../../components/theme.ts';
import { type SeriesGroup, statisticsOf } from '../../resources/compute/statistics.ts';
import type { Answer, Question } from '../../store/records.ts';
import { useKeys } from '../keyboard.tsx';
import { useDeck } from '../useDeck.ts';
import { crosshairStride, stepCrosshair, timesOf } from './crosshair.ts';
import type { OwnProps } from './index.ts';
import { MonthInput } from './MonthInput.tsx';
import { monthOf } from './months.ts';
import { earlierPeriod, isSettled, laterPeriod, type Period, periodName, periodWindow } from './periods.ts';
import { alertOf, axisUnit, stripLines } from './serverGraphLines.ts';
import { useSettledAnswer } from './useSettledAnswer.ts';

/** The statistics of a server: processor, disk and network of the past 24 hours or of any month. */
export function ServerGraphs({ resource, params, row, width, height }: OwnProps) {
  const deck = useDeck();
  const theme = useTheme();
  const current = monthOf(deck.now());
  const [period, setPeriod] = useState<Period>('day');
  const [focus, setFocus] = useState(0);
  const [alone, setAlone] = useState(false);
  const [crosshair, setCrosshair] = useState<number>();
  const [typing, setTyping] = useState(false);
  const [typed, setTyped] = useState('');

  const answer = useSettledAnswer(questionOf({ resource, params }, period), isSettled(period, current));
  const groups = useMemo(() => statisticsOf(answer?.body, row.alerts), [answer?.body, row.alerts]);
  const window = periodWindow(period, current, newestTime(groups, answer?.loadedAt ?? deck.now()));
  const room = { width: width - 2, height: height - 1 };
  const grid = gridOf(room.width, room.height, groups.length);
  const shown = alone ? undefined : grid;
  const times = timesOf(groups[focus]?.series ?? [], window.from, window.to);

  const turn = (next: Period) => {
    setPeriod(next);
    setCrosshair(undefined);
  };
  const step = (by: number) => () => {
    const columns = Math.floor(room.width / (shown?.across ?? 1)) - axisWidth;
    setCrosshair(stepCrosshair(times, crosshair, by * crosshairStride(times.length, columns)));
  };
  const later = laterPeriod(period, current);
  useKeys('graphs', {
    left: times.length > 0 ? step(-1) : undefined,
    right: times.length > 0 ? step(1) : undefined,
    off: crosshair === undefined ? undefined : () => setCrosshair(undefined),
    next: () => setFocus((focus + 1) % groups.length),
    previous: () => setFocus((focus + groups.length - 1) % groups.length),
    zoom: grid && (() => setAlone(!alone)),
    earlier: () => turn(earlierPeriod(period, current)),
    later: later && (() => turn(later)),
    day: period === 'day' ? undefined : () => turn('day'),
    month: () => setTyping(true),
  });

  const says = sentenceOf(answer, groups, periodName(period, current));
  return (
    <Box flexDirection="column" width={width} height={height}>
      {typing ? (
        <MonthInput
          text={typed}
          setText={setTyped}
          newest={current}
          width={width}
          accept={turn}
          close={() => setTyping(false)}
        />
      ) : (
        <Line text={headLine(theme, periodName(period, current), answer)} />
      )}
      <Box paddingLeft={1} paddingTop={says ? 1 : 0} flexDirection="column">
        {says ? (
          wrapCells(says, room.width).map((line) => <Line key={line} text={theme.paint('dim', line)} />)
        ) : shown ? (
          <AllGraphs {...{ groups, window, crosshair, focus, ...shown, ...room }} />
        ) : (
          <OneGraph {...{ groups, window, crosshair, focus, ...room }} />
        )}
      </Box>
    </Box>
  );
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
function gridOf(width: number, height: number, count: number): { across: number; down: number } | undefined {
  for (const across of [2, 1]) {
    const down = Math.ceil(count / across);
    if (Math.floor(width / across) >= narrowest && Math.floor(height / down) >= lowest) return { across, down };
  }
  return undefined;
}

/** What there is to say in place of graphs. */
function sentenceOf(answer: Answer | undefined, groups: readonly SeriesGroup[], name: string): string | undefined {
  if (groups.some(({ series }) => series.some(({ points }) => points.length > 0))) return undefined;
  const { error, body } = answer ?? {};
  const isTooEarly = error?.status === 400 && error.errors.some(({ reason }) => /unavailable/i.test(reason));
  if (isTooEarly || (body !== undefined && !error)) {
    return `No statistics yet (${name.toLowerCase()}). A server has its first readings some minutes after it was booted for the first time.`;
  }
  return error ? `${error.message} r tries again.` : 'Reading statistics …';
}

function headLine(theme: Theme, name: string, answer: Answer | undefined): string {
  const stale = answer?.error && answer.body !== undefined ? '  not up to date: the last reading failed' : '';
  return ` ${theme.paint('title', name)}${theme.paint('warn', stale)}`;
}

interface GraphsProps {
  groups: readonly SeriesGroup[];
  window: GraphWindow;
  crosshair: number | undefined;
  /** The index of the group that the keys are about. */
  focus: number;
  width: number;
  height: number;
}

function AllGraphs({ groups, focus, across, down, ...graph }: GraphsProps & { across: number; down: number }) {
  const theme = useTheme();
  const pointer = theme.glyphs === 'ascii' ? '> ' : '❯ ';
  const gap = across > 1 ? 2 : 0;
  const width = Math.floor((graph.width - gap) / across);
  return (
    <>
      {Array.from({ length: down }, (_, line) => (
        <Box key={line} columnGap={gap}>
          {groups.slice(line * across, (line + 1) * across).map((group, place) => {
            const title = `${line * across + place === focus ? pointer : ''}${group.name}`;
            const height = Math.floor(graph.height / down);
            return <GroupGraph key={group.name} {...graph} {...{ group, title, width, height }} />;
          })}
        </Box>
      ))}
    </>
  );
}

function OneGraph({ groups, focus, width, height, ...graph }: GraphsProps) {
  const theme = useTheme();
  const group = groups[focus];
  const strip = height >= 12 ? stripLines(theme, groups, focus, width) : [];
  return (
    <>
      {group ? <GroupGraph {...graph} {...{ group, title: group.name, width, height: height - strip.length }} /> : null}
      {strip.map((line, index) => (
        <Line key={groups[index]?.name} text={line} />
      ))}
    </>
  );
}

interface GroupGraphProps extends Pick<GraphsProps, 'window' | 'crosshair' | 'width' | 'height'> {
  group: SeriesGroup;
  title: string;
}

const GroupGraph = ({ group, title, window, crosshair, width, height }: GroupGraphProps) => (
  <Graph
    title={title}
    series={group.series}
    unit={axisUnit(group.unit)}
    {...{ width, height, crosshair }}
    from={window.from}
    to={window.to}
    threshold={alertOf(group)}
  />
);
