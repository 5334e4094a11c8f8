import { Box } from 'ink';
import { Line } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import { wrapCells } from '../text/cells.ts';

const narrowest = { columns: 60, rows: 16 };

/** Whether a window has too few cells for any screen. */
export const isTooSmall = (columns: number, rows: number): boolean =>
  columns < narrowest.columns || rows < narrowest.rows;

/** Says in as many lines as it takes that the window is too small, and how large it has to be. */
export function TooSmall({ columns, rows }: { columns: number; rows: number }) {
  const theme = useTheme();
  const says = `Skydeck needs ${narrowest.columns} columns and ${narrowest.rows} rows; here are ${columns} and ${rows}.`;
  return (
    <Box flexDirection="column">
      {wrapCells(says, columns)
        .slice(0, rows)
        .map((line, index) => (
          <Line key={index} text={theme.paint('warn', line.trimEnd())} />
        ))}
    </Box>
  );
}
