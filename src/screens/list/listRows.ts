import { differencesBetween } from '../../resources/differences.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoizeOne } from '../../resources/memoize.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { type Filter, narrows, parseFilter } from '../../store/filter/filter.ts';
import { columnOf, sorted } from '../../store/sorting.ts';
import { wrapCells } from '../../text/cells.ts';

/** Rows that a filter or an order needs the answers of one operation about. */
export interface Fetch {
  operation: string;
  /** The title of the column that is told of in the title of the list. */
  title: string;
  rows: readonly Row[];
}

/** Adds one more operation about these rows, unless it is fetched already. */
export const withFetch = (
  fetches: readonly Fetch[],
  operation: string | undefined,
  rows: readonly Row[],
  title = '',
): readonly Fetch[] =>
  operation === undefined || fetches.some((one) => one.operation === operation)
    ? fetches
    : [...fetches, { operation, title, rows }];

/** Columns that note the rows whose values they fetch; the others are as they were. */
export function notingColumns(columns: readonly Column[]) {
  let noted = new Map<string, { title: string; rows: Row[] }>();
  const noting = (column: Column, operation: string): Column => ({
    ...column,
    value: (row, view) => {
      const known = noted.get(operation) ?? { title: column.title, rows: [] };
      noted.set(operation, known);
      // Rows come one after the other, each for every term that fetches.
      if (known.rows.at(-1) !== row) known.rows.push(row);
      return valueIn(row, column, view);
    },
  });
  return {
    columns: columns.map((column) => (column.fetches === undefined ? column : noting(column, column.fetches))),
    /** All that was noted since the last call. */
    take: () => {
      const taken = [...noted].map(([operation, { title, rows }]) => ({ operation, title, rows }));
      noted = new Map();
      return taken;
    },
  };
}

export interface ListRows {
  rows: readonly Row[];
  /** Why the filter cannot be applied; then there are no rows, and while it is typed those of what was understood last. */
  error?: Extract<Filter, { error: string }>;
  /** The rows that the filter and the order need further answers about. */
  fetches: readonly Fetch[];
}

/** The previous result and its inputs. */
interface Filtered extends ListRows {
  test: Exclude<Filter, { error: string }>;
  filter: string;
  cacheView: CacheView;
  all: readonly Row[];
  order: readonly Row[];
}

/** Sorts and filters the rows of a list; when the list changes, only changed rows are tested again. */
export function createListRows() {
  const orderOf = memoizeOne(sorted);
  const usualOrderOf = memoizeOne(sorted);
  const testOf = memoizeOne(parseFilter);
  const notingOf = memoizeOne(notingColumns);
  const withOrder = memoizeOne(withFetch);
  let last: Filtered | undefined;
  /** The last filter that was understood. */
  let valid = '';
  const rowsOf = (
    resource: Resource,
    all: readonly Row[],
    { filter, sort, isTyped }: { filter: string; sort: string | undefined; isTyped?: boolean },
    cacheView: CacheView,
  ): ListRows => {
    const { name, columns } = resource;
    const sortedBy = columnOf(columns, sort);
    // Rows of which nothing is read yet are in the order that the list has as a rule.
    const usual = sortedBy?.fetches ? usualOrderOf(all, resourceNamed(name).sort, columns, cacheView) : all;
    const order = orderOf(usual, sort, columns, cacheView);
    if (filter === '') {
      valid = filter;
      return { rows: order, fetches: withOrder(none, sortedBy?.fetches, order, sortedBy?.title) };
    }
    const noting = notingOf(columns);
    const test = testOf(filter, noting.columns, cacheView);
    if ('error' in test)
      return { ...(isTyped ? rowsOf(resource, all, { filter: valid, sort }, cacheView) : nothing), error: test };
    valid = filter;
    if (last?.test !== test || last.order !== order) {
      const next = { test, filter, cacheView, all, order };
      const rows = filtered(columns, next, last);
      last = { ...next, rows, fetches: noting.take() };
    }
    return { rows: last.rows, fetches: withOrder(last.fetches, sortedBy?.fetches, last.rows, sortedBy?.title) };
  };
  return rowsOf;
}

const none: readonly Fetch[] = [];
const nothing: ListRows = { rows: [], fetches: none };

/** The matching rows in order; reuses the previous result for unchanged rows. */
function filtered(
  columns: readonly Column[],
  { test, filter, cacheView, all, order }: Omit<Filtered, 'rows' | 'fetches'>,
  last: Filtered | undefined,
) {
  // A filter that fetches looks at all rows, so that all are noted.
  const differences = last?.test === test && last.fetches.length === 0 && differencesBetween(last.all, all);
  if (last && differences) {
    const changed = new Set(differences.map(({ after }) => after));
    const matched = new Set(last.rows);
    return order.filter((row) => (changed.has(row) ? test.matches(row) : matched.has(row)));
  }
  // A narrower filter can only keep rows that matched before; of what is fetched this is not known yet.
  const isKnown = last?.order === order && last.cacheView === cacheView && last.fetches.length === 0;
  return (isKnown && narrows(filter, last.filter, columns, cacheView) ? last.rows : order).filter(test.matches);
}

/** Before the filter. */
export const filterLabel = ' filter: ';

/** Below this many cells an error begins on the line after its caret. */
const minRoom = 24;
const maxErrorLines = 4;

/** The error of a filter: a caret under its place and the sentence behind it, wrapped where it is longer. */
export function errorLines({ error, position }: NonNullable<ListRows['error']>, width: number): readonly string[] {
  const caret = `${' '.repeat(filterLabel.length + position)}^`;
  const room = width - caret.length - 1;
  const [first = ''] = room < minRoom ? [] : wrapCells(error, room);
  const indent = ' '.repeat(filterLabel.length);
  const rest = wrapCells(error.slice(first.length).trim(), width - indent.length).filter((line) => line !== '');
  return [`${caret} ${first}`, ...rest.map((line) => indent + line)].slice(0, maxErrorLines);
}

/** The lines that a filter takes: itself, and what is said below it. */
export const filterHeight = (filter: string, isTyping: boolean, error: ListRows['error'], width: number): number =>
  !isTyping && filter === '' ? 0 : 1 + (error ? errorLines(error, width).length : Number(isTyping));
