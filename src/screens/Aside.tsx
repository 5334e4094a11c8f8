import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useTheme } from '../components/theme.ts';

/** What stands at the right of a list, behind a thin line. */
export function Aside({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  const { glyphs } = useTheme();
  return (
    <Box
      flexDirection="column"
      width={width}
      height={height}
      flexShrink={0}
      borderStyle={glyphs === 'ascii' ? 'classic' : 'single'}
      borderDimColor
      borderTop={false}
      borderRight={false}
      borderBottom={false}
    >
      {children}
    </Box>
  );
}
