import { Box, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import { wrapCells } from '../text/cells.ts';
import { useKeys, useSaid } from './keyboard.tsx';

const minSize = { columns: 60, rows: 16 };

/** Whether the terminal is too small for any screen. */
export const isTooSmall = (columns: number, rows: number): boolean => columns < minSize.columns || rows < minSize.rows;

/** Tells the size that Skydeck needs, and what is said of keys, wrapped. */
export function TooSmall({ columns, rows, says = '' }: { columns: number; rows: number; says?: string }) {
  const theme = useTheme();
  const said = useSaid();
  const text = `Skydeck needs ${minSize.columns} columns and ${minSize.rows} rows, but has ${columns} and ${rows}.`;
  return (
    <Box flexDirection="column">
      <Lines
        of={[text, said || says]
          .filter(Boolean)
          .flatMap((one) => wrapCells(one, columns))
          .slice(0, rows)
          .map((line) => theme.paint('warn', line.trimEnd()))}
      />
    </Box>
  );
}

interface WithMinSizeProps {
  quit: () => void;
  /** Told in a terminal that is too small, such as what quitting loses. */
  says?: string | undefined;
  children: (size: { columns: number; rows: number }) => ReactNode;
}

/**
 * A screen as large as the terminal. In one that is too small it stays as it is, with all that was typed into it, but is
 * not seen, so that its keys do nothing.
 */
export function WithMinSize({ quit, says, children }: WithMinSizeProps) {
  const { columns, rows } = useWindowSize();
  const size = { columns: Math.max(columns, minSize.columns), rows: Math.max(rows, minSize.rows) };
  const isSmall = isTooSmall(columns, rows);
  return (
    <>
      {isSmall ? <TooSmall columns={columns} rows={rows} says={says} /> : null}
      {isSmall ? <QuitKey quit={quit} /> : null}
      <Box display={isSmall ? 'none' : 'flex'} flexDirection="column" width={size.columns} height={size.rows}>
        {children(size)}
      </Box>
    </>
  );
}

function QuitKey({ quit }: Pick<WithMinSizeProps, 'quit'>) {
  useKeys('tooSmall', { quit });
  return null;
}
