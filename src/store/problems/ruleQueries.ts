import { createStore, type StoreApi } from 'zustand/vanilla';
import { paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Rule } from '../../resources/problems/rule.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { CacheView, LoadedList, Resource } from '../../resources/resource.ts';
import type { Cache } from '../cache.ts';
import { type CacheChanges, isRefused } from '../cacheChanges.ts';
import { createQueryKeys, type Query, viewQuery } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Scheduler } from '../scheduler.ts';

/** Questions that are asked about single rows only when somebody opens these: there are too many. */
export interface Unexamined {
  /** The resource of the operation: `records` for the cache of domains. */
  resource: string;
  /** `list`, or the operation that is asked about each row. */
  operation: string;
  /** Rows that it is asked about: those of the resource, for a list those of what it lies under. */
  count: number;
}

export interface RuleQueriesState {
  unexamined: readonly Unexamined[];
  /** Questions that were not answered yet, well or not. */
  pending: number;
}

/** Reads what the rules of problems look at: the lists of the account, and what belongs to single rows within a budget. */
export interface RuleQueries extends StoreApi<RuleQueriesState> {
  /** Subscribes to what the rules look at, and to other queries as that changes; returns an unsubscribe function. */
  start(): () => void;
  /** Whether every list of the account that the rules need was read once, well or not; or only those of some resources. */
  isReady(resources?: ReadonlySet<string>): boolean;
}

interface SurveyParts {
  rules: readonly Rule[];
  view: CacheView;
  cache: Cache;
  cacheChanges: Pick<CacheChanges, 'subscribe'>;
  scheduler: Pick<Scheduler, 'subscribe'>;
}

/** The queries whose answers are wanted, and what is left out. */
interface Plan {
  /** The lists of the account. */
  account: readonly Query[];
  /** About single rows. */
  unseen: readonly Query[];
  unexamined: readonly Unexamined[];
}

/** Something that is asked about each row of a resource. */
interface Kind {
  resource: string;
  operation: string;
  about: Resource;
}

/** The most queries about single rows, in all. */
const most = 150;

const nothing: Plan = { account: [], unseen: [], unexamined: [] };

