import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useTheme } from '../../components/theme.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { paramsOf } from '../../resources/identity.ts';
import { fetchedFor, resources } from '../../resources/index.ts';
import { linksFrom, linksTo } from '../../resources/links.ts';
import { memoize } from '../../resources/memoize.ts';
import { dependingView, memoizeBy } from '../../resources/observe.ts';
import { byUrgency, problemsOf } from '../../resources/problems/problem.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { ancestorsOf, type Relations, relationsOf } from '../../resources/relations.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import { allRules } from '../../resources/rules/index.ts';
import { type Query, queryKey } from '../../store/cache.ts';
import { isTelling, isWhole } from '../../store/entries.ts';
import type { Event, EventsState } from '../../store/events.ts';
import { isWithoutReadings } from '../../store/fleet.ts';
import { ownEvents, ownEventsQuery } from '../../store/history/history.ts';
import { minute, momentWords, type Timestamp } from '../../text/times.ts';
import { useCardLines } from '../Card.tsx';
import { countOfLines, placeholderText, type TileLine } from '../home/tile.ts';
import { useVisibleAnswers } from '../list/useFetches.ts';
import { useReads } from '../useReads.ts';
import { type CustomProps, noQueries, useAnswer, useCollection, useQueries, useStores } from '../useStores.ts';
import { graphsBlock } from './graphsBlock.ts';
import { columnWidths, type OverviewBlock, roomFrom } from './layout.ts';
import { useReadings } from './reads.ts';
import { leadsBlock, nearestOf, relatedBlock, unseenOf } from './relatedBlock.ts';
import {
  changedBlock,
  commandsBlock,
  countsBlock,
  eventsBlock,
  jobLine,
  lockLines,
  problemsBlock,
  summaryLines,
} from './smallBlocks.ts';

/** The parts of the overview of a row; what they need is read while the component is mounted. */
export function useOverview({ resource, params, row, width, height }: CustomProps) {
  const stores = useStores();
  const theme = useTheme();
  const { view, acknowledgements } = stores;
  const keptLists = useStore(stores.keptChanges, (state) => state.lists);
  const hasRoom = width >= roomFrom.width && height >= roomFrom.height;
  const readings = useReadings(resource, row, params, hasRoom);
  const graphs = useGraphs(resource, row, params, hasRoom);
  const relations = useRelations(resource, row, params);
  useQueries(useUnseen(resource, relations, hasRoom), 'row');
  const { events, none } = useOwnEvents(resource, params);
  const problems = useTracked((tracked) => problemsAround(resource, row, params, tracked), [resource, row, params]);
  const listed = useStore(stores.problems, (state) => state.problems);
  const leads = useTracked((tracked) => resource.overview?.leads?.(row, tracked), [resource, row]);

  const isFacts = resource.overview?.summary === undefined;
  const widths = columnWidths(width, isFacts);
  useReads(resource, [params]);
  const counted = resource.overview?.counts?.list;
  const counting = counted && readings.find(({ resource: { name } }) => name === counted);
  const graphsTab = resource.tabs?.find((tab) => tab.title === 'Graphs');
  const around = [
    relatedBlock({ subject: resource, label: resource.label(row), params, relations, readings, view, events }),
    resource.entity ? eventsBlock(events, resource, params, none, widths.blocks) : undefined,
  ].filter((block) => block !== undefined);
  const blocks = [
    problemsBlock(problems, (problem) => acknowledgements.of(problem) !== undefined, widths.blocks),
    changedBlock({ resource, theme, now: stores.now(), width: widths.blocks }, params, row, keptLists),
    graphs &&
      graphsBlock({
        ...graphs,
        rows: graphRows(height, widths.columns, around, graphs.graphs?.length),
        link: graphsTab && {
          place: { screen: 'detail', resource: resource.name, params, tab: graphsTab.title.toLowerCase() },
        },
      }),
    counting && countsBlock(resource, params, view.rows(counted, params), view, counting.placeholder),
    commandsBlock(resource, row, view, widths.blocks),
    leads && leadsBlock(leads),
  ].filter((block) => block !== undefined);
  const areBelow = isFacts || !hasRoom;
  const before = [...blocks, ...(areBelow ? [] : around)];
  const factsWidth = before.length + around.length === 0 ? width : widths.facts;
  const operations = fetchedFor(resource.columns);
  const visible = useMemo(() => [row], [row]);
  useVisibleAnswers(resource, visible, params, operations);
  const stateOf = useStates(resource.name, params, operations);
  const summary = summaryLines(row, { resource, theme, cacheView: view, events }, width, hasRoom ? 2 : 1);
  const locks = lockLines(stores.guards.denials(resource, params, row), width);
  const told = [...summary.told, ...((graphs && resource.overview?.graphs?.tell) ?? [])];
  const cardLines = useCardLines(resource, row, factsWidth - 3, { stateOf, told });
  const facts = cardLines.map((text, index): TileLine => ({ id: `fact:${index}`, text: `  ${text} `, draw: () => [] }));

  return {
    top: [...summary.lines, ...locks, ...events.filter(isInProgress).map(jobLine)],
    before,
    facts,
    after: areBelow ? around : [],
    /** The facts are most of it. */
    isFacts,
    /** Nothing is being read that would make it higher. */
    isSettled:
      graphs?.placeholder !== '…' && readings.every(({ placeholder }) => placeholder !== '…') && none !== readingEvents,
    /** The problems that the list of problems has. */
    listed,
    nearest: () => nearestOf(resource, relations, view),
  };
}

