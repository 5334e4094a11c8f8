import type { Look } from '../components/looks.ts';
import { meanOf } from '../resources/compute/load.ts';
import { pointsOf } from '../resources/compute/statistics.ts';
import { idOf } from '../resources/identity.ts';
import { type CacheView, type Column, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { valueIn } from '../store/filter.ts';
import { sorted } from '../store/sorting.ts';
import type { PrintedColumn } from './print.ts';

/** The answers of further operations, by name, about each row that has one. */
export type RowAnswers = ReadonlyMap<string, ReadonlyMap<Row, Row>>;

/** A column counts rows that were not read. */
class NotRead extends Error {}

/** The view for columns of these rows: other rows are unknown one by one, and cannot be counted, where they were not read. */
const printedView = (view: CacheView, resource: Resource, own: readonly Row[]): CacheView =>
  viewWith(view, {
    rows: (name) => {
      if (name === resource.name) return own;
      if (!view.isRead(name)) throw new NotRead(name);
      return view.rows(name);
    },
    row: (name, id) =>
      name === resource.name ? own.find((row) => idOf(resource, row) === String(id)) : view.row(name, id),
  });

/**
 * The columns that these rows fill; those that take further requests are left out where these were not made.
 * @param answers of further operations, by which lazy columns are filled
 */
export function printedColumns(
  columns: readonly Column[],
  resource: Resource,
  rows: readonly Row[],
  view: CacheView,
  answers: RowAnswers = new Map(),
): readonly PrintedColumn<Row>[] {
  const known = printedView(view, resource, rows);
  return columns
    .filter((column) => column.lazy === undefined || answers.has(column.lazy))
    .map((column) => ({ column, value: (row: Row) => printedValue(row, column, known, answers) }))
    .filter(({ value }) => !countsOthers(rows, value))
    .map(({ column, value }) => ({
      ...column,
      look: printedLook(column.look),
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

/** Whether a column is printed: of those that take a request for each row only the more important ones are. */
export const isPrinted = ({ lazy, keep }: Column): boolean => lazy === undefined || keep !== 3;

function printedValue(row: Row, column: Column, known: CacheView, answers: RowAnswers): unknown {
  const source = column.lazy === undefined ? row : answers.get(column.lazy)?.get(row);
  const value = source && valueIn(source, column, known, row);
  return column.look === 'sparkline' ? meanOf(pointsOf(value).map(([, reading]) => reading)) : value;
}

function countsOthers(rows: readonly Row[], value: (row: Row) => unknown): boolean {
  try {
    for (const row of rows) value(row);
    return false;
  } catch (error) {
    if (error instanceof NotRead) return true;
    throw error;
  }
}

/** Looks that are only drawn on a screen are written in words; a curve as its mean, in percent. */
function printedLook(as: Column['look']): Look | undefined {
  if (as === 'mark') return 'boolean';
  return as === 'sparkline' ? 'percent' : as;
}
