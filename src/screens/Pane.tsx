import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cell, clean, widthOf } from '../components/cells.ts';
import { Line } from '../components/Line.tsx';
import { marksOf, useTheme } from '../components/theme.ts';

interface PaneProps {
  title: string;
  width: number;
  height: number;
  children: ReactNode;
}

/** What lies over the screen, under a line with its title. */
export function Pane({ title, width, height, children }: PaneProps) {
  const theme = useTheme();
  const dash = marksOf(theme).dash;
  const heading = cell(clean(title), Math.min(widthOf(clean(title)), Math.max(1, width - 6)));
  const rule = dash.repeat(Math.max(0, width - widthOf(heading) - 4));
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Line text={`${theme.paint('dim', dash + dash)} ${theme.paint('title', heading)} ${theme.paint('dim', rule)}`} />
      {children}
    </Box>
  );
}
