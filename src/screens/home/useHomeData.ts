import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useTheme } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Deck } from '../../store/deck.ts';
import { keyOf, viewOf } from '../../store/records.ts';
import { useDeck } from '../useDeck.ts';
import type { HomeData, Reading } from './tile.ts';

/** What home is drawn from; another object whenever any of it is another. It is read and examined while the component is mounted. */
export function useHomeData(): HomeData {
  const deck = useDeck();
  const { glyphs } = useTheme();
  useEffect(() => deck.problems.want(), [deck]);
  const records = useStore(deck.records);
  const events = useStore(deck.events);
  const problems = useStore(deck.problems);
  const { unexamined } = useStore(deck.survey);
  return useMemo(
    (): HomeData => ({
      facts: deck.facts,
      reading: (resource) => readingIn(records, resource),
      problems,
      unexamined,
      withoutEvents: events.polledAt === undefined ? (events.error?.message ?? 'Reading events …') : undefined,
      readOnly: deck.api.readOnly,
      glyphs,
    }),
    [deck, records, events, problems, unexamined, glyphs],
  );
}

/** The reading of a list, or of what there is only one of. */
function readingIn(
  { collections, answers }: ReturnType<Deck['records']['getState']>,
  name: string,
): Reading | undefined {
  const resource = resourceNamed(name);
  return isSingle(resource)
    ? answers[keyOf(viewOf(resource, {}))]
    : collections[keyOf({ resource: name, operation: 'list', params: {} })];
}
