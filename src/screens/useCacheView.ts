import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type CacheView, type Params, type Resource, viewWith } from '../resources/resource.ts';
import { useReads } from './useReads.ts';
import { useStores } from './useStores.ts';

/** The view of the cache for the columns of a resource: lists that they look at are read as well; another object whenever one changes. */
export function useCacheView(resource: Resource, params: Params = {}): CacheView {
  const { cache, view } = useStores();
  const { reads } = resource;
  useReads(resource, [params]);
  const seen = useStore(
    cache,
    useShallow(({ collections }) =>
      Object.values(collections).flatMap(({ resource: name, rows }) =>
        reads?.some((one) => one === name) ? [rows] : [],
      ),
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen decides
  return useMemo(() => viewWith(view, {}), [view, seen]);
}
