import { createStore, type StoreApi } from 'zustand/vanilla';
import { paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Rule } from '../../resources/problems/rule.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { CacheView, LoadedList, Resource } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import { type CacheChanges, isRefused } from '../cacheChanges.ts';
import type { EventsState, Poller } from '../events.ts';
import { createQueryKeys, type Query, viewQuery } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Scheduler } from '../scheduler.ts';

/** Queries about single rows that are too many to be read for the rules. */
export interface Unexamined {
  /** The resource of the operation: `records` for those of domains. */
  resource: string;
  /** `list`, or the operation on each row. */
  operation: string;
  /** The rows to query: those of the resource, for a list those of its parent; 0 for the events. */
  count: number;
  /** Of the events: from when on they were examined, in ms since the epoch. */
  since?: Timestamp;
}

export interface RuleQueriesState {
  unexamined: readonly Unexamined[];
  /** Queries that have neither succeeded nor failed yet. */
  pending: number;
}

/** Subscribes to the queries that rules need: the lists of the account, and within limits queries about single rows. */
export interface RuleQueries extends StoreApi<RuleQueriesState> {
  /** Subscribes, and adjusts the queries as the cache changes; returns an unsubscribe function. */
  start(): () => void;
  /** Whether the lists of the account that the rules need have all succeeded or failed once; or only those of some resources. */
  isReady(resources?: ReadonlySet<string>): boolean;
  /** Reads what these rules need from now on. */
  replaceRules(rules: readonly Rule[]): void;
}

interface RuleQueriesParts {
  rules: readonly Rule[];
  view: CacheView;
  cache: Cache;
  cacheChanges: Pick<CacheChanges, 'subscribe'>;
  scheduler: Pick<Scheduler, 'subscribe'>;
  events: Pick<Poller, 'getState'>;
}

/** The queries to read, and those left out. */
interface Plan {
  /** The lists of the account. */
  account: readonly Query[];
  /** About single rows. */
  unseen: readonly Query[];
  unexamined: readonly Unexamined[];
}

/** An operation on each row of a resource. */
interface RowOperation {
  resource: string;
  operation: string;
  about: Resource;
}

const maxRowQueries = 150;

const eventsName = resourceNamed('events').name;

const emptyPlan: Plan = { account: [], unseen: [], unexamined: [] };

