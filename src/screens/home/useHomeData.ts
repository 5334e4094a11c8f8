import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useTheme } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Deck } from '../../store/deck.ts';
import { idOf, keyOf, viewOf } from '../../store/records.ts';
import { useDeck } from '../useDeck.ts';
import { examinedResources } from './problemTile.ts';
import { type HomeData, type Reading, unreadWords } from './tile.ts';
import { tiledResources } from './tiles.ts';

type Records = ReturnType<Deck['records']['getState']>;

/** What home is drawn from; another object whenever any of it is another. It is read and examined while the component is mounted. */
export function useHomeData(): HomeData {
  const deck = useDeck();
  const { glyphs } = useTheme();
  useEffect(() => deck.problems.want(), [deck]);
  const seen = useStore(deck.records, useShallow(seenIn));
  const events = useStore(deck.events);
  const problems = useStore(deck.problems);
  const { unexamined } = useStore(deck.survey);
  const { version } = useStore(deck.fleet);
  useFleet(deck);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is read from the facts and the records
  return useMemo((): HomeData => {
    const records = deck.records.getState();
    return {
      facts: deck.facts,
      reading: (resource) => readingIn(records, resource),
      problems,
      unexamined,
      fleet: deck.fleet,
      withoutEvents: events.polledAt === undefined ? (events.error?.message ?? 'Reading events …') : undefined,
      readOnly: deck.api.readOnly,
      glyphs,
    };
  }, [deck, seen, events, problems, unexamined, version, glyphs]);
}

/** So many servers can be asked about in the background before what was said of the first is old. */
const mostSummedUp = 150;

/** Has the statistics of servers read in the background. */
function useFleet({ records, known, fleet }: Deck): void {
  const servers = resourceNamed('servers');
  const ids = useStore(records, () =>
    known
      .rows(servers.name)
      .slice(0, mostSummedUp)
      .map((row) => idOf(servers, row))
      .join(' '),
  );
  useEffect(() => (ids === '' ? undefined : fleet.want(ids.split(' '), 'background')), [fleet, ids]);
}

/** All of the records that home shows: rows, and why others are not there. Much more is read while it is open. */
function seenIn(records: Records): readonly unknown[] {
  const { collections, answers } = records;
  return [
    ...examinedResources.map(({ name }) => unreadWords(readingIn(records, name))),
    ...tiledResources.map((name) => answers[keyOf(viewOf(resourceNamed(name), {}))]?.body),
    ...Object.values(collections).flatMap(({ resource, rows }) => (tiledResources.includes(resource) ? [rows] : [])),
  ];
}

/** The reading of a list, or of what there is only one of. */
function readingIn({ collections, answers }: Records, name: string): Reading | undefined {
  const resource = resourceNamed(name);
  return isSingle(resource)
    ? answers[keyOf(viewOf(resource, {}))]
    : collections[keyOf({ resource: name, operation: 'list', params: {} })];
}
