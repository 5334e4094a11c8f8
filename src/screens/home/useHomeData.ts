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
  const unexamined = useStore(deck.survey, (state) => state.unexamined);
  const { version } = useStore(deck.fleet);
  useFleet(deck);
  useHealth(deck);
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

/** The ids of the first rows of a resource, with blanks between them. */
function useIds({ records, known }: Deck, name: string, most: number): string {
  const resource = resourceNamed(name);
  return useStore(records, () =>
    known
      .rows(name)
      .slice(0, most)
      .map((row) => idOf(resource, row))
      .join(' '),
  );
}

/** So many NodeBalancers are in sight at most. */
const mostInSight = 20;

/** Has the ports of NodeBalancers, which tell their health, read before what nobody sees. */
function useHealth(deck: Deck): void {
  const { glances } = deck;
  const ids = useIds(deck, 'nodebalancers', mostInSight);
  useEffect(() => {
    if (ids === '') return undefined;
    const portsOf = (nodeBalancerId: string) => ({
      resource: 'nodebalancerConfigs',
      operation: 'list',
      params: { nodeBalancerId },
    });
    return glances.want(ids.split(' ').map(portsOf));
  }, [glances, ids]);
}

/** Has the statistics of servers read in the background. */
function useFleet(deck: Deck): void {
  const { fleet } = deck;
  const ids = useIds(deck, 'servers', mostSummedUp);
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
