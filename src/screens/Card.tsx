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

/** The name of a row and as many of its fields as there is room for. */
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
 * All fields of a row, a line each; in two columns where that is wide enough.
 * @param lazyAnswer gives what takes further requests; without it those fields are left out
 */
export function useCardLines(resource: Resource, row: Row, width: number, lazyAnswer?: LazyAnswer): readonly string[] {
  const cacheView = useCacheView(resource);
  const theme = useTheme();
  const events = useEvents();
  const columns = [...resource.columns, ...(resource.card ?? [])].filter(
    (column) => (!column.lazy || (lazyAnswer && isFact(column))) && belongs(column, resource, row, cacheView),
  );
  const pen: RowContext = { resource, columns, theme, cacheView, events, lazyAnswer };
  const side = width >= 100 ? Math.floor((width - 2) / 2) : width;
  const titles = Math.min(Math.max(...columns.map((column) => widthOf(column.title))) + 1, Math.floor(side / 2));
  const [short, long] = [columns.filter((column) => !isLong(column)), columns.filter(isLong)];
  const lines = short.map((column) => fieldLine(theme, column, row, pen, { titles, width: side }));
  return [
    ...(side === width ? lines : paired(lines, side)),
    ...long.flatMap((column) => paragraphLines(theme, column, row, pen, width)),
  ];
}

/** Whether such a row has a field at all: it is among the columns of the row's view, or it says something. */
function belongs(
  column: Column,
  { columns, card = [], sections = [] }: Resource,
  row: Row,
  cacheView: CacheView,
): boolean {
  const value = valueIn(row, column, cacheView);
  if (card.includes(column) && !columns.includes(column)) return value !== undefined;
  const titles = sections.find(({ only }) => only(row))?.columns;
  return !titles?.length || titles.includes(column.title) || (value !== undefined && value !== null && value !== false);
}

/** Whether a column says something in words rather than in a drawing. */
const isFact = ({ format }: Column) => format !== 'sparkline';

/** The further operations that the facts about a row take. */
export const cardOperations = ({ columns }: Resource): readonly string[] => [
  ...new Set(columns.filter(isFact).flatMap(({ lazy }) => lazy ?? [])),
];

interface FieldWidths {
  /** Cells for the titles. */
  titles: number;
  width: number;
}

function fieldLine(theme: Theme, column: Column, row: Row, pen: RowContext, { titles, width }: FieldWidths): string {
  const { text, role } = formatCell(row, column, pen);
  const room = Math.max(1, width - titles - 1);
  const value = cell(text, room);
  return `${theme.paint('dim', cell(column.title, titles))} ${role ? theme.paint(role, value) : value}`;
}

const isLong = ({ format }: Column) => format === 'paragraph';

/** A text is written so far at most, in UTF-16 units and lines; the JSON of the row has more. */
const longestParagraph = 65_536;
const mostLines = 1000;

/** A text over as many lines as it takes, below its title; nothing where there is none. */
function paragraphLines(
  theme: Theme,
  column: Column,
  row: Row,
  { cacheView }: RowContext,
  width: number,
): readonly string[] {
  const text = textOf(valueIn(row, column, cacheView)).trim();
  if (text === '') return [];
  const lines = textLines(head(text, longestParagraph), width - 2, mostLines);
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
