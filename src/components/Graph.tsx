import { Box, Text } from 'ink';
import { memo } from 'react';
import type { GraphSpec } from './graphLayout.ts';
import { plotGraph } from './graphPlot.ts';
import { painted } from './spans.ts';
import { useTheme } from './theme.ts';

/** A line graph with axes, legend, threshold and crosshair, one `<Text>` for each line. */
export const Graph = memo(function Graph(spec: GraphSpec) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" width={spec.width}>
      {plotGraph(spec, theme.glyphs).map((spans, row) => (
        <Text key={row} wrap="truncate">
          {painted(theme, spans)}
        </Text>
      ))}
    </Box>
  );
});
