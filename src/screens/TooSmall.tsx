import { Box } from 'ink';
import { Lines } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import { wrapCells } from '../text/cells.ts';

const minSize = { columns: 60, rows: 16 };

/** Whether the terminal is too small for any screen. */
export const isTooSmall = (columns: number, rows: number): boolean => columns < minSize.columns || rows < minSize.rows;

/** Tells the size that Skydeck needs, wrapped. */
export function TooSmall({ columns, rows }: { columns: number; rows: number }) {
  const theme = useTheme();
  const text = `Skydeck needs ${minSize.columns} columns and ${minSize.rows} rows, but has ${columns} and ${rows}.`;
  return (
    <Box flexDirection="column">
      <Lines
        of={wrapCells(text, columns)
          .slice(0, rows)
          .map((line) => theme.paint('warn', line.trimEnd()))}
      />
    </Box>
  );
}
