import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type Collection, keyOf, type Question } from '../../store/records.ts';
import { useDeck } from '../useDeck.ts';

/** Several collections, read and kept fresh while the component is mounted; each undefined before anything is known of it. */
export function useCollections(questions: readonly Question[]): readonly (Collection | undefined)[] {
  const { records, refresher } = useDeck();
  const keys = questions.map(keyOf);
  const watched = keys.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: questions of the same keys are the same
  useEffect(() => {
    const leave = questions.map((question) => refresher.watch(question, 'collection'));
    return () => {
      for (const away of leave) away();
    };
  }, [refresher, watched]);
  return useStore(
    records,
    useShallow(({ collections }) => keys.map((key) => collections[key])),
  );
}
