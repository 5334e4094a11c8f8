import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useTheme } from '../components/theme.ts';
import type { Size } from './props.ts';

interface SidePanelProps extends Size {
  /** False where it is below the list. */
  line?: boolean;
  children: ReactNode;
}

/** A panel at the right of a list, behind a thin line, or below it; its children stay mounted when that changes. */
export function SidePanel({ width, height, line = true, children }: SidePanelProps) {
  const { glyphs } = useTheme();
  return (
    <Box
      flexDirection="column"
      width={width}
      height={height}
      flexShrink={0}
      borderStyle={line ? (glyphs === 'ascii' ? 'classic' : 'single') : undefined}
      borderDimColor
      borderTop={false}
      borderRight={false}
      borderBottom={false}
    >
      {children}
    </Box>
  );
}
