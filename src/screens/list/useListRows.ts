import { useMemo, useRef } from 'react';
import { differencesBetween } from '../../resources/differences.ts';
import type { CacheView, Resource, Row } from '../../resources/resource.ts';
import { type Filter, filterOf, narrows } from '../../store/filter.ts';
import { sorted } from '../../store/sorting.ts';

export interface ListRows {
  rows: readonly Row[];
  /** Why the filter cannot be applied; the rows are unfiltered then. */
  error?: { error: string; position: number };
}

export interface ListOrder {
  filter: string;
  sort: string | undefined;
}

/** The rows of a list, filtered and sorted; worked out again only when one of the three changes. */
export function useListRows(
  resource: Resource,
  all: readonly Row[],
  { filter, sort }: ListOrder,
  known: CacheView,
): ListRows {
  const order = useMemo(() => sorted(all, sort, resource.columns, known), [all, sort, resource, known]);
  const compiled: Filter | undefined = useMemo(
    () => (filter === '' ? undefined : filterOf(filter, resource.columns, known)),
    [filter, resource, known],
  );
  const last = useRef<Filtered>(undefined);
  return useMemo(() => {
    if (!compiled) return { rows: order };
    if ('error' in compiled) return { rows: order, error: compiled };
    const rows = filtered(compiled, { filter, all, order, known }, last.current);
    last.current = { filter, all, order, known, compiled, rows };
    return { rows };
  }, [all, order, compiled, filter, known]);
}

type Matching = Exclude<Filter, { error: string }>;

/** The rows that a filter is to choose from. */
interface Choice {
  filter: string;
  all: readonly Row[];
  order: readonly Row[];
  known: CacheView;
}

/** The rows that a filter left. */
interface Filtered extends Choice {
  compiled: Matching;
  rows: readonly Row[];
}

/**
 * The rows that match, in their order. With each further letter that is typed, only those can be left that matched before
 * it; of rows that have changed since, only those are looked at.
 */
function filtered(
  compiled: Matching,
  { filter, all, order, known }: Choice,
  last: Filtered | undefined,
): readonly Row[] {
  const { matches } = compiled;
  if (last?.compiled === compiled) {
    const differences = differencesBetween(last.all, all);
    if (differences) {
      const changed = new Set(differences.map(({ after }) => after));
      const matched = new Set(last.rows);
      return order.filter((row) => (changed.has(row) ? matches(row) : matched.has(row)));
    }
  }
  const isFurther = last?.order === order && last.known === known && narrows(filter, last.filter);
  return (isFurther ? last.rows : order).filter(matches);
}