export function createRuleQueries({
  rules: first,
  view,
  cache,
  cacheChanges,
  scheduler,
  events,
}: RuleQueriesParts): RuleQueries {
  const store = createStore<RuleQueriesState>(() => ({ unexamined: [], pending: 0 }));
  let [rules, needed] = [first, neededBy(first)];
  let rowOperations = rowOperationsOf(needed, rules);
  let subscribed: Plan = emptyPlan;
  let unsubscribers: { account?: () => void; unseen?: () => void } = {};
  let turn: NodeJS.Immediate | undefined;
  let unsubscribeChanges: (() => void) | undefined;

  const keyOf = createQueryKeys();
  let accountQueryOf = new Map(needed.map((resource) => [resource, accountQuery(resource)]));

  const entryOf = (query: Query) => {
    const { collections, answers } = cache.getState();
    const key = keyOf(query);
    return collections[key] ?? answers[key];
  };

  const isPending = (query: Query): boolean => entryOf(query)?.triedAt === undefined;

  /** Whether rules have rows to look up in a resource; catalogues are not read without. */
  const isLookedUp = ({ catalogue, name }: Resource): boolean =>
    !catalogue ||
    rules.some(
      ({ of, reads }) => of === name || (reads?.includes(name) && view.lists(of).some(({ rows }) => rows.length > 0)),
    );

  const accountQueries = (): readonly Query[] =>
    needed.filter(isLookedUp).flatMap((resource) => accountQueryOf.get(resource) ?? []);

  /** Refused operations: the refusal of one row, for want of a scope or of the operation, holds for all rows. */
  function refusedOperations(): ReadonlySet<string> {
    const { collections, answers, absent } = cache.getState();
    const refused = new Set(absent);
    for (const { query, error } of [...Object.values(collections), ...Object.values(answers)])
      if (error?.status === 403) refused.add(`${query.resource}.${query.operation}`);
    return refused;
  }

  const listsAbout = ({ about }: RowOperation): readonly LoadedList[] =>
    view.lists(about.name).filter(({ whole }) => whole);

  /** Admits operations with the fewest rows first, so that as many as possible cover all rows; refused ones are left out. */
  function plan(): Plan {
    const account = accountQueries().filter((query) => !isRefused(entryOf(query)));
    const unseen: Query[] = [];
    const areEventsRead = needed.some(({ name }) => name === eventsName);
    const unexamined: Unexamined[] = areEventsRead ? [...unexaminedEvents(events.getState())] : [];
    const refused = refusedOperations();
    const open = rowOperations
      .filter(({ resource, operation }) => !refused.has(`${resource}.${operation}`))
      .map((rowOperation) => ({
        rowOperation,
        count: listsAbout(rowOperation).reduce((sum, { rows }) => sum + rows.length, 0),
      }))
      .sort((one, other) => one.count - other.count);
    for (const { rowOperation, count } of open) {
      const { resource, operation } = rowOperation;
      if (unseen.length + count > maxRowQueries) unexamined.push({ resource, operation, count });
      else unseen.push(...listsAbout(rowOperation).flatMap((list) => queriesAbout(rowOperation, list)));
    }
    return { account, unseen, unexamined };
  }

  /** Subscribes to changed queries before it unsubscribes from the old ones. */
  function subscribe(urgency: 'account' | 'unseen', queries: readonly Query[]): void {
    if (isSame(queries, subscribed[urgency])) return;
    const before = unsubscribers[urgency];
    unsubscribers[urgency] = scheduler.subscribe(queries, urgency);
    before?.();
  }

  function update(): void {
    turn = undefined;
    const next = plan();
    subscribe('account', next.account);
    subscribe('unseen', next.unseen);
    subscribed = next;
    const { unexamined } = next;
    const pending = [...accountQueries(), ...next.unseen].filter(isPending).length;
    if (!isSame({ unexamined, pending }, store.getState())) store.setState({ unexamined, pending });
  }

  /** Batches changes, and leaves the notification that is being delivered. */
  function updateSoon(): void {
    turn ??= setImmediate(update);
  }

  function stop(): void {
    unsubscribeChanges?.();
    unsubscribeChanges = undefined;
    clearImmediate(turn);
    turn = undefined;
    for (const unsubscribe of Object.values(unsubscribers)) unsubscribe();
    unsubscribers = {};
    subscribed = emptyPlan;
  }

  return {
    ...store,
    start: () => {
      // The queries depend on which rows there are, not on their values.
      unsubscribeChanges = cacheChanges.subscribe((changes) => {
        if (changes.some(({ isStructural }) => isStructural)) updateSoon();
      });
      update();
      return stop;
    },
    isReady: (resources) =>
      !accountQueries().some((query) => (resources?.has(query.resource) ?? true) && isPending(query)),
    replaceRules: (next) => {
      [rules, needed] = [next, neededBy(next)];
      rowOperations = rowOperationsOf(needed, rules);
      accountQueryOf = new Map(needed.map((resource) => [resource, accountQuery(resource)]));
      if (unsubscribeChanges) updateSoon();
    },
  };
}

/** The resources that rules read, and their ancestors. */
function neededBy(rules: readonly Rule[]): readonly Resource[] {
  const named = rules.flatMap(({ of, reads = [] }) => [of, ...reads]).map(resourceNamed);
  return [...new Set(named.flatMap((resource) => [...ancestorsOf(resource).toReversed(), resource]))];
}

/** The query for all rows of a resource, where there is one; the newest events are polled anyway. */
function accountQuery(resource: Resource): readonly Query[] {
  const { name, list } = resource;
  if (isSingle(resource)) return [viewQuery(resource, {})];
  const isShort = list && !list.path.includes('{') && !isGradual(list) && name !== eventsName;
  return isShort ? [{ resource: name, operation: 'list', params: {} }] : [];
}

/** The operations on single rows that rules need: the lists below them, and those that rules name. */
function rowOperationsOf(needed: readonly Resource[], rules: readonly Rule[]): readonly RowOperation[] {
  const lists = needed.flatMap(({ name, under, list }): readonly RowOperation[] =>
    under !== undefined && list && !isGradual(list)
      ? [{ resource: name, operation: 'list', about: resourceNamed(under) }]
      : [],
  );
  const answers = new Map<string, RowOperation>();
  for (const { of, asks } of rules)
    for (const operation of [asks ?? []].flat())
      answers.set(`${of}.${operation}`, { resource: of, operation, about: resourceNamed(of) });
  return [...lists, ...answers.values()];
}

/** The events of the last day that were not read. */
const unexaminedEvents = ({ isDayKnown, knownSince, isReadingOn }: EventsState): readonly Unexamined[] =>
  knownSince !== undefined && !isDayKnown && !isReadingOn
    ? [{ resource: eventsName, operation: 'list', count: 0, since: knownSince }]
    : [];

const queriesAbout = ({ resource, operation, about }: RowOperation, { rows, params }: LoadedList): readonly Query[] =>
  rows.map((row) => ({ resource, operation, params: isSingle(about) ? {} : paramsOf(about, row, params) }));
