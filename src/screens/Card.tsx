import { Box } from 'ink';
import { cell, clean, cut, widthOf } from '../components/cells.ts';
import { Line } from '../components/Line.tsx';
import { type Theme, useTheme } from '../components/theme.ts';
import type { Column, Resource, Row } from '../resources/resource.ts';
import { lookOf, type RowPen } from './list/rowLines.ts';
import { useDeck, useEvents } from './useDeck.ts';

interface CardProps {
  resource: Resource;
  row: Row;
  width: number;
  height: number;
}

/** One row with all its fields, a line each; in two columns where that is wide enough. */
export function Card({ resource, row, width, height }: CardProps) {
  const deck = useDeck();
  const theme = useTheme();
  const events = useEvents();
  const columns = [...resource.columns, ...(resource.card ?? [])].filter(({ lazy }) => !lazy);
  const pen: RowPen = { resource, columns, theme, known: deck.known, events };
  const title = theme.paint('title', cut(clean(resource.label(row)), width));
  const body = Math.max(0, height - 2);
  const side = width >= 100 ? Math.floor((width - 2) / 2) : width;
  const lines = columns.map((column) => fieldLine(theme, column, row, pen, side));
  const rows = side === width ? lines : paired(lines, side);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={title} />
      <Line text="" />
      {rows.slice(0, body).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Box>
  );
}

const titleWidth = 18;

function fieldLine(theme: Theme, column: Column, row: Row, pen: RowPen, width: number): string {
  const { text, role } = lookOf(row, column, pen);
  const room = Math.max(1, width - titleWidth - 1);
  const value = cell(text, room);
  return `${theme.paint('dim', cell(column.title, titleWidth))} ${role ? theme.paint(role, value) : value}`;
}

/** Lines in two columns, read downwards. */
function paired(lines: readonly string[], side: number): readonly string[] {
  const half = Math.ceil(lines.length / 2);
  return lines.slice(0, half).map((line, index) => {
    const other = lines[half + index];
    return other === undefined ? line : `${line}${' '.repeat(Math.max(0, side - widthOf(line)))}  ${other}`;
  });
}
