import type { Look } from '../components/looks.ts';
import { idOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Column, Known, Resource, Row } from '../resources/resource.ts';
import { valueIn } from '../store/filter.ts';
import { sorted } from '../store/sorting.ts';
import type { Printed } from './print.ts';

/** The whole lists of other resources at which columns look, as far as they were read. */
export type Beside = ReadonlyMap<string, readonly Row[]>;

/** A column counts rows that were not read. */
class NotRead extends Error {}

/** What a column can know here: what was read. Other rows are unknown one by one, and cannot be counted. */
function knownOnly(resource: Resource, rows: readonly Row[], now: number, beside: Beside): Known {
  const read = new Map([...beside, [resource.name, rows]]);
  return {
    now,
    rows: (name) => {
      const found = read.get(name);
      if (!found) throw new NotRead(name);
      return found;
    },
    row: (name, id) => read.get(name)?.find((row) => idOf(resourceNamed(name), row) === String(id)),
    gone: () => [],
  };
}

/** The columns that these rows fill; those that take further requests are left out rather than wrong. */
export function printedColumns(
  columns: readonly Column[],
  resource: Resource,
  rows: readonly Row[],
  now: number,
  beside: Beside = new Map(),
): readonly Printed<Row>[] {
  const known = knownOnly(resource, rows, now, beside);
  return columns
    .filter((column) => isPrinted(column) && !countsOthers(column, rows, known))
    .map((column) => ({
      ...column,
      look: printedLook(column.look),
      keep: column.keep ?? 2,
      value: (row) => valueIn(row, column, known),
    }));
}

/** The columns of a list that can be filled, and its rows in its own order. */
export function printedList(resource: Resource, rows: readonly Row[], now: number, beside: Beside) {
  const columns = printedColumns(resource.columns, resource, rows, now, beside);
  const titles = new Set(columns.map(({ title }) => title));
  const sortable = resource.columns.filter(({ title }) => titles.has(title));
  return { columns, ordered: sorted(rows, resource.sort, sortable, knownOnly(resource, rows, now, beside)) };
}

/** Whether a column takes no request for each row. */
export const isPrinted = ({ lazy }: Column): boolean => lazy === undefined;

function countsOthers(column: Column, rows: readonly Row[], known: Known): boolean {
  try {
    for (const row of rows) valueIn(row, column, known);
    return false;
  } catch (error) {
    if (error instanceof NotRead) return true;
    throw error;
  }
}

/** What is only drawn on a screen is written in words. */
function printedLook(as: Column['look']): Look | undefined {
  if (as === 'mark') return 'boolean';
  return as === 'sparkline' ? undefined : as;
}
