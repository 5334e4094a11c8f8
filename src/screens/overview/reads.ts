import { useMemo } from 'react';
import { useStore } from 'zustand';
import { paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { type Collection, listQuery, type Query, queryKey } from '../../store/cache.ts';
import type { CacheState } from '../../store/entries.ts';
import { placeholderText } from '../home/tile.ts';
import { useQueries, useStores } from '../useStores.ts';

/** A list that is read for the related rows of a row. */
export interface ListReading {
  resource: Resource;
  queries: readonly Query[];
  /** Rows of its parent below which it is not read, because there are too many. */
  left: number;
  /** Shown in place of its rows while they are not there: `…`, `not allowed`, `not read`. */
  placeholder?: string;
}

/** Parents below which a list is read: each costs a request every five minutes. */
const maxParents = 20;

/** The lists to read for a row, as far as their parents are known. */
function readingsOf(
  { name, overview }: Resource,
  row: Row,
  params: Params,
  collections: Readonly<Record<string, Collection>>,
): readonly ListReading[] {
  const readings: ListReading[] = [];
  for (const { list, operation, below } of overview?.related ?? []) {
    const resource = resourceNamed(list);
    const parent = readings.find((one) => one.resource.name === resource.under);
    const parents = parent?.queries.flatMap((query) =>
      (collections[queryKey(query)]?.rows ?? [])
        .filter((one) => below?.(one, row) ?? true)
        .map((one) => paramsOf(parent.resource, one, query.params)),
    );
    const queries: readonly Query[] = operation
      ? [{ resource: name, operation, params }]
      : (parents?.slice(0, maxParents) ?? [params]).map((within) => listQuery(resource, within));
    readings.push({
      resource,
      queries,
      left: Math.max(0, (parents?.length ?? 0) - maxParents),
      placeholder:
        parent?.placeholder ?? queries.map((query) => placeholderText(collections[queryKey(query)])).find(Boolean),
    });
  }
  return readings;
}

const textOf = (readings: readonly ListReading[]): string =>
  readings.map(({ queries, left, placeholder }) => [...queries.map(queryKey), left, placeholder].join(' ')).join('\n');

/** Reads the lists that the overview of a row shows, and keeps them fresh while it is open; nothing where it has no room for them. */
export function useReadings(resource: Resource, row: Row, params: Params, hasRoom: boolean): readonly ListReading[] {
  const { cache } = useStores();
  const readingsIn = ({ collections }: CacheState) => (hasRoom ? readingsOf(resource, row, params, collections) : []);
  const text = useStore(cache, (state) => textOf(readingsIn(state)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text tells all that they differ by
  const readings = useMemo(() => readingsIn(cache.getState()), [text]);
  const [ofAccount = [], ofRow = []] = useMemo(() => {
    const further = hasRoom ? (resource.overview?.reads ?? []) : [];
    const queries = [
      ...readings.flatMap(({ queries }) => queries),
      ...further.map((name) => listQuery(resourceNamed(name))),
    ];
    return [true, false].map((is) => queries.filter(({ params }) => is === (Object.keys(params).length === 0)));
  }, [readings, resource, hasRoom]);
  useQueries(ofAccount, 'account');
  useQueries(ofRow, 'row');
  return readings;
}
