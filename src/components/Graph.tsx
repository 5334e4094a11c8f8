import { Box, Text } from 'ink';
import { memo, useMemo } from 'react';
import type { Drawing } from './braille.ts';
import type { GraphSpec } from './graphFrame.ts';
import { plotGraph } from './graphPlot.ts';
import { painted } from './spans.ts';
import { useTheme } from './theme.ts';

export interface GraphProps extends GraphSpec {
  /** Braille dots by default, marks in ASCII; half blocks where the font has no braille. */
  drawing?: Drawing;
}

/** A line graph with axes, legend, threshold and crosshair, one `<Text>` a line. */
export const Graph = memo(function Graph({ drawing, ...spec }: GraphProps) {
  const theme = useTheme();
  const { title, series, unit, width, height, from, to, now, threshold, crosshair } = spec;
  const lines = useMemo(() => {
    const asked = { title, series, unit, width, height, from, to, now, threshold, crosshair };
    const way = theme.glyphs === 'ascii' ? 'ascii' : (drawing ?? 'braille');
    return plotGraph(asked, theme.glyphs, way).map((spans) => painted(theme, spans));
  }, [theme, drawing, title, series, unit, width, height, from, to, now, threshold, crosshair]);
  return (
    <Box flexDirection="column" width={width}>
      {lines.map((line, row) => (
        <Text key={row} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  );
});
