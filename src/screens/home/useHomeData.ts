import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useTheme } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { idOf, type Query, queryKey, viewQuery } from '../../store/cache.ts';
import type { EventsState } from '../../store/events.ts';
import { statsOf } from '../../store/fleet.ts';
import type { ProblemsState } from '../../store/problems.ts';
import { unlessSame } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { useQueries, useStores } from '../useStores.ts';
import { examinedResources } from './problemTile.ts';
import { type HomeData, placeholderText, type QueryState } from './tile.ts';
import { tileResources } from './tiles.ts';

type Records = ReturnType<Stores['cache']['getState']>;

/** Home is drawn from this; another object whenever any of it is. Read and examined while the component is mounted. */
export function useHomeData(): HomeData {
  const stores = useStores();
  const { glyphs } = useTheme();
  useEffect(() => stores.problems.want(), [stores]);
  const [seenIn] = useState(createSelector);
  const seen = useStore(stores.cache, seenIn);
  const events = useStore(stores.events, useShallow(selectEvents));
  const { problems, acknowledged, isExamined } = useStore(stores.problems, useShallow(selectProblems));
  const unexamined = useStore(stores.survey, (state) => state.unexamined);
  const version = useFleetVersion(stores);
  // Tiles that are kept are made anew when this is another object.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when something of the fleet has changed
  const fleet = useMemo(() => ({ dayOf: stores.fleet.dayOf, asked: stores.fleet.asked }), [stores, version]);
  const found = useMemo(
    () => ({ problems, acknowledged, examinedAt: isExamined ? stores.problems.getState().examinedAt : undefined }),
    [stores, problems, acknowledged, isExamined],
  );
  useRowQueries(stores);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is read from the view and the cache
  return useMemo((): HomeData => {
    const cache = stores.cache.getState();
    return {
      view: stores.view,
      queryState: (resource) => queryStateIn(cache, resource),
      problems: found,
      unexamined,
      fleet,
      noEventsReason: events.without,
      readOnly: stores.api.readOnly,
      glyphs,
    };
  }, [stores, seen, events, found, unexamined, fleet, glyphs]);
}

/** The version of the fleet; by itself it is looked at only now and then, so that no single answer is drawn. */
function useFleetVersion({ fleet }: Stores): number {
  const [, setVersion] = useState(0);
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      timer = undefined;
      setVersion(fleet.getState().version);
    };
    const unsubscribe = fleet.subscribe(() => {
      timer ??= setTimeout(look, agesLast);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [fleet]);
  return fleet.getState().version;
}

/** So many servers can be asked about in the background before what was said of the first is old. */
const maxServers = 150;

/** So many NodeBalancers are in sight at most. */
const maxBalancers = 20;

/** Subscribes to the statistics of servers, and to the ports of NodeBalancers, which tell their health, before what nobody sees. */
function useRowQueries(stores: Stores): void {
  useQueries(useQueriesAbout(stores, 'servers', maxServers, statsOf), 'background');
  useQueries(useQueriesAbout(stores, 'nodebalancers', maxBalancers, portsOf), 'row');
}

const portsOf = (nodeBalancerId: string): Query => ({
  resource: 'nodebalancer-configs',
  operation: 'list',
  params: { nodeBalancerId },
});

/** One query about each of the first rows of a resource. */
function useQueriesAbout(
  { cache, view }: Stores,
  name: string,
  most: number,
  queryAbout: (id: string) => Query,
): readonly Query[] {
  const resource = resourceNamed(name);
  const rows = useStore(cache, () => view.rows(name));
  return useMemo(
    () => rows.slice(0, most).map((row) => queryAbout(idOf(resource, row))),
    [rows, resource, most, queryAbout],
  );
}

/** Ages count on so often where nothing else changes, in milliseconds: with a poll after that. */
const agesLast = 5_000;

/** All of the events that home shows, and a number that is another one when ages are to count on. */
const selectEvents = ({ events, polledAt, error }: EventsState) => ({
  events,
  without: polledAt === undefined ? (error?.message ?? 'Reading events …') : undefined,
  age: Math.floor((polledAt ?? 0) / agesLast),
});

const selectProblems = ({ problems, acknowledged, examinedAt }: ProblemsState) => ({
  problems,
  acknowledged,
  isExamined: examinedAt !== undefined,
});

/** Under what a resource is read: its list, and what there is only one of. */
interface QueryKeys {
  listed: string;
  viewed: string;
}

const keys = new Map<string, QueryKeys>();

/** Looked up, since every change of the cache asks for all of them. */
function queryKeysOf(name: string): QueryKeys {
  const known = keys.get(name);
  if (known) return known;
  const found = {
    listed: queryKey({ resource: name, operation: 'list', params: {} }),
    viewed: queryKey(viewQuery(resourceNamed(name), {})),
  };
  keys.set(name, found);
  return found;
}

/** Finds all of the cache that home shows, the very list of before where nothing of it has changed: rows, and why others are not there. Much more is read while it is open. */
function createSelector(): (cache: Records) => readonly unknown[] {
  let last: { collections: Records['collections']; rows: readonly unknown[] } | undefined;
  let seen: readonly unknown[] = [];

  /** The rows of lists, looked for anew only when a list is another: most of what comes in are answers about single rows. */
  function rowsIn(collections: Records['collections']): readonly unknown[] {
    if (last?.collections !== collections) {
      const rows: unknown[] = [];
      for (const key in collections) {
        const collection = collections[key];
        if (collection && tileResources.includes(collection.resource)) rows.push(collection.rows);
      }
      last = { collections, rows };
    }
    return last.rows;
  }

  return (cache) => {
    const now: unknown[] = [...rowsIn(cache.collections)];
    for (const { name } of examinedResources) now.push(placeholderText(queryStateIn(cache, name)));
    for (const name of tileResources) now.push(cache.answers[queryKeysOf(name).viewed]?.body);
    seen = unlessSame(seen, now);
    return seen;
  };
}

/** The reading of a list, or of what there is only one of. */
function queryStateIn({ collections, answers }: Records, name: string): QueryState | undefined {
  const { listed, viewed } = queryKeysOf(name);
  return isSingle(resourceNamed(name)) ? answers[viewed] : collections[listed];
}
