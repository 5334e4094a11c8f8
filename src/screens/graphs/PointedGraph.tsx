import { Box } from 'ink';
import { Graph } from '../../components/Graph.tsx';
import type { GraphSpec } from '../../components/graphLayout.ts';
import { timeAt } from '../../components/graphPlot.ts';
import { useTheme } from '../../components/theme.ts';
import { useRegion } from '../terminal/mouse.tsx';

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
