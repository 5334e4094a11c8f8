import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useTheme } from '../components/theme.ts';
import type { Size } from './props.ts';

/** A panel at the right of a list, behind a thin line. */
export function SidePanel({ width, height, children }: Size & { children: ReactNode }) {
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
