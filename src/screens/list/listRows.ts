import { differencesBetween } from '../../resources/differences.ts';
import { memoizeOne } from '../../resources/memoize.ts';
import type { CacheView, Resource, Row } from '../../resources/resource.ts';
import { type Filter, parseFilter } from '../../store/filter/filter.ts';
import { narrows } from '../../store/filter/narrows.ts';
import { sorted } from '../../store/sorting.ts';

export interface ListRows {
  rows: readonly Row[];
  /** Why the filter cannot be applied; then the rows are unfiltered. */
  error?: Extract<Filter, { error: string }>;
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
  const testOf = memoizeOne(parseFilter);
  let last: Filtered | undefined;
  return (
    { columns }: Resource,
    all: readonly Row[],
    { filter, sort }: { filter: string; sort: string | undefined },
    cacheView: CacheView,
  ): ListRows => {
    const order = orderOf(all, sort, columns, cacheView);
    if (filter === '') return { rows: order };
    const test = testOf(filter, columns, cacheView);
    if ('error' in test) return { rows: order, error: test };
    if (last?.test !== test || last.order !== order) {
      const next = { test, filter, cacheView, all, order };
      last = { ...next, rows: filtered(next, last) };
    }
    return { rows: last.rows };
  };
}

/** The matching rows in order; reuses the previous result for unchanged rows. */
function filtered({ test, filter, cacheView, all, order }: Omit<Filtered, 'rows'>, last: Filtered | undefined) {
  const differences = last?.test === test && differencesBetween(last.all, all);
  if (last && differences) {
    const changed = new Set(differences.map(({ after }) => after));
    const matched = new Set(last.rows);
    return order.filter((row) => (changed.has(row) ? test.matches(row) : matched.has(row)));
  }
  // A narrower filter can only keep rows that matched before.
  const isFurther = last?.order === order && last.cacheView === cacheView && narrows(filter, last.filter);
  return (isFurther ? last.rows : order).filter(test.matches);
}
