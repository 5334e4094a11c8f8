import { Box } from 'ink';
import { PointedGraph } from './PointedGraph.tsx';
import type { GraphBoardState } from './useGraphBoard.ts';
import type { Pages } from './usePages.ts';
import type { Drawn } from './useStatistics.ts';

interface SmallGraphsProps {
  board: GraphBoardState;
  pages: Pages;
  labels: readonly string[];
  members: readonly Drawn[];
}

/** A small graph of one load for each member, all with the same scale. */
export function SmallGraphs({ board, pages, labels, members }: SmallGraphsProps) {
  const { groups, focus, window, marks, crosshair, point } = board;
  const group = groups[focus];
  if (!group) return null;
  const top = group.series.reduce(
    (most, { points }) => points.reduce((max, [, value]) => Math.max(max, value), most),
    0,
  );
  const places = Array.from({ length: pages.to - pages.from }, (_, index) => pages.from + index);
  const lines = Array.from({ length: Math.ceil(places.length / pages.across) }, (_, line) =>
    places.slice(line * pages.across, (line + 1) * pages.across),
  );
  return lines.map((line) => (
    <Box key={line[0]} columnGap={2}>
      {line.map((place) => (
        <PointedGraph
          key={place}
          graph={{
            title: labels[place] ?? '',
            series: seriesOf(group.series, place),
            unit: group.unit,
            width: pages.width,
            height: pages.height,
            from: window.from,
            to: window.to,
            top,
            brief: true,
            empty: members[place]?.isKnown ? 'no readings' : '…',
            crosshair,
            marks: marks.filter(({ member }) => member === place),
          }}
          point={(time) => point(group, time)}
        />
      ))}
    </Box>
  ));
}

/** The line of one member, and that of its month before. */
const seriesOf = (series: GraphBoardState['groups'][number]['series'], place: number) => [
  ...series.slice(place, place + 1),
  ...series.flatMap((one) => (one.comparedWith === place ? [{ ...one, comparedWith: 0 }] : [])),
];
