import { useStore } from 'zustand';
import type { Formatted } from '../components/format.ts';
import { textLines } from '../components/spans.ts';
import { type Theme, useTheme } from '../components/theme.ts';
import type { CacheView, Column, Resource, Row } from '../resources/resource.ts';
import { isTimeFormat } from '../store/filter/comparison.ts';
import { valueIn } from '../store/filter/fields.ts';
import type { CellFormat } from '../text/cellFormat.ts';
import { cell, clean, head, widthOf, wrapCells } from '../text/cells.ts';
import { linked } from '../text/escapes.ts';
import { timeOf } from '../text/times.ts';
import { textOf } from '../text/words.ts';
import { formatCell, type RowContext } from './list/rowLines.ts';
import { useCacheView } from './useReads.ts';
import { useEvents, useStores } from './useStores.ts';

interface CardOptions {
  /** The words in the place of what an operation has not answered yet; without it what columns ask is left out till then. */
  stateOf?: (operation: string) => string | undefined;
  /** Values are cut rather than continued where the lines would be more than this. */
  height?: number;
  /** Titles of fields that stand elsewhere on the page. */
  told?: readonly string[];
  /** Operations under way: what they tell has its line before it is known, so that no other line moves. */
  reads?: readonly string[];
}

/**
 * All fields of a row as lines of so many cells, in two columns from 100 cells on. A value that is too long for its line continues on further ones,
 * in two columns over the whole width below them.
 */
export function useCardLines(
  resource: Resource,
  row: Row,
  width: number,
  { stateOf, height = Number.POSITIVE_INFINITY, told = [], reads = [] }: CardOptions = {},
): readonly string[] {
  const view = useCacheView(resource);
  const { fleet } = useStores();
  const fetching = resource.columns.filter(({ fetches }) => fetches);
  useStore(fleet, () => fetching.map((column) => textOf(valueIn(row, column, view))).join());
  const theme = useTheme();
  const events = useEvents();
  const isAwaited = ({ fetches }: Column) =>
    fetches !== undefined && reads.includes(fetches) && !fleet.readingOf(fetches, resource, row);
  const columns = [...resource.columns, ...(resource.card ?? [])].filter(
    (column) =>
      !told.includes(column.title) &&
      (stateOf || column.fetches === undefined || valueIn(row, column, view) !== undefined || isAwaited(column)) &&
      hasField(column, resource, row, view),
  );
  const context: RowContext = { resource, columns, theme, cacheView: view, events };
  const side = width >= 100 ? Math.floor((width - 2) / 2) : width;
  const titles = Math.min(Math.max(...columns.map((column) => widthOf(column.title))) + 1, Math.floor(side / 2));
  const facts = columns
    .filter((column) => !isLong(column))
    .map((column): Fact => {
      const { title, fetches } = column;
      const state = fetches && valueIn(row, column, view) === undefined && stateOf?.(fetches);
      return state ? { title, text: state, role: 'dim' } : { title, ...factOf(row, column, context) };
    });
  const paragraphs = columns.filter(isLong).flatMap((column) => paragraphLines(theme, column, row, view, width));
  const isWide = (fact: Fact) => side < width && widthOf(clean(fact.text)) > side - titles - 1;
  const narrow = facts.filter((fact) => !isWide(fact));
  const wide = facts.filter(isWide);
  const left = height - paragraphs.length - wide.length;
  const beside = side < width ? Math.ceil(narrow.length / 2) : narrow.length;
  const lines = factLines(theme, narrow, titles, side, left - beside);
  return [
    ...(side < width ? paired(lines, side, width) : lines),
    ...factLines(theme, wide, titles, width, left - beside),
    ...paragraphs,
  ];
}

/** Whether a row has this field: it is a column of the row's section, or it has a value. */
function hasField(column: Column, { columns, card = [], sections = [] }: Resource, row: Row, view: CacheView): boolean {
  const value = valueIn(row, column, view);
  if (card.includes(column) && !columns.includes(column)) return value !== undefined;
  const titles = sections.find(({ only }) => only(row))?.columns;
  return !titles?.length || titles.includes(column.title) || (value !== undefined && value !== null && value !== false);
}

/** The value of a fact: a time has its age as well, and a mark is a word. */
function factOf(row: Row, column: Column, context: RowContext): Formatted {
  const as = (format: CellFormat) => formatCell(row, { ...column, format }, context).text;
  if (column.format === 'mark') return { text: as('boolean') };
  const isTime = isTimeFormat(column.format) && Number.isFinite(timeOf(valueIn(row, column, context.cacheView)));
  return isTime ? { text: `${as('date')}, ${as('expiry')}` } : formatCell(row, column, context);
}

type Fact = Formatted & { title: string };

/**
 * Facts as lines; a long value continues on further lines while some of `spare` are left.
 * @param titles cells of their titles
 */
function factLines(theme: Theme, facts: readonly Fact[], titles: number, width: number, spare: number) {
  const room = Math.max(1, width - titles - 1);
  let left = spare;
  return facts.flatMap(({ title, text, role, link }) => {
    const wrapped = wrapCells(clean(text), room);
    const isWhole = wrapped.length - 1 <= left;
    if (isWhole) left -= wrapped.length - 1;
    return (isWhole && wrapped.length > 1 ? wrapped : [text]).map((line, index) => {
      const value = linked(cell(line, room), link);
      return `${theme.paint('dim', cell(index === 0 ? title : '', titles))} ${theme.paint(role, value)}`;
    });
  });
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
  return [
    cell('', width),
    theme.paint('dim', cell(column.title, width)),
    ...lines.map((line) => cell(`  ${line}`, width)),
  ];
}

/** Lines of `side` cells in two columns, read downwards. */
function paired(lines: readonly string[], side: number, width: number): readonly string[] {
  const half = Math.ceil(lines.length / 2);
  const rest = ' '.repeat(width - 2 * side - 2);
  return lines.slice(0, half).map((line, index) => `${line}  ${lines[half + index] ?? ' '.repeat(side)}${rest}`);
}
