import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { CacheView, Params, Resource } from '../resources/resource.ts';
import { useDeck } from './useDeck.ts';
import { useReads } from './useReads.ts';

/** The loaded data, as the columns of a resource see it: lists that they look at are read as well; another object whenever one changes. */
export function useKnown(resource: Resource, params: Params = {}): CacheView {
  const { records, known } = useDeck();
  const { reads } = resource;
  useReads(resource, [params]);
  const seen = useStore(
    records,
    useShallow(({ collections }) =>
      Object.values(collections).flatMap(({ resource: name, rows }) =>
        reads?.some((one) => one === name) ? [rows] : [],
      ),
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen decides
  return useMemo(
    () => ({
      rows: known.rows,
      row: known.row,
      gone: known.gone,
      get now() {
        return known.now;
      },
    }),
    [known, seen],
  );
}
