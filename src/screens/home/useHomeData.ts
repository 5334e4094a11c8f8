import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Glyphs } from '../../components/format.ts';
import { useTheme } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import type { Resource } from '../../resources/resource.ts';
import { listQuery, type Query, queryKey, viewQuery } from '../../store/cache.ts';
import { statsOf } from '../../store/fleet.ts';
import { type EventsState, reachOf } from '../../store/history/eventLog.ts';
import type { ProblemsState } from '../../store/problems/problems.ts';
import { reuseList } from '../../store/rows.ts';
import { changesNothing } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { tellLater, useQueries, useStores } from '../useStores.ts';
import { managedTile, moneyTile, ticketsTile } from './accountTiles.ts';
import { balancersTile } from './balancersTile.ts';
import { fleetTile, regionsTile, serversTile } from './computeTiles.ts';
import { activityTile, happeningTile } from './eventTiles.ts';
import { examinedResources, problemTile } from './problemTile.ts';
import { storageTile } from './storageTile.ts';
import { ageStepMs, type HomeData, type QueryState, type Tile, unreadText } from './tile.ts';

type CacheState = ReturnType<Stores['cache']['getState']>;

/** The data of home, a new object whenever any of it changes. It is read and examined while the component is mounted. */
export function useHomeData(): HomeData {
  const stores = useStores();
  const { glyphs } = useTheme();
  useEffect(() => stores.problems.watch(), [stores]);
  const [select] = useState(createSelector);
  const selected = useStore(stores.cache, select);
  const events = useStore(stores.events, useShallow(selectEvents));
  const { problems, acknowledged, isExamined } = useStore(stores.problems, useShallow(selectProblems));
  const examining = useStore(
    stores.ruleQueries,
    useShallow(({ unexamined }) => ({
      unexamined,
      isIt: stores.ruleQueries.isExamining(),
      isLoading: !stores.ruleQueries.isReady(),
    })),
  );
  const examinedPercent = useExaminedPercent(stores, examining.isIt);
  const version = useFleetVersion(stores);
  // A new object has the memoized tiles made again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the fleet
  const fleet = useMemo(() => ({ dayOf: stores.fleet.dayOf, requested: stores.fleet.requested }), [stores, version]);
  const found = useMemo(
    () => ({ problems, acknowledged, examinedAt: isExamined ? stores.problems.getState().examinedAt : undefined }),
    [stores, problems, acknowledged, isExamined],
  );
  useQueries(useQueriesAbout(stores, 'servers', maxServers, statsOf), 'background');
  // The ports of NodeBalancers have their health.
  useQueries(useQueriesAbout(stores, 'nodebalancers', maxBalancers, portsOf), 'row');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view and the cache change with what is selected
  return useMemo(
    (): HomeData => ({ ...homeDataOf(stores, glyphs), problems: found, fleet, examinedPercent }),
    [stores, selected, events, found, examining, examinedPercent, fleet, glyphs],
  );
}

/** The data of home at this moment, of an account that may be in the background. */
export function homeDataOf(
  { cache, view, problems, ruleQueries, fleet, events, api }: Stores,
  glyphs: Glyphs,
): HomeData {
  const state = cache.getState();
  return {
    view,
    queryState: (resource) => queryStateIn(state, resource),
    problems: problems.getState(),
    unexamined: ruleQueries.getState().unexamined,
    isExamining: ruleQueries.isExamining() || events.getState().isReadingOn === true,
    isLoading:
      !ruleQueries.isReady() || problems.getState().examinedAt === undefined || events.getState().isReadingOn === true,
    fleet,
    noEventsReason: selectEvents(events.getState()).noEventsReason,
    eventsReach: reachOf(events.getState()),
    readOnly: changesNothing(api),
    glyphs,
  };
}

/** The percent of the answers to be examined that are there; it never falls, though more come to be read. */
function useExaminedPercent({ cache, ruleQueries }: Stores, isExamining: boolean): number | undefined {
  const most = useRef(0);
  return useStore(cache, () => {
    if (!isExamining) return undefined;
    // The last ones may lead to more.
    most.current = Math.max(most.current, Math.min(99, Math.floor(ruleQueries.progress() * 100)));
    return most.current;
  });
}

