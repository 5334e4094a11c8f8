import { useEffect, useMemo, useRef } from 'react';
import type { Known, Resource, Row } from '../../resources/resource.ts';
import { type Filter, filterOf, gatherWords, narrows } from '../../store/filter.ts';
import { sorted } from '../../store/sorting.ts';

export interface ListRows {
  rows: readonly Row[];
  /** Why the filter cannot be applied; the rows are unfiltered then. */
  error?: { error: string; position: number };
}

export interface ListOrder {
  filter: string;
  sort: string | undefined;
  /** Whether the filter is being typed. */
  isFiltering: boolean;
}

/** The rows of a list, filtered and sorted; worked out again only when one of the three changes. */
export function useListRows(
  resource: Resource,
  all: readonly Row[],
  { filter, sort, isFiltering }: ListOrder,
  known: Known,
): ListRows {
  useEffect(
    () => (isFiltering ? gatherWords(all, resource.columns, known) : undefined),
    [isFiltering, all, resource, known],
  );
  const order = useMemo(() => sorted(all, sort, resource.columns, known), [all, sort, resource, known]);
  const compiled: Filter | undefined = useMemo(
    () => (filter === '' ? undefined : filterOf(filter, resource.columns, known)),
    [filter, resource, known],
  );
  const last = useRef<Filtered>(undefined);
  return useMemo(() => {
    if (!compiled) return { rows: order };
    if ('error' in compiled) return { rows: order, error: compiled };
    const { current: before } = last;
    const isFurther = before?.order === order && before.known === known && narrows(filter, before.filter);
    const rows = (isFurther ? before.rows : order).filter(compiled.matches);
    last.current = { filter, order, known, rows };
    return { rows };
  }, [order, compiled, filter, known]);
}

/** What a filter left of the rows: with each further letter that is typed, only these can be left. */
interface Filtered {
  filter: string;
  order: readonly Row[];
  known: Known;
  rows: readonly Row[];
}