/** The lines of each graph of the day on a page of this height; in two columns of blocks they are as high as the others. */
function graphRows(height: number, columns: number, others: readonly OverviewBlock[], count = 1): number {
  if (columns < 2) return columns === 0 ? 1 : Math.max(1, Math.floor((height - 6) / 10));
  const beside = others.reduce((sum, block) => sum + 2 + countOfLines(block), -2);
  return Math.max(1, Math.min(10, Math.floor((height - 18) / 4), Math.max(4, Math.ceil(beside / count))));
}

/** The words for operations that have not answered. */
function useStates(resource: string, params: Params, operations: readonly string[]) {
  const words = useStore(
    useStores().cache,
    useShallow(({ answers }) =>
      operations.map((operation) => {
        const answer = answers[queryKey({ resource, operation, params })];
        return answer?.error && isWithoutReadings(answer.error) ? undefined : placeholderText(answer);
      }),
    ),
  );
  return (operation: string): string | undefined => {
    const word = words[operations.indexOf(operation)];
    return word === '…' ? 'Reading …' : word;
  };
}

/** The newest events of a row, and the sentence where there are none; ages count on once a minute. */
function useOwnEvents(resource: Resource, params: Params): { events: readonly Event[]; none: string } {
  const { events: poller, now } = useStores();
  const query = useMemo(() => ownEventsQuery(resource, params), [resource, params]);
  const read = useCollection(query, 'row');
  const polled = useStore(
    poller,
    useShallow(({ events, knownSince, polledAt, error }: EventsState) => ({
      events,
      knownSince,
      error: polledAt === undefined ? error?.message : undefined,
      age: Math.floor((polledAt ?? 0) / minute),
    })),
  );
  const { events: newest, knownSince, error } = polled;
  return useMemo(() => {
    const { events, since } = ownEvents(resource, params, { events: newest, knownSince }, read);
    return { events, none: noneText(since, error, now()) };
  }, [resource, params, newest, knownSince, read, error, now]);
}

const readingEvents = 'Reading events …';

/** Says that a row has no events, as far as that is known. */
function noneText(since: Timestamp | undefined, error: string | undefined, now: Timestamp): string {
  if (since === undefined) return error ?? readingEvents;
  return since === 0 ? 'None in the last 90 days.' : `None since ${momentWords(since, now)}; the tab has 90 days.`;
}

