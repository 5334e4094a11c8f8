import { useEffect } from 'react';
import { type Collection, type Query, queryKey } from '../store/cache.ts';
import { useStores } from './useStores.ts';

/** Reads the next page of a collection that has more while `wanted`: the cursor is near the end of the loaded rows. */
export function useNextPage(query: Query | undefined, collection: Collection | undefined, wanted: boolean): void {
  const { cache } = useStores();
  const more = collection?.more;
  const isReady = wanted && more !== undefined && !collection?.loading && !collection?.error;
  const key = query && queryKey(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a query of the same key with another end asks for the next page
  useEffect(() => {
    if (!isReady || !query) return undefined;
    // The page before may be shown before its reading has ended, which would be taken for this one.
    const turn = setImmediate(() => void cache.readMore(query));
    return () => clearImmediate(turn);
  }, [isReady, more, key, cache]);
}

interface NextPageProps {
  query: Query | undefined;
  collection: Collection | undefined;
}

/** Reads the next page while it is drawn, which is where the end of a page of lines is in sight; draws nothing. */
export function NextPage({ query, collection }: NextPageProps): null {
  useNextPage(query, collection, true);
  return null;
}
