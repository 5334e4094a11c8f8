import { createStore } from 'zustand/vanilla';
import { idIn } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { CacheView, Resource } from '../../resources/resource.ts';
import { minute, timerDelay } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import { type CacheChanges, isRefused } from '../cacheChanges.ts';
import { type CacheState, entriesOf, entryAt } from '../entries.ts';
import type { EventsState, Poller } from '../events.ts';
import type { LastReading } from '../fleet.ts';
import { allOf } from '../listeners.ts';
import { eventsName, listQuery, type Query, queryKey, viewQuery } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Scheduler } from '../scheduler.ts';
import { createRuleTurns, createUpdates, type RowOperation, type Turn, type Unexamined } from './ruleTurns.ts';

export type { Unexamined } from './ruleTurns.ts';

export interface RuleQueriesState {
  unexamined: readonly Unexamined[];
  /** Queries that have neither succeeded nor failed yet. */
  pending: number;
}

/** Subscribes to the queries that rules need: the lists of the account, and within limits queries about single rows. */
export type RuleQueries = ReturnType<typeof createRuleQueries>;

interface RuleQueriesParts {
  rules: readonly Rule[];
  view: CacheView;
  cache: Cache;
  cacheChanges: Pick<CacheChanges, 'subscribe'>;
  scheduler: Pick<Scheduler, 'subscribe'>;
  events: Pick<Poller, 'getState'>;
  /** The last reading about a server, which is kept longer than its answer; undefined where it is out of date. */
  lastOf?: (operation: string, serverId: string) => Pick<LastReading, 'readAt'> | undefined;
  /** The problems that were found: what they are about is read at each turn. */
  found?: () => readonly Problem[];
}

/** The queries to read, and those left out. */
interface Plan extends Turn {
  /** The lists of the account. */
  account: readonly Query[];
  /** The queries about single rows in whose answers something critical may be found. */
  critical: readonly Query[];
}

/** The rows that were left out at one turn are read at the next; the pace of the scheduler is 20 requests a minute. */
const turnMs = 10 * minute;

const emptyPlan: Plan = { account: [], queries: [], critical: [], unexamined: [] };

/** Tells whether there is an answer about a row, fresh or not. Most rows have none, so only a known id is looked up. */
const knownIn =
  (cache: Cache, isLoaded: (query: Query) => boolean, lastOf: NonNullable<RuleQueriesParts['lastOf']>) =>
  ({ resource, operation, about }: RowOperation) => {
    const ids = new Set<string | undefined>();
    for (const { query, loadedAt } of Object.values(entriesOf(cache.getState())))
      if (query.resource === resource && query.operation === operation && loadedAt !== undefined)
        ids.add(idIn(about, query.params));
    const hasReading = about.name === resource;
    if (ids.size === 0 && !hasReading && !isSingle(about)) return undefined;
    return (id: string, query: () => Query): boolean =>
      ((ids.has(id) || isSingle(about)) && isLoaded(query())) ||
      (hasReading && lastOf(operation, id)?.readAt !== undefined);
  };

export function createRuleQueries({ rules, view, cache, cacheChanges, scheduler, events, ...parts }: RuleQueriesParts) {
  const { lastOf = () => undefined, found = () => [] } = parts;
  const store = createStore<RuleQueriesState>(() => ({ unexamined: [], pending: 0 }));
  let needs = needsOf(rules);
  let subscribed: Plan = emptyPlan;
  let unsubscribers: { account?: () => void; unseen?: () => void } = {};
  let wasReady = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribeChanges: (() => void) | undefined;

  const keyOf = memoize(queryKey);

  /** Whether the lists of the account that the rules need have all succeeded or failed once; or only those of some resources. */
  const isReady = (resources?: ReadonlySet<string>) =>
    !accountQueries().some((query) => (resources?.has(query.resource) ?? true) && isPending(query));

  const entryOf = (query: Query) => entryAt(cache.getState(), keyOf(query));

  const isPending = (query: Query): boolean => entryOf(query)?.triedAt === undefined;

  const isLoaded = (query: Query): boolean => entryOf(query)?.loadedAt !== undefined;

  const turns = createRuleTurns({ knownBy: knownIn(cache, isLoaded, lastOf), found });
  const updates = createUpdates(update);

  const accountQueries = (): readonly Query[] =>
    needs.lists.filter((one) => isLookedUp(one, view)).flatMap(({ queries }) => queries);

  /** The queries of this turn: those of the user's own rules first, then operations with the fewest rows. */
  function plan(): Plan {
    const account = accountQueries().filter((query) => !isRefused(entryOf(query)));
    const refused = refusedOperations(cache.getState());
    const open = needs.rowOperations.filter(({ resource, operation }) => !refused.has(`${resource}.${operation}`));
    const { queries, unexamined } = turns.take(open, view, isReady());
    const earlier = needs.areEventsRead ? unexaminedEvents(events.getState()) : [];
    return { account, queries, critical: queries.filter(isCritical), unexamined: [...earlier, ...unexamined] };
  }

  const isCritical = ({ resource, operation }: Query): boolean =>
    needs.rowOperations.some(
      (one) =>
        one.resource === resource &&
        one.operation === operation &&
        one.by.some(({ severity }) => severity === 'critical'),
    );

  /** Subscribes to changed queries before it unsubscribes from the old ones. */
  function subscribe(urgency: 'account' | 'unseen', queries: readonly Query[]): void {
    if (isSame(queries, urgency === 'account' ? subscribed.account : subscribed.queries)) return;
    const before = unsubscribers[urgency];
    unsubscribers[urgency] = scheduler.subscribe(queries, urgency);
    before?.();
  }

  function update(): void {
    updates.cancel();
    const next = plan();
    subscribe('account', next.account);
    subscribe('unseen', next.queries);
    subscribed = next;
    const { unexamined } = next;
    const pending = [...accountQueries(), ...next.queries].filter(isPending).length;
    if (!isSame({ unexamined, pending }, store.getState())) store.setState({ unexamined, pending });
    if (turns.rowsLeft() > 0 && !timer) waitForTurn();
  }

  /** Reads the rows that were left out once the others have been read. */
  function waitForTurn(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (subscribed.queries.some(isPending)) waitForTurn();
      else {
        turns.next();
        update();
      }
    }, timerDelay(turnMs)).unref();
  }

  /** Whether something critical may be found in an answer that is still to come. */
  const isExamining = () => !isReady() || subscribed.critical.some(isPending);

  /** The part of the answers that is there in which something critical may be found, from 0 to 1. */
  function progress(): number {
    const all = [...accountQueries(), ...subscribed.critical];
    return all.length === 0 ? 1 : all.filter((query) => !isPending(query)).length / all.length;
  }

  function stop(): void {
    unsubscribeChanges?.();
    unsubscribeChanges = undefined;
    updates.cancel();
    clearTimeout(timer);
    timer = undefined;
    turns.forget();
    for (const unsubscribe of Object.values(unsubscribers)) unsubscribe();
    unsubscribers = {};
    subscribed = emptyPlan;
  }

  return {
    ...store,
    /** Subscribes, and adjusts the queries as the cache changes; returns an unsubscribe function. */
    start: () => {
      unsubscribeChanges = allOf([
        cache.subscribe(() => {
          if (wasReady || !isReady()) return;
          wasReady = true;
          updates.soon();
        }),
        // The queries depend on which rows there are, and on their values only where a rule narrows them.
        cacheChanges.subscribe((changes) => {
          const { narrowed } = needs;
          if (changes.some((one) => one.isStructural || (one.kind === 'rows' && narrowed.has(one.resource))))
            updates.soon(turns.rowsLeft());
        }),
      ]);
      update();
      return stop;
    },
    isReady,
    isExamining,
    progress,
    /** Reads what these rules need from now on. */
    replaceRules: (next: readonly Rule[]) => {
      needs = needsOf(next);
      wasReady = false;
      if (unsubscribeChanges) updates.soon();
    },
  };
}

