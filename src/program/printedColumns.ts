import { redactedAt } from '../api/redact.ts';
import { idOf } from '../resources/identity.ts';
import { observeView } from '../resources/observe.ts';
import { type CacheView, type Column, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { valueIn } from '../store/filter/fields.ts';
import { sorted } from '../store/sorting.ts';
import type { PrintedColumn } from './document.ts';

/** The cache with these rows as their list. */
const printedView = (view: CacheView, resource: Resource, own: readonly Row[]): CacheView =>
  viewWith(view, {
    rows: (name) => (name === resource.name ? own : view.rows(name)),
    row: (name, id) =>
      name === resource.name ? own.find((row) => idOf(resource, row) === String(id)) : view.row(name, id),
  });

/**
 * The columns that can be filled, without those that count unread lists or need further requests that were not made.
 * @param asked the operations that were read about the rows
 */
export function printedColumns(
  columns: readonly Column[],
  resource: Resource,
  rows: readonly Row[],
  view: CacheView,
  asked: ReadonlySet<string> = new Set(),
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
  const printedValue = (column: Column) => (row: Row) =>
    typeof column.value === 'string' ? redactedAt(row, column.value) : valueIn(row, column, printed);
  return columns
    .filter(({ fetches }) => fetches === undefined || asked.has(fetches))
    .map((column) => ({ column, value: printedValue(column) }))
    .filter(({ value }) => isComplete(value))
    .map(({ column, value }) => {
      // A mark, which needs a screen, is replaced by a word.
      const format = column.format === 'mark' ? 'boolean' : column.format;
      return { ...column, format, keep: column.keep ?? 2, value };
    });
}

/** The columns of a list that can be filled, and its rows in its own order. */
export function printedList(
  resource: Resource,
  rows: readonly Row[],
  view: CacheView,
  asked: ReadonlySet<string> = new Set(),
) {
  const columns = printedColumns(resource.columns, resource, rows, view, asked);
  const titles = new Set(columns.map(({ title }) => title));
  const sortable = resource.columns.filter(({ title }) => titles.has(title));
  return { columns, ordered: sorted(rows, resource.sort, sortable, printedView(view, resource, rows)) };
}

/** Whether a column is printed: the least important ones that take a request for each row are not. */
export const isPrinted = ({ fetches, keep }: Column): boolean => fetches === undefined || keep !== 3;
