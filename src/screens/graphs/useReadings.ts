import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type Answer, queryKey } from '../../store/cache.ts';
import type { Urgency } from '../../store/paces.ts';
import { useQueries, useStores } from '../useStores.ts';
import type { Reading } from './readings.ts';

/** The answers of readings, kept fresh while the component is mounted; final ones are read once. */
export function useReadings(readings: readonly Reading[], urgency: Urgency): readonly (Answer | undefined)[] {
  const { cache } = useStores();
  const keys = readings.map(({ query }) => queryKey(query));
  const answers = useStore(
    cache,
    useShallow(({ answers }) => keys.map((key) => answers[key])),
  );
  const isDue = ({ isFinal }: Reading, index: number) => !isFinal || answers[index]?.body === undefined;
  const isComplete = !readings.some(isDue);
  // Each subscription waits a moment, so it changes with the first and the last answer alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the readings
  const due = useMemo(() => readings.filter(isDue).map(({ query }) => query), [keys.join(' '), isComplete]);
  useQueries(due, urgency);
  return answers;
}

/** The same list as long as its items are the same. */
export function useSame<T>(list: readonly T[]): readonly T[] {
  const last = useRef(list);
  const isSame = list.length === last.current.length && list.every((one, index) => one === last.current[index]);
  if (!isSame) last.current = list;
  return last.current;
}