export function createRuleQueries({ rules, view, cache, cacheChanges, scheduler }: SurveyParts): RuleQueries {
  const store = createStore<RuleQueriesState>(() => ({ unexamined: [], pending: 0 }));
  const needed = neededBy(rules);
  const kinds = kindsAmong(needed, rules);
  let wanted: Plan = nothing;
  let unsubscribers: { account?: () => void; unseen?: () => void } = {};
  let turn: NodeJS.Immediate | undefined;
  let leaveChanges: (() => void) | undefined;

  const keyOfAsked = createQueryKeys();
  const ofAccount = new Map(needed.map((resource) => [resource, accountQuestion(resource)]));

  const entryOf = (query: Query) => {
    const { collections, answers } = cache.getState();
    const key = keyOfAsked(query);
    return collections[key] ?? answers[key];
  };

  const isPending = (query: Query): boolean => entryOf(query)?.triedAt === undefined;

  /** Catalogues are read only while there is something to look up in them. */
  const isLookedUp = ({ catalogue, name }: Resource): boolean =>
    !catalogue ||
    rules.some(
      ({ of, reads }) => of === name || (reads?.includes(name) && view.lists(of).some(({ rows }) => rows.length > 0)),
    );

  const accountQuestions = (): readonly Query[] =>
    needed.filter(isLookedUp).flatMap((resource) => ofAccount.get(resource) ?? []);

  /** The kinds that are refused. One refusal speaks for all rows: it is a scope that is missing, or the API has no such operation. */
  function refusedKinds(): ReadonlySet<string> {
    const { collections, answers, absent } = cache.getState();
    const refused = new Set(absent);
    for (const { query, error } of [...Object.values(collections), ...Object.values(answers)])
      if (error?.status === 403) refused.add(`${query.resource}.${query.operation}`);
    return refused;
  }

  const listsAbout = ({ about }: Kind): readonly LoadedList[] => view.lists(about.name).filter(({ whole }) => whole);

  /** Divides the limit among the kinds, the smallest first, so that as many as possible are asked about every row; what is refused is not asked for again. */
  function plan(): Plan {
    const account = accountQuestions().filter((query) => !isRefused(entryOf(query)));
    const unseen: Query[] = [];
    const unexamined: Unexamined[] = [];
    const refused = refusedKinds();
    const open = kinds
      .filter(({ resource, operation }) => !refused.has(`${resource}.${operation}`))
      .map((kind) => ({ kind, count: listsAbout(kind).reduce((sum, { rows }) => sum + rows.length, 0) }))
      .sort((one, other) => one.count - other.count);
    for (const { kind, count } of open) {
      const { resource, operation } = kind;
      if (unseen.length + count > most) unexamined.push({ resource, operation, count });
      else unseen.push(...listsAbout(kind).flatMap((list) => queriesAbout(kind, list)));
    }
    return { account, unseen, unexamined };
  }

  /** Subscribes to other queries than before, and only then leaves those. */
  function subscribe(urgency: 'account' | 'unseen', queries: readonly Query[]): void {
    if (isSame(queries, wanted[urgency])) return;
    const before = unsubscribers[urgency];
    unsubscribers[urgency] = scheduler.subscribe(queries, urgency);
    before?.();
  }

  function renew(): void {
    turn = undefined;
    const next = plan();
    subscribe('account', next.account);
    subscribe('unseen', next.unseen);
    wanted = next;
    const { unexamined } = next;
    const pending = [...accountQuestions(), ...next.unseen].filter(isPending).length;
    if (!isSame({ unexamined, pending }, store.getState())) store.setState({ unexamined, pending });
  }

  /** Changes come in swarms, and while the stores are being told of them. */
  function renewSoon(): void {
    turn ??= setImmediate(renew);
  }

  function leave(): void {
    leaveChanges?.();
    clearImmediate(turn);
    turn = undefined;
    for (const unsubscribe of Object.values(unsubscribers)) unsubscribe();
    unsubscribers = {};
    wanted = nothing;
  }

  return {
    ...store,
    start: () => {
      // The values of rows have no part in what is asked about them.
      leaveChanges = cacheChanges.subscribe((changes) => {
        if (changes.some(({ isStructural }) => isStructural)) renewSoon();
      });
      renew();
      return leave;
    },
    isReady: (resources) =>
      !accountQuestions().some((query) => (resources?.has(query.resource) ?? true) && isPending(query)),
  };
}

/** The resources at whose rows rules look, and those above them. */
function neededBy(rules: readonly Rule[]): readonly Resource[] {
  const named = rules.flatMap(({ of, reads = [] }) => [of, ...reads]).map(resourceNamed);
  return [...new Set(named.flatMap((resource) => [...ancestorsOf(resource).toReversed(), resource]))];
}

/** The query for all there is of a resource, where one tells; of events the newest are read anyway. */
function accountQuestion(resource: Resource): readonly Query[] {
  const { name, list } = resource;
  if (isSingle(resource)) return [viewQuery(resource, {})];
  const isShort = list && !list.path.includes('{') && !isGradual(list) && name !== resourceNamed('events').name;
  return isShort ? [{ resource: name, operation: 'list', params: {} }] : [];
}

/** Lists what to ask about single rows: the lists below them, and further operations whose answers rules look at. */
function kindsAmong(needed: readonly Resource[], rules: readonly Rule[]): readonly Kind[] {
  const lists = needed.flatMap(({ name, under, list }): readonly Kind[] =>
    under !== undefined && list && !isGradual(list)
      ? [{ resource: name, operation: 'list', about: resourceNamed(under) }]
      : [],
  );
  const answers = new Map<string, Kind>();
  for (const { of, asks } of rules)
    if (asks !== undefined) answers.set(`${of}.${asks}`, { resource: of, operation: asks, about: resourceNamed(of) });
  return [...lists, ...answers.values()];
}

const queriesAbout = ({ resource, operation, about }: Kind, { rows, params }: LoadedList): readonly Query[] =>
  rows.map((row) => ({ resource, operation, params: isSingle(about) ? {} : paramsOf(about, row, params) }));
