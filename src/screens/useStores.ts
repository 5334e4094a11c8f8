import { createContext, useContext, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { type Answer, type Collection, type Query, queryKey } from '../store/cache.ts';
import type { Event } from '../store/events.ts';
import { type ListView, listViewOf, type NavigationState } from '../store/navigation.ts';
import type { Urgency } from '../store/paces.ts';
import type { Stores } from '../store/stores.ts';

/** Reached by every screen: the stores behind it, the clipboard and the editor. */
export interface AppContextValue {
  stores: Stores;
  /** Has the terminal copy a text; throws a RangeError with a sentence when it is too long. */
  copy: (text: string) => void;
  /** Has the user edit a text while the dashboard is off the screen, from a line on; undefined when it was given up. */
  edit: (text: string, line?: number) => Promise<string | undefined>;
  /** Leaves the terminal to the shell until that brings the program back; false where no shell would. */
  suspend: () => boolean;
}

/** Gives the stores, the clipboard and the editor to every screen below. */
export const AppContext = createContext<AppContextValue | undefined>(undefined);

export function useAppContext(): AppContextValue {
  const context = useContext(AppContext);
  if (!context) throw new Error('there is no stores here');
  return context;
}

export const useStores = (): Stores => useAppContext().stores;

/** Rows that come into sight are asked about when they stay for so long, in milliseconds: longer than a held key waits. */
const restsAfter = 150;

/** Has queries read and kept fresh while the component is mounted; those of the same keys are the same. Returns their keys. */
export function useQueries(queries: readonly Query[], urgency: Urgency = 'screen'): readonly string[] {
  const { scheduler } = useStores();
  const keys = useMemo(() => queries.map(queryKey), [queries]);
  const joined = keys.join(' ');
  const last = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which queries there are
  useEffect(() => {
    if (joined === '') return undefined;
    const passesBy = urgency === 'row' && last.current !== '';
    last.current = joined;
    if (!passesBy) return scheduler.subscribe(queries, urgency);
    let unsubscribe: (() => void) | undefined;
    const timer = setTimeout(() => {
      unsubscribe = scheduler.subscribe(queries, urgency);
    }, restsAfter);
    return () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
  }, [scheduler, joined, urgency]);
  return keys;
}

const noQueries: readonly Query[] = [];

/** Several collections, read and kept fresh while the component is mounted; each undefined before anything is known of it. */
export function useCollections(queries: readonly Query[]): readonly (Collection | undefined)[] {
  const keys = useQueries(queries);
  return useStore(
    useStores().cache,
    useShallow(({ collections }) => keys.map((key) => collections[key])),
  );
}

/** The same for one collection. */
export function useCollection(query: Query | undefined): Collection | undefined {
  const [key = ''] = useQueries(query ? [query] : noQueries);
  return useStore(useStores().cache, ({ collections }) => collections[key]);
}

/** The same for one answer. */
export function useAnswer(query: Query | undefined): Answer | undefined {
  const [key = ''] = useQueries(query ? [query] : noQueries);
  return useStore(useStores().cache, ({ answers }) => answers[key]);
}

/** The answers about visible rows, as far as they are there; the same array as long as they are the same. */
export function useRowAnswers(queries: readonly Query[]): readonly unknown[] {
  const keys = useQueries(queries, 'row');
  return useStore(
    useStores().cache,
    useShallow(({ answers }) => keys.map((key) => answers[key]?.body)),
  );
}

/** A part of where the user is. */
export const useNavigation = <T>(select: (state: NavigationState) => T): T => useStore(useStores().navigation, select);

/** The view of the list of this key, and the way to change it. */
export function useView(key: string): [ListView, (change: Partial<ListView>) => void] {
  const { navigation } = useStores();
  const view = useNavigation((state) => listViewOf(state, key));
  const set = useMemo(() => (change: Partial<ListView>) => navigation.setListView(key, change), [navigation, key]);
  return [view, set];
}

/** All known events, newest first. */
export const useEvents = (): readonly Event[] => useStore(useStores().events, ({ events }) => events);
