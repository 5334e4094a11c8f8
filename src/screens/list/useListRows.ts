import { useMemo } from 'react';
import type { Known, Resource, Row } from '../../resources/resource.ts';
import { type Filter, filterOf } from '../../store/filter.ts';
import { sorted } from '../../store/sorting.ts';

export interface ListRows {
  rows: readonly Row[];
  /** Why the filter cannot be applied; the rows are unfiltered then. */
  error?: { error: string; position: number };
}

/** The rows of a list, filtered and sorted; worked out again only when one of the three changes. */
export function useListRows(
  resource: Resource,
  all: readonly Row[],
  filter: string,
  sort: string | undefined,
  known: Known,
): ListRows {
  const order = useMemo(() => sorted(all, sort, resource.columns, known), [all, sort, resource, known]);
  const compiled: Filter | undefined = useMemo(
    () => (filter === '' ? undefined : filterOf(filter, resource.columns, known)),
    [filter, resource, known],
  );
  return useMemo(() => {
    if (!compiled) return { rows: order };
    if ('error' in compiled) return { rows: order, error: compiled };
    return { rows: order.filter(compiled.matches) };
  }, [order, compiled]);
}
