import { useEffect } from 'react';
import { type Collection, keyOf, type Question } from '../store/records.ts';
import { useDeck } from './useDeck.ts';

/** Reads the next page of a collection that has more, as long as `wanted`: somebody looks near the end of what is there. */
export function useMore(question: Question | undefined, collection: Collection | undefined, wanted: boolean): void {
  const { records } = useDeck();
  const more = collection?.more;
  const isReady = wanted && more !== undefined && !collection?.loading && !collection?.error;
  const key = question && keyOf(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question of the same key with another end asks for the next page
  useEffect(() => {
    if (isReady && question) void records.readMore(question);
  }, [isReady, more, key, records]);
}
