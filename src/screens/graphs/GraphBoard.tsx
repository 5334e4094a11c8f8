import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import { sparkline } from '../../components/chart.ts';
import type { GraphSpec } from '../../components/graphLayout.ts';
import { plotGraph, timeAt } from '../../components/graphPlot.ts';
import { Lines } from '../../components/Line.tsx';
import { painted } from '../../components/spans.ts';
import { marksOf, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { alertThreshold, type Series, type SeriesGroup } from '../../resources/compute/statistics.ts';
import { cell, cut, widthOf, wrapCells } from '../../text/cells.ts';
import { quantity } from '../../text/numbers.ts';
import { useRegion } from '../terminal/mouse.tsx';
import type { GraphBoardState } from './useGraphBoard.ts';

interface GraphBoardProps {
  board: GraphBoardState;
  /** The line above the graphs. */
  head: ReactNode;
  /** A sentence in place of the graphs. */
  text: string | undefined;
  /** Graphs of another kind in their place. */
  children?: ReactNode;
}

/** Graphs on one time axis: all of them where they fit, else one and a line for each. */
export function GraphBoard({ board, head, text, children }: GraphBoardProps) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" width={board.width + 2} height={board.height + 1}>
      {head}
      <Box paddingLeft={1} paddingTop={text ? 1 : 0} flexDirection="column">
        {text ? (
          <Lines of={wrapCells(text, board.width).map((line) => theme.paint('dim', line))} />
        ) : children ? (
          children
        ) : board.layout ? (
          <AllGraphs {...board} {...board.layout} />
        ) : (
          <OneGraph {...board} />
        )}
      </Box>
    </Box>
  );
}

interface GraphHeader {
  title: string;
  /** A failure, in words; empty without one. */
  trouble: string;
  /** The events at the crosshair, in words. */
  event: string;
  width: number;
}

/** The line above graphs: their title, what failed, and the events at the crosshair. */
export function graphHeader(theme: Theme, { title, trouble, event, width }: GraphHeader): string {
  const failed = cut(trouble === '' ? '' : `  ${trouble}`, Math.floor(width * 0.4));
  const happened = cut(event === '' ? '' : `  ${event}`, Math.floor(width * 0.5));
  const name = cut(title, width - 1 - widthOf(failed) - widthOf(happened));
  return ` ${theme.paint('title', name)}${theme.paint('warn', failed)}${theme.paint('accent', happened)}`;
}

function AllGraphs({ groups, focus, across, down, ...graph }: GraphBoardState & { across: number; down: number }) {
  const theme = useTheme();
  const pointer = `${marksOf(theme).pointer} `;
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

function OneGraph({ groups, focus, width, height, ...graph }: GraphBoardState) {
  const theme = useTheme();
  const group = groups[focus];
  const summary =
    height >= 12 && hasRoom(height - groups.length, group?.series.length ?? 0)
      ? summaryLines(theme, groups, focus, width)
      : [];
  return (
    <>
      {group ? (
        <GroupGraph {...graph} {...{ group, title: group.name, width, height: height - summary.length }} />
      ) : null}
      <Lines of={summary} />
    </>
  );
}

/** Whether a graph of this height has a line for each of its series below it. */
const hasRoom = (height: number, series: number) => height - 3 - Math.max(4, Math.ceil(height * 0.4)) > series;

interface GroupGraphProps
  extends Pick<GraphBoardState, 'window' | 'marks' | 'crosshair' | 'width' | 'height' | 'point'> {
  group: SeriesGroup;
  title: string;
}

function GroupGraph({ group, title, window, marks, crosshair, width, height, point }: GroupGraphProps) {
  const { from, to } = window;
  const { series, unit } = group;
  const graph = { title, series, unit, width, height, crosshair, marks, from, to, threshold: alertThreshold(group) };
  return <PointedGraph graph={graph} point={(time) => point(group, time)} />;
}

const mean = ({ points }: Series) => points.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, points.length);

const nameWidth = 11;
const readingWidth = 28;

/** A line for each group: its name, its busiest series as a sparkline, and the newest reading of that. */
export const summaryLines = (
  theme: Theme,
  groups: readonly SeriesGroup[],
  focus: number,
  width: number,
): readonly string[] => groups.map((group, index) => summaryLine(theme, group, index === focus, width));

function summaryLine(theme: Theme, group: SeriesGroup, isFocus: boolean, width: number): string {
  const pointer = pointerOf(theme, isFocus);
  const name = theme.paint(isFocus ? 'title' : 'plain', cell(group.name, nameWidth));
  // The series with the highest mean stands for all.
  const shown = group.series
    .filter(({ comparedWith }) => comparedWith === undefined)
    .reduce<Series | undefined>((highest, one) => (highest && mean(highest) >= mean(one) ? highest : one), undefined);
  const values = shown?.points.map(([, value]) => value) ?? [];
  const last = values.at(-1);
  if (!shown || last === undefined) return `${pointer} ${name} ${theme.paint('dim', 'no data yet')}`;
  const line = theme.paint(
    'series1',
    sparkline(values, Math.max(0, width - nameWidth - readingWidth - 4), theme.glyphs),
  );
  const reading = `${shown.name} `.replace(`${group.name.toLowerCase()} `, '') + quantity(last, group.unit);
  return `${pointer} ${name} ${line}${cell(reading, readingWidth, 'right')}`;
}

interface PointedGraphProps {
  graph: GraphSpec;
  /** Called with the time that the mouse points at. */
  point: (time: number) => void;
}

/** A graph whose crosshair follows the mouse. */
export function PointedGraph({ graph, point }: PointedGraphProps) {
  const { glyphs } = useTheme();
  const { width, height } = graph;
  const region = useRegion('graphs', {
    onDrag: ({ column }) => {
      const time = timeAt(graph, glyphs, column);
      if (time !== undefined) point(time);
    },
  });
  return (
    <Box ref={region} width={width} height={height} flexShrink={0}>
      <Graph {...graph} />
    </Box>
  );
}

/** A line graph with axes, legend, threshold and crosshair. */
export const Graph = memo(function Graph(spec: GraphSpec) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" width={spec.width}>
      <Lines of={plotGraph(spec, theme.glyphs).map((spans) => painted(theme, spans))} />
    </Box>
  );
});
