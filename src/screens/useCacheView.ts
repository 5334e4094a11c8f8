import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type CacheView, type Params, type Resource, viewWith } from '../resources/resource.ts';
import { useReads } from './useReads.ts';
import { useStores } from './useStores.ts';

/**
 * The cache view for the columns of a resource; reads the lists that they use, and is a new object when one of them changes.
 * @param across its own lists below several rows, which it is made anew for as well
 */
export function useCacheView(resource: Resource, params: Params = {}, across?: object): CacheView {
  const { cache, view } = useStores();
  // A row that is listed over all may lead through others of its kind.
  const reads = resource.across === undefined || across ? resource.reads : [...(resource.reads ?? []), resource.name];
  useReads(resource, [params]);
  const usedRows = useStore(
    cache,
    useShallow(({ collections }) =>
      Object.values(collections).flatMap(({ resource: name, rows }) =>
        reads?.some((one) => one === name) ? [rows] : [],
      ),
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the rows in use makes a new view
  return useMemo(() => viewWith(view, {}), [view, usedRows, across]);
}
