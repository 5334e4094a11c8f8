import { useStore } from 'zustand';
import { type Answer, type Query, queryKey } from '../../store/cache.ts';
import { useAnswer, useStores } from '../useStores.ts';

/**
 * One answer, kept fresh while the component is mounted; undefined until its first reading begins.
 * @param isFinal it no longer changes, so it is read once only
 */
export function useFinalAnswer(query: Query | undefined, isFinal: boolean): Answer | undefined {
  const answer = useStore(useStores().cache, ({ answers }) => (query ? answers[queryKey(query)] : undefined));
  useAnswer(isFinal && answer?.body !== undefined ? undefined : query);
  return answer;
}
