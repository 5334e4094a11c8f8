import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Line } from '../components/Line.tsx';
import { marksOf, useTheme } from '../components/theme.ts';
import { cell, clean, widthOf } from '../text/cells.ts';

interface PaneProps {
  title: string;
  width: number;
  height: number;
  /** Said at the right end of the line with the title, where there is room. */
  note?: string;
  /** Something is lost by what it asks. */
  isDanger?: boolean;
  children: ReactNode;
}

/** Lies over the screen, under a line with its title. */
export function Pane({ title, width, height, isDanger = false, note = '', children }: PaneProps) {
  const theme = useTheme();
  const { dash } = marksOf(theme);
  const line = isDanger ? 'bad' : 'dim';
  const heading = cell(clean(title), Math.min(widthOf(clean(title)), Math.max(1, width - 6)));
  const room = Math.max(0, width - widthOf(heading) - 4);
  const end = note !== '' && widthOf(note) + 4 <= room ? ` ${note} ${dash}` : '';
  const rule = `${dash.repeat(room - widthOf(end))}${end}`;
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Line text={`${theme.paint(line, dash + dash)} ${theme.paint('title', heading)} ${theme.paint(line, rule)}`} />
      {children}
    </Box>
  );
}
