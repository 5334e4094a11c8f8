import { useStore } from 'zustand';
import { type Answer, type Query, queryKey } from '../../store/cache.ts';
import { useAnswer, useStores } from '../useStores.ts';

/**
 * One answer, read while the component is mounted; undefined before anything is known of it.
 * @param settled it cannot change any more, so it is read once only
 */
export function useFinalAnswer(query: Query | undefined, settled: boolean): Answer | undefined {
  const answer = useStore(useStores().cache, ({ answers }) => (query ? answers[queryKey(query)] : undefined));
  useAnswer(settled && answer?.body !== undefined ? undefined : query);
  return answer;
}
