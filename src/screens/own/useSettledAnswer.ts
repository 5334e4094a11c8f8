import { useStore } from 'zustand';
import { type Answer, keyOf, type Question } from '../../store/records.ts';
import { useAnswer, useDeck } from '../useDeck.ts';

/**
 * One answer, read while the component is mounted; undefined before anything is known of it.
 * @param settled it cannot change any more, so it is read once only
 */
export function useSettledAnswer(question: Question | undefined, settled: boolean): Answer | undefined {
  const answer = useStore(useDeck().records, ({ answers }) => (question ? answers[keyOf(question)] : undefined));
  useAnswer(settled && answer?.body !== undefined ? undefined : question);
  return answer;
}
