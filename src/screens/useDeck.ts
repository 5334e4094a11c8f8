import { createContext, useContext, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Deck } from '../store/deck.ts';
import type { Event } from '../store/events.ts';
import { type NavigationState, type View, viewOf } from '../store/navigation.ts';
import { type Answer, type Collection, keyOf, type Question } from '../store/records.ts';

/** Reached by every screen: the stores behind it, the clipboard and the editor. */
export interface Bridge {
  deck: Deck;
  /** Has the terminal copy a text; throws a RangeError with a sentence when it is too long. */
  copy: (text: string) => void;
  /** Has the user edit a text while the dashboard is off the screen, from a line on; undefined when it was given up. */
  edit: (text: string, line?: number) => Promise<string | undefined>;
  /** Leaves the terminal to the shell until that brings the program back; false where no shell would. */
  stop: () => boolean;
}

/** Gives the stores, the clipboard and the editor to every screen below. */
export const BridgeContext = createContext<Bridge | undefined>(undefined);

export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext);
  if (!bridge) throw new Error('there is no deck here');
  return bridge;
}

export const useDeck = (): Deck => useBridge().deck;

/** A collection, read and kept fresh while the component is mounted; undefined before anything is known of it. */
export function useCollection(question: Question | undefined): Collection | undefined {
  const { records } = useDeck();
  useWatch(question, 'collection');
  return useStore(records, ({ collections }) => (question ? collections[keyOf(question)] : undefined));
}

/** One answer, read and kept fresh while the component is mounted; undefined before anything is known of it. */
export function useAnswer(question: Question | undefined): Answer | undefined {
  const { records } = useDeck();
  useWatch(question, 'answer');
  return useStore(records, ({ answers }) => (question ? answers[keyOf(question)] : undefined));
}

function useWatch(question: Question | undefined, kind: 'collection' | 'answer'): void {
  const { refresher } = useDeck();
  const key = question && keyOf(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: questions of the same key are the same
  useEffect(() => (question ? refresher.watch(question, kind) : undefined), [refresher, key, kind]);
}

/** A part of where the user is. */
export const useNavigation = <T>(select: (state: NavigationState) => T): T => useStore(useDeck().navigation, select);

/** The view of the list of this key, and the way to change it. */
export function useView(key: string): [View, (change: Partial<View>) => void] {
  const { navigation } = useDeck();
  const view = useNavigation((state) => viewOf(state, key));
  const set = useMemo(() => (change: Partial<View>) => navigation.setView(key, change), [navigation, key]);
  return [view, set];
}

/** All known events, newest first. */
export const useEvents = (): readonly Event[] => useStore(useDeck().events, ({ events }) => events);
