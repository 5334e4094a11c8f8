import { Box } from 'ink';
import { memo } from 'react';
import type { GraphSpec } from './graphLayout.ts';
import { plotGraph } from './graphPlot.ts';
import { Lines } from './Line.tsx';
import { painted } from './spans.ts';
import { useTheme } from './theme.ts';

/** A line graph with axes, legend, threshold and crosshair. */
export const Graph = memo(function Graph(spec: GraphSpec) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" width={spec.width}>
      <Lines of={plotGraph(spec, theme.glyphs).map((spans) => painted(theme, spans))} />
    </Box>
  );
});