/** The graphs of the day, read where there is room; undefined where the description has none. */
export function useGraphs(resource: Resource, row: Row, params: Params, hasRoom: boolean) {
  const { graphs } = resource.overview ?? {};
  const query = useMemo(
    () => (graphs && hasRoom ? { resource: resource.name, operation: graphs.operation, params } : undefined),
    [graphs, hasRoom, resource, params],
  );
  const answer = useAnswer(query, 'row');
  return useMemo(() => {
    if (!graphs || !query) return undefined;
    const isEmpty = answer?.error && isWithoutReadings(answer.error);
    const known = answer?.body ? graphs.of(answer.body as Row, row) : isEmpty ? [] : undefined;
    return { graphs: known, placeholder: known ? undefined : placeholderText(answer) };
  }, [graphs, query, answer, row]);
}

/** The loaded rows to which a row is related, found again when any of them changes. */
export function useRelations(resource: Resource, row: Row, params: Params) {
  const { cache, view } = useStores();
  const names = namesAround(resource);
  const used = useStore(
    cache,
    useShallow(({ collections, answers }) => [
      ...Object.values(collections).flatMap((one) =>
        names.has(one.resource) && isTelling(one) ? [one.rows, isWhole(one)] : [],
      ),
      ...Object.values(answers).flatMap(({ query, body }) =>
        query.operation === 'view' && body && names.has(query.resource) ? [body] : [],
      ),
    ]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the loaded rows decide
  return useMemo(() => relationsOf(resource, row, params, view), [resource, row, params, view, used]);
}

/** The queries for rows of which only the id is known, kept while they are read and afterwards. */
function useUnseen(resource: Resource, relations: Relations, hasRoom: boolean): readonly Query[] {
  const asked = useRef(new Map<string, Query>());
  if (hasRoom) for (const query of unseenOf(resource, relations)) asked.current.set(queryKey(query), query);
  return hasRoom ? [...asked.current.values()].slice(0, maxUnseen) : noQueries;
}

/** More are not worth their requests. */
const maxUnseen = 4;

/** The resources whose rows may be related to rows of a resource; events are shown by themselves. */
const namesAround = memoize((resource: Resource): ReadonlySet<string> => {
  const around = [
    ...ancestorsOf(resource),
    ...linksFrom(resource).map(({ to }) => to),
    ...linksTo(resource).map(({ from }) => from),
  ];
  const names = around.flatMap((one) => [one, ...ancestorsOf(one)]).map(({ name }) => name);
  return new Set(
    [...names, ...(resource.overview?.related ?? []).map(({ list }) => list)].filter((name) => name !== 'events'),
  );
});

/** A value made from the cache, again when something changes that it was made from. */
function useTracked<T>(work: (view: CacheView) => T, of: readonly unknown[]): T {
  const { cache, view } = useStores();
  const [memoized] = useState(() =>
    memoizeBy((data: { view: CacheView; work: typeof work; of: typeof of }, depend) => {
      depend((next) => next.of.every((one, index) => one === data.of[index]));
      return data.work(dependingView(data, depend, minute));
    }),
  );
  return useStore(cache, () => memoized({ view, work, of }));
}

/** Children beyond these are not examined. */
const maxChildren = 500;

/** The problems that rules find in a row and in its loaded children, the most urgent first; nothing is read for them. */
function problemsAround(resource: Resource, row: Row, params: Params, view: CacheView): readonly Problem[] {
  const children = resources
    .filter(({ under }) => under === resource.name)
    .flatMap((child) =>
      view
        .rows(child.name, params)
        .slice(0, maxChildren)
        .flatMap((one) => found(child, one, paramsOf(child, one, params), view)),
    );
  return [...found(resource, row, params, view), ...children].sort(byUrgency);
}

const found = ({ name }: Resource, row: Row, params: Params, view: CacheView): readonly Problem[] =>
  allRules()
    .filter(({ of }) => of === name)
    .flatMap((rule) => problemsOf(rule, row, view, params));
