import { createContext, useContext, useEffect, useMemo, useReducer, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { StoreApi } from 'zustand/vanilla';
import { memoize } from '../resources/memoize.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import { type Answer, type Collection, type Query, queryKey } from '../store/cache.ts';
import type { CacheState } from '../store/entries.ts';
import type { Event } from '../store/events.ts';
import { type ListView, listViewOf, type NavigationState, type Overlay } from '../store/navigation.ts';
import type { Urgency } from '../store/paces.ts';
import { reuseList } from '../store/rows.ts';
import type { Shell, ShellEnd } from '../store/ssh.ts';
import type { Stores } from '../store/stores.ts';
import { timerDelay } from '../text/times.ts';

/** The room of a pane or screen in cells. */
export interface Size {
  width: number;
  height: number;
}

/** Props of the pane of one kind of overlay. */
export interface OverlayProps<K extends Overlay['kind']> extends Size {
  overlay: Extract<Overlay, { kind: K }>;
}

/** Props of a custom dialog, which takes the place of an action's form. */
export type DialogProps = OverlayProps<'dialog'>;

/** Props of a custom screen: its row, and its room. */
export interface CustomProps extends Size {
  resource: Resource;
  params: Params;
  row: Row;
}

/** Props of a list, which may be seen by one of the user's own views. */
export interface ListProps extends Omit<CustomProps, 'row'> {
  view?: string;
}

/** Given to every screen: the stores and the terminal's services. */
export interface AppContextValue {
  /** Of the account on the screen. */
  stores: Stores;
  /** This account and the others. */
  accounts: Accounts;
  /** Copies a text to the clipboard of the terminal; throws a RangeError with a sentence when it is too long. */
  copy: (text: string) => void;
  /** Opens a text in the user's editor, at a line; resolves with undefined when it was cancelled. */
  edit: (text: string, line?: number) => Promise<string | undefined>;
  /**
   * Leaves the terminal to a shell on each of these servers, one after the other, or opens windows for them; resolves
   * when they have ended. Rejects with a sentence where none may be opened.
   */
  runShells: (shells: readonly Shell[], profile: string) => Promise<readonly ShellEnd[]>;
  /** Suspends the program until the shell resumes it; false without job control. */
  suspend: () => boolean;
  /** Ends the program. */
  quit: () => void;
}

export const AppContext = createContext<AppContextValue | undefined>(undefined);

export function useAppContext(): AppContextValue {
  const context = useContext(AppContext);
  if (!context) throw new Error('there is no AppContext above');
  return context;
}

export const useStores = (): Stores => useAppContext().stores;

/** Those to be told at the end of this turn of the event loop. */
const due = new Set<() => void>();

function tellAll(): void {
  for (const tell of [...due].filter((one) => due.delete(one))) tell();
}

/** A store that tells of all changes of a turn of the event loop at its end, at once. */
export function oncePerTurn<S extends StoreApi<unknown>>(store: S): S {
  const subscribe: S['subscribe'] = (listener) => {
    let before: unknown;
    const tell = () => listener(store.getState(), before);
    const stop = store.subscribe((_, previous) => {
      if (due.has(tell)) return;
      before = previous;
      if (due.size === 0) setImmediate(tellAll);
      due.add(tell);
    });
    return () => {
      stop();
      due.delete(tell);
    };
  };
  return { ...store, subscribe };
}

/** Answers about rows come by tens, each alone: those that come so soon after a drawing are drawn with the next one. */
const answersPauseMs = 100;

/** A store that tells a change at once, and those that follow close to it together. */
export function inSteps<S extends StoreApi<unknown>>(store: S): S {
  const subscribe: S['subscribe'] = (listener) => {
    let [before, toldAt] = [store.getState(), Number.NEGATIVE_INFINITY];
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      const [state, last] = [store.getState(), before];
      [before, toldAt, timer] = [state, performance.now(), undefined];
      listener(state, last);
    };
    const stop = store.subscribe(() => {
      const waitMs = toldAt + answersPauseMs - performance.now();
      if (timer === undefined && waitMs <= 0) tell();
      else timer ??= setTimeout(tell, timerDelay(waitMs));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  };
  return { ...store, subscribe };
}

/**
 * Tells of the changes of a store together, a while after the first of them.
 * @param waitMs that while; undefined for a change that is not told of
 * Returns a function that ends this.
 */
export function tellLater<S>(
  { subscribe }: Pick<StoreApi<S>, 'subscribe'>,
  tell: () => void,
  waitMs: (after: S, before: S) => number | undefined,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = subscribe((after, before) => {
    const wait = waitMs(after, before);
    if (wait === undefined) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      tell();
    }, timerDelay(wait));
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

const cacheInSteps = memoize(inSteps<Stores['cache']>);

/**
 * The stores as screens see them: what is read is drawn once for all answers that came in one turn of the event loop,
 * as each drawing asks all that the screen shows.
 */
export const drawnOncePerTurn = (stores: Stores): Stores => ({
  ...stores,
  cache: oncePerTurn(stores.cache),
  events: oncePerTurn(stores.events),
  fleet: oncePerTurn(stores.fleet),
  problems: oncePerTurn(stores.problems),
});

/** Rows that come into view are read after this delay: longer than the repeat of a held key, and than typing a letter of a filter. */
export const rowDelayMs = { scrolling: 150, typing: 700 } as const;

/** Reads queries and keeps them fresh while the component is mounted; returns their keys, which identify them. */
export function useQueries(
  queries: readonly Query[],
  urgency: Urgency = 'screen',
  delayMs: number = rowDelayMs.scrolling,
): readonly string[] {
  const { scheduler } = useStores();
  const keys = useMemo(() => queries.map(queryKey), [queries]);
  const joined = keys.join(' ');
  const last = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which queries there are
  useEffect(() => {
    if (joined === '') return undefined;
    const isScrolling = urgency === 'row' && last.current !== '';
    last.current = joined;
    if (!isScrolling) return scheduler.subscribe(queries, urgency);
    let unsubscribe: (() => void) | undefined;
    const timer = setTimeout(() => {
      unsubscribe = scheduler.subscribe(queries, urgency);
    }, timerDelay(delayMs));
    return () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
  }, [scheduler, joined, urgency]);
  return keys;
}

/** Always the same, as hooks compare. */
export const noQueries: readonly Query[] = [];

/** The same list as long as its items are the same. */
export function useSame<T>(list: readonly T[]): readonly T[] {
  const last = useRef(list);
  last.current = reuseList(last.current, list);
  return last.current;
}

/** Several collections, read and kept fresh while the component is mounted; each undefined until its first reading begins. */
export function useCollections(queries: readonly Query[]): readonly (Collection | undefined)[] {
  const keys = useQueries(queries);
  return useStore(
    useStores().cache,
    useShallow(({ collections }) => keys.map((key) => collections[key])),
  );
}

/** The same for one collection. */
export function useCollection(query: Query | undefined, urgency?: Urgency): Collection | undefined {
  const [key = ''] = useQueries(query ? [query] : noQueries, urgency);
  return useStore(useStores().cache, ({ collections }) => collections[key]);
}

/** The same for one answer. */
export function useAnswer(query: Query | undefined, urgency?: Urgency): Answer | undefined {
  const [key = ''] = useQueries(query ? [query] : noQueries, urgency);
  return useStore(useStores().cache, ({ answers }) => answers[key]);
}

/** The answers of queries about visible rows, undefined until read; the same array while they are the same. */
export function useRowAnswers(queries: readonly Query[], delayMs?: number): readonly unknown[] {
  const keys = useQueries(queries, 'row', delayMs);
  const select = useMemo(() => bodiesOf(keys), [keys]);
  return useStore(cacheInSteps(useStores().cache), select);
}

/** Selects the bodies of answers; looks only at other answers than the last time, because a frame asks several times. */
function bodiesOf(keys: readonly string[]): (state: CacheState) => readonly unknown[] {
  let of: CacheState['answers'] | undefined;
  let bodies: readonly unknown[] = [];
  return ({ answers }) => {
    if (answers === of) return bodies;
    of = answers;
    const next = keys.map((key) => answers[key]?.body);
    if (next.length !== bodies.length || next.some((body, nth) => body !== bodies[nth])) bodies = next;
    return bodies;
  };
}

/** A part of the navigation state. */
export const useNavigation = <T>(select: (state: NavigationState) => T): T => useStore(useStores().navigation, select);

/** The view state of the list of this key, and its setter. */
export function useView(key: string): [ListView, (change: Partial<ListView>) => void] {
  const { navigation } = useStores();
  const view = useNavigation((state) => listViewOf(state, key));
  const set = useMemo(() => (change: Partial<ListView>) => navigation.setListView(key, change), [navigation, key]);
  return [view, set];
}

/** All known events, newest first. */
export const useEvents = (): readonly Event[] => useStore(useStores().events, ({ events }) => events);

/** Has the terminal copy a text, and adds a notice of it or of the reason why not. */
export function copyText({ stores, copy }: AppContextValue, name: string, text: string): void {
  try {
    copy(text);
    stores.notices.say('good', `Copied the ${name}, if the terminal allows it.`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    stores.notices.say('bad', error.message);
  }
}

/** Draws again after each time; never where there is none. */
export function useTicks(everyMs: number | undefined): void {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick begins the next time
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setTimeout(tick, timerDelay(everyMs));
    return () => clearTimeout(timer);
  }, [ticks, everyMs]);
}
