import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Graph } from '../../components/Graph.tsx';
import { Line } from '../../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import { wrapCells } from '../../text/cells.ts';
import { alertThreshold, summaryLines } from './serverGraphLines.ts';
import type { GraphBoardState } from './useGraphBoard.ts';

interface GraphBoardProps {
  board: GraphBoardState;
  /** The line above the graphs. */
  head: ReactNode;
  /** A sentence in place of graphs. */
  says: string | undefined;
}

/** Graphs that share their times: all of them where there is room, else one and a line for each. */
export function GraphBoard({ board, head, says }: GraphBoardProps) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" width={board.width + 2} height={board.height + 1}>
      {head}
      <Box paddingLeft={1} paddingTop={says ? 1 : 0} flexDirection="column">
        {says ? (
          wrapCells(says, board.width).map((line, index) => <Line key={index} text={theme.paint('dim', line)} />)
        ) : board.layout ? (
          <AllGraphs {...board} {...board.layout} />
        ) : (
          <OneGraph {...board} />
        )}
      </Box>
    </Box>
  );
}

/** The line above graphs: what they are of, and whether the last reading of them failed. */
export function graphHeader(theme: Theme, title: string, isStale: boolean): string {
  const stale = isStale ? '  not up to date: the last reading failed' : '';
  return ` ${theme.paint('title', title)}${theme.paint('warn', stale)}`;
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
  const strip = height >= 12 ? summaryLines(theme, groups, focus, width) : [];
  return (
    <>
      {group ? <GroupGraph {...graph} {...{ group, title: group.name, width, height: height - strip.length }} /> : null}
      {strip.map((line, index) => (
        <Line key={groups[index]?.name} text={line} />
      ))}
    </>
  );
}

interface GroupGraphProps extends Pick<GraphBoardState, 'window' | 'crosshair' | 'width' | 'height'> {
  group: SeriesGroup;
  title: string;
}

const GroupGraph = ({ group, title, window, crosshair, width, height }: GroupGraphProps) => (
  <Graph
    title={title}
    series={group.series}
    unit={group.unit}
    {...{ width, height, crosshair }}
    from={window.from}
    to={window.to}
    threshold={alertThreshold(group)}
  />
);
