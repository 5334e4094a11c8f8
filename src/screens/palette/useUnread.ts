import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Query, queryKey } from '../../store/cache.ts';
import { useQueries, useStores } from '../useStores.ts';
import { unreadLists } from './searched.ts';

/** A search in lists that were not read before. */
export interface UnreadSearch {
  state: 'not begun' | 'reading' | 'stopped' | 'over';
  /** The lists read so far, and of how many. */
  done: number;
  of: number;
  /** Lists of too many rows to be read for this. */
  leftOut: readonly string[];
  /** Begins to look for a text. */
  begin: (typed: string) => void;
  stop: () => void;
}

const none: readonly Query[] = [];

/** Reads the lists that are not loaded, within the budget, and the lists below the rows that come with them. */
export function useUnread(): UnreadSearch {
  const stores = useStores();
  const [state, setState] = useState<UnreadSearch['state']>('not begun');
  const [queries, setQueries] = useState(none);
  const [typed, setTyped] = useState('');
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  useQueries(state === 'reading' ? queries : none, 'row');
  const done = useStore(
    stores.cache,
    ({ collections }) => queries.filter((query) => collections[queryKey(query)]?.triedAt !== undefined).length,
  );
  const isDone = state === 'reading' && done === queries.length;
  useEffect(() => {
    if (!isDone) return;
    const further = unreadLists(stores, typed);
    setLeftOut(further.leftOut);
    if (further.queries.length > 0) setQueries((before) => [...before, ...further.queries]);
    else setState('over');
  }, [isDone, stores, typed]);
  const stop = useCallback(() => setState('stopped'), []);
  return {
    state,
    stop,
    done,
    of: queries.length,
    leftOut,
    begin: (wanted) => {
      setTyped(wanted);
      setQueries(unreadLists(stores, wanted).queries);
      setState('reading');
    },
  };
}