interface NeededList {
  resource: Resource;
  by: readonly Rule[];
  queries: readonly Query[];
}

/** The lists and answers that rules read, which every session with the same rules asks. */
const needsOf = memoize((rules: readonly Rule[]) => {
  const needed = [...new Set(rules.flatMap(readBy))];
  const lists = needed.map((resource): NeededList => {
    const by = rules.filter(({ of, reads }) => of === resource.name || reads?.includes(resource.name));
    return { resource, by, queries: accountQuery(resource) };
  });
  return {
    lists,
    rowOperations: rowOperationsOf(needed, rules),
    areEventsRead: needed.some(({ name }) => name === eventsName),
    /** The resources whose values tell about which of their rows is asked. */
    narrowed: new Set(rules.flatMap(({ of, fetchesOf }) => (fetchesOf ? [of] : []))),
  };
});

/** Whether rules have rows to look up in a list; catalogues are not read without. */
const isLookedUp = ({ resource: { catalogue, name }, by }: NeededList, view: CacheView): boolean =>
  !catalogue || by.some(({ of }) => of === name || view.lists(of).some(({ rows }) => rows.length > 0));

/** Refused operations: the refusal of one row, for want of a scope or of the operation, holds for all rows. */
function refusedOperations(state: CacheState): ReadonlySet<string> {
  const refused = new Set(state.absent);
  for (const { query, error } of Object.values(entriesOf(state)))
    if (error?.status === 403) refused.add(`${query.resource}.${query.operation}`);
  return refused;
}

/** The query for all rows of a resource, where there is one; the newest events are polled anyway. */
function accountQuery(resource: Resource): readonly Query[] {
  const { name, list } = resource;
  if (isSingle(resource)) return [viewQuery(resource, {})];
  return list && !list.path.includes('{') && !isGradual(list) && name !== eventsName ? [listQuery(resource)] : [];
}

/** The resources that a rule reads, and their ancestors. */
const readBy = memoize(({ of, reads = [] }: Rule): readonly Resource[] =>
  [of, ...reads].map(resourceNamed).flatMap((resource) => [...ancestorsOf(resource).toReversed(), resource]),
);

/** The operations on single rows that rules need: the lists below them, and those that rules name. */
function rowOperationsOf(needed: readonly Resource[], rules: readonly Rule[]): readonly RowOperation[] {
  const lists = needed.flatMap((resource): readonly RowOperation[] => {
    const { name, under, list } = resource;
    if (under === undefined || !list || isGradual(list)) return [];
    const by = rules.filter((rule) => readBy(rule).includes(resource));
    return [{ resource: name, operation: 'list', about: resourceNamed(under), by }];
  });
  const answers = new Map<string, RowOperation>();
  for (const rule of rules)
    for (const operation of [rule.fetches ?? []].flat()) {
      const key = `${rule.of}.${operation}`;
      const by = [...(answers.get(key)?.by ?? []), rule];
      answers.set(key, { resource: rule.of, operation, about: resourceNamed(rule.of), by });
    }
  return [...lists, ...answers.values()];
}

/** The events of the last day that were not read. */
const unexaminedEvents = ({ isDayKnown, knownSince, isReadingOn }: EventsState): readonly Unexamined[] =>
  knownSince !== undefined && !isDayKnown && !isReadingOn
    ? [{ resource: eventsName, operation: 'list', count: 0, of: 0, since: knownSince }]
    : [];
