import { Box } from 'ink';
import { memo } from 'react';
import { Line } from '../components/Line.tsx';
import { textLines } from '../components/textLines.ts';
import { type Theme, useTheme } from '../components/theme.ts';
import type { CacheView, Column, Resource, Row } from '../resources/resource.ts';
import { valueIn } from '../store/filter.ts';
import { cell, clean, cut, head, widthOf } from '../text/cells.ts';
import { textOf } from '../text/words.ts';
import { formatCell, type RowContext } from './list/rowLines.ts';
import type { LazyAnswer } from './list/useLazyAnswers.ts';
import { useCacheView } from './useCacheView.ts';
import { useEvents } from './useStores.ts';

interface CardProps {
  resource: Resource;
  row: Row;
  width: number;
  height: number;
}

/** The name of a row and as many of its fields as fit. */
export const Card = memo(function Card({ resource, row, width, height }: CardProps) {
  const theme = useTheme();
  const lines = useCardLines(resource, row, width);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={theme.paint('title', cut(clean(resource.label(row)), width))} />
      <Line text="" />
      {lines.slice(0, Math.max(0, height - 2)).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Box>
  );
});

/**
 * All fields of a row, a line each, in two columns from 100 cells on.
 * @param lazyAnswer gives the answers of further requests; without it the fields that need them are left out
 */
export function useCardLines(resource: Resource, row: Row, width: number, lazyAnswer?: LazyAnswer): readonly string[] {
  const view = useCacheView(resource);
  const theme = useTheme();
  const events = useEvents();
  const columns = [...resource.columns, ...(resource.card ?? [])].filter(
    (column) => (!column.lazy || (lazyAnswer && isText(column))) && hasField(column, resource, row, view),
  );
  const context: RowContext = { resource, columns, theme, cacheView: view, events, lazyAnswer };
  const side = width >= 100 ? Math.floor((width - 2) / 2) : width;
  const titles = Math.min(Math.max(...columns.map((column) => widthOf(column.title))) + 1, Math.floor(side / 2));
  const [short, long] = [columns.filter((column) => !isLong(column)), columns.filter(isLong)];
  const lines = short.map((column) => fieldLine(theme, column, row, context, { titles, width: side }));
  return [
    ...(side === width ? lines : paired(lines, side)),
    ...long.flatMap((column) => paragraphLines(theme, column, row, view, width)),
  ];
}

/** Whether a row has this field: it is a column of the row's section, or it has a value. */
function hasField(column: Column, { columns, card = [], sections = [] }: Resource, row: Row, view: CacheView): boolean {
  const value = valueIn(row, column, view);
  if (card.includes(column) && !columns.includes(column)) return value !== undefined;
  const titles = sections.find(({ only }) => only(row))?.columns;
  return !titles?.length || titles.includes(column.title) || (value !== undefined && value !== null && value !== false);
}

/** Whether a column shows text rather than a drawing. */
const isText = ({ format }: Column) => format !== 'sparkline';

/** The further operations that the card of a row needs. */
export const cardOperations = ({ columns }: Resource): readonly string[] => [
  ...new Set(columns.filter(isText).flatMap(({ lazy }) => lazy ?? [])),
];

interface FieldWidths {
  /** Cells of the titles. */
  titles: number;
  width: number;
}

function fieldLine(
  theme: Theme,
  column: Column,
  row: Row,
  context: RowContext,
  { titles, width }: FieldWidths,
): string {
  const { text, role } = formatCell(row, column, context);
  const room = Math.max(1, width - titles - 1);
  const value = cell(text, room);
  return `${theme.paint('dim', cell(column.title, titles))} ${role ? theme.paint(role, value) : value}`;
}

const isLong = ({ format }: Column) => format === 'paragraph';

/** A paragraph is cut after so many UTF-16 units or lines; the JSON tab has all of it. */
const maxParagraphUnits = 65_536;
const maxParagraphLines = 1000;

/** A text below its title, wrapped; no lines where it is blank. */
function paragraphLines(theme: Theme, column: Column, row: Row, view: CacheView, width: number): readonly string[] {
  const text = textOf(valueIn(row, column, view)).trim();
  if (text === '') return [];
  const lines = textLines(head(text, maxParagraphUnits), width - 2, maxParagraphLines);
  return ['', theme.paint('dim', column.title), ...lines.map((line) => `  ${line}`)];
}

/** Lines in two columns, read downwards. */
function paired(lines: readonly string[], side: number): readonly string[] {
  const half = Math.ceil(lines.length / 2);
  return lines.slice(0, half).map((line, index) => {
    const other = lines[half + index];
    return other === undefined ? line : `${line}${' '.repeat(Math.max(0, side - widthOf(line)))}  ${other}`;
  });
}
