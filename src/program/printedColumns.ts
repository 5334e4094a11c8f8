import { idOf } from '../resources/identity.ts';
import { type CacheView, type Column, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { valueIn } from '../store/filter/fields.ts';
import { observeView } from '../store/problems/observe.ts';
import { sorted } from '../store/sorting.ts';
import type { CellFormat } from '../text/cellFormat.ts';
import type { PrintedColumn } from './print.ts';

/** The answers of further operations, by name, about each row that has one. */
export type RowAnswers = ReadonlyMap<string, ReadonlyMap<Row, Row>>;

/** The cache with these rows as their list. */
const printedView = (view: CacheView, resource: Resource, own: readonly Row[]): CacheView =>
  viewWith(view, {
    rows: (name) => (name === resource.name ? own : view.rows(name)),
    row: (name, id) =>
      name === resource.name ? own.find((row) => idOf(resource, row) === String(id)) : view.row(name, id),
  });

/**
 * The columns that can be filled, without those that count unread lists or need further requests that were not made.
 * @param answers the answers of further operations, for lazy columns
 */
export function printedColumns(
  columns: readonly Column[],
  resource: Resource,
  rows: readonly Row[],
  view: CacheView,
  answers: RowAnswers = new Map(),
): readonly PrintedColumn<Row>[] {
  let countsUnread = false;
  const printed = observeView(printedView(view, resource, rows), ([selector, given]) => {
    if (selector === 'rows' && given[0] !== resource.name && !view.isRead(given[0])) countsUnread = true;
  });
  const isComplete = (value: (row: Row) => unknown) => {
    countsUnread = false;
    return rows.every((row) => {
      value(row);
      return !countsUnread;
    });
  };
  return columns
    .filter(({ lazy, asks }) => [lazy, asks].every((name) => name === undefined || answers.has(name)))
    .map((column) => ({ column, value: (row: Row) => printedValue(row, column, printed, answers) }))
    .filter(({ value }) => isComplete(value))
    .map(({ column, value }) => ({
      ...column,
      format: printedFormat(column.format),
      keep: column.keep ?? 2,
      value,
    }));
}

/** The columns of a list that can be filled, and its rows in its own order. */
export function printedList(
  resource: Resource,
  rows: readonly Row[],
  view: CacheView,
  answers: RowAnswers = new Map(),
) {
  const columns = printedColumns(resource.columns, resource, rows, view, answers);
  const titles = new Set(columns.map(({ title }) => title));
  const sortable = resource.columns.filter(({ title, lazy }) => lazy === undefined && titles.has(title));
  return { columns, ordered: sorted(rows, resource.sort, sortable, printedView(view, resource, rows)) };
}

/** Whether a column is printed: the least important ones that take a request for each row are not. */
export const isPrinted = ({ lazy, asks, keep }: Column): boolean => (lazy ?? asks) === undefined || keep !== 3;

function printedValue(row: Row, column: Column, view: CacheView, answers: RowAnswers): unknown {
  const source = column.lazy === undefined ? row : answers.get(column.lazy)?.get(row);
  return source && valueIn(source, column, view, row);
}

/** A mark, which needs a screen, is replaced by a word. */
const printedFormat = (as: Column['format']): CellFormat | undefined => (as === 'mark' ? 'boolean' : as);