/** The version of the fleet, followed in steps, so that not every answer draws home again. */
function useFleetVersion({ fleet }: Stores): number {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => tellLater(fleet, drawAgain, () => ageStepMs), [fleet]);
  return fleet.getState().version;
}

/** More could not be read in the background before the first answer is out of date. */
const maxServers = 150;

/** No screen has room for more. */
export const maxBalancers = 20;

/** Reads the ports of a NodeBalancer. */
export const portsOf = (nodeBalancerId: string): Query =>
  listQuery(resourceNamed('nodebalancer-configs'), { nodeBalancerId });

/** One query about each of the first rows of a resource. */
function useQueriesAbout(
  { cache, view }: Stores,
  name: string,
  maxRows: number,
  queryAbout: (id: string) => Query,
): readonly Query[] {
  const resource = resourceNamed(name);
  const rows = useStore(cache, () => view.rows(name));
  return useMemo(
    () => rows.slice(0, maxRows).map((row) => queryAbout(idOf(resource, row))),
    [rows, resource, maxRows, queryAbout],
  );
}

/** The events of home, and a number that changes when ages are to count on. */
const selectEvents = ({ events, polledAt, error, isDayKnown, isReadingOn, isProgressKnown }: EventsState) => ({
  events,
  noEventsReason: polledAt === undefined ? (error?.message ?? 'Reading events …') : undefined,
  age: Math.floor((polledAt ?? 0) / ageStepMs),
  isDayKnown,
  isReadingOn,
  isProgressKnown,
});

const selectProblems = ({ problems, acknowledged, examinedAt }: ProblemsState) => ({
  problems,
  acknowledged,
  isExamined: examinedAt !== undefined,
});

/** The keys of the query for the list of a resource and for its only row: every change of the cache needs them. */
const queryKeysOf = memoize((resource: Resource) => ({
  listed: queryKey(listQuery(resource)),
  viewed: queryKey(viewQuery(resource, {})),
}));

/** Selects what home shows of the cache, the same list while none of it changes: much more is read while it is open. */
function createSelector(): (cache: CacheState) => readonly unknown[] {
  let selected: readonly unknown[] = [];

  /** The rows of lists, collected again only when a list changes: most answers are about single rows. */
  const rowsIn = memoizeOne((collections: CacheState['collections']) => {
    const rows: unknown[] = [];
    for (const key in collections) {
      const collection = collections[key];
      if (collection && tileResources.includes(collection.resource)) rows.push(collection.rows);
    }
    return rows;
  });

  return (cache) => {
    const now: unknown[] = [...rowsIn(cache.collections)];
    for (const { name } of examinedResources()) {
      const state = queryStateIn(cache, name);
      now.push(unreadText(state), state?.keptAt);
    }
    for (const name of tileResources) now.push(cache.answers[queryKeysOf(resourceNamed(name)).viewed]?.body);
    selected = reuseList(selected, now);
    return selected;
  };
}

/** The state of the query for a list, or for the only row. */
function queryStateIn({ collections, answers }: CacheState, name: string): QueryState | undefined {
  const resource = resourceNamed(name);
  const { listed, viewed } = queryKeysOf(resource);
  return isSingle(resource) ? answers[viewed] : collections[listed];
}

/** The resources that the tiles show. Home itself does not read them: the rules of problems do. */
export const tileResources: readonly string[] = [
  'servers',
  'regions',
  'nodebalancers',
  'nodebalancer-configs',
  'managed-services',
  'managed-issues',
  'volumes',
  'images',
  'buckets',
  'object-storage',
  'account',
  'invoices',
  'tickets',
  'replies',
];

/** Pure functions that make the tiles, the most important first. */
export const tileBuilders: readonly ((data: HomeData) => Tile | undefined)[] = [
  problemTile,
  happeningTile,
  serversTile,
  regionsTile,
  fleetTile,
  balancersTile,
  managedTile,
  storageTile,
  moneyTile,
  ticketsTile,
  activityTile,
];

/** All tiles of home. */
export const homeTiles = (data: HomeData): readonly Tile[] =>
  tileBuilders.map((build) => build(data)).filter((tile) => tile !== undefined);
