import type { Difference } from '../../resources/differences.ts';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import { problemsOf } from '../../resources/problems/problem.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import type { CacheChange, CacheChanges, LoadedEntry } from '../cacheChanges.ts';
import { mayBeIn, type Query, queryKey } from '../queries.ts';
import { isSame, rowIn } from '../rows.ts';
import { createDependents, type RowRef } from './dependents.ts';
import { observeView } from './observe.ts';

/** The result of one run. */
export interface RunResult {
  /** The problems that came, went or changed. */
  differences: readonly Difference<Problem>[];
  /** Those that are certainly new: all data that their rule read had been examined before without them. */
  news: readonly Problem[];
}

/** Runs rules on changed rows, and on rows whose rules have read data that changed. */
export interface RuleRunner {
  /** Notes a change of the cache. */
  note(change: CacheChange): void;
  /** Makes rows due whose rules have read the clock or the load of servers. */
  noteTime(): void;
  /** Makes all rows due. */
  noteAll(): void;
  isDue(): boolean;
  /** Examines the rows due now, a few in each step; those whose rules wait for data stay due. */
  run(): Generator<unknown, RunResult>;
  /** Makes all rows due for these rules, which replace the others. */
  replaceRules(rules: readonly Rule[]): void;
}

/** The findings of a run so far; of the news, some may be old and found only now. */
interface Findings {
  differences: Difference<Problem>[];
  news: Problem[];
}

/** The results of examining a list. */
interface ListResult {
  /** The problems by row id. */
  found: Map<string, readonly Problem[]>;
  /** The ids of rows whose rules have read the clock. */
  timed: Set<string>;
}

const maxRuleCallsPerStep = 25;

/**
 * @param isReady whether the lists of these resources have all succeeded or failed once; rules wait for those that they read
 */
export function createRuleRunner(
  rules: readonly Rule[],
  view: CacheView,
  cacheChanges: Pick<CacheChanges, 'loaded'>,
  isReady: (resources: ReadonlySet<string>) => boolean,
): RuleRunner {
  let rulesOf = Map.groupBy(rules, ({ of }) => of);
  /** The resources that the rules of a resource read. */
  let resourcesReadBy = readBy(rulesOf);
  const dependents = createDependents();
  /** The queries of lists by their keys, so that each list has one object. */
  const queries = new Map<string, Query>();
  const results = new Map<Query, ListResult>();
  /** The ids of the rows that are due, by their lists; undefined for all of a list. */
  let due = new Map<Query, Set<string> | undefined>();
  const knowledge = createKnowledge(view, cacheChanges);
  let found: Findings = { differences: [], news: [] };
  /** Rule calls since the last step. */
  let calls = 0;
  let current: { row: RowRef; rule: Rule; timed: Set<string> } | undefined;

  const tracked = observeView(view, (read) => {
    if (!current) return;
    const { row, rule, timed } = current;
    if (read[0] === 'now') timed.add(row.id);
    knowledge.read(rule, dependents.add(row, read));
  });

  const isReadyFor = (resource: string): boolean => {
    const names = resourcesReadBy.get(resource);
    return names === undefined || isReady(names);
  };

  function noteRow(list: Query, id: string | undefined): void {
    const ids = due.get(list) ?? new Set();
    if (due.has(list) && due.get(list) === undefined) return;
    due.set(list, id === undefined ? undefined : ids.add(id));
  }

  /** The query of a list, the same object each time. */
  function listOf(resource: string, params: Params): Query {
    const query = { resource, operation: 'list', params };
    return foundOrMade(queries, queryKey(query), () => query);
  }

  function note(change: CacheChange): void {
    const { kind, resource, query, differences } = change;
    const isEvents = query === undefined;
    // Rules read the events of the poller, not of the cache.
    if (resource === 'events' && !isEvents) return;
    if (rulesOf.has(resource)) {
      const description = resourceNamed(resource);
      if (kind === 'row' && isSingle(description)) noteRow(listOf(resource, {}), undefined);
      if (kind === 'rows' && (isEvents || query.operation === 'list')) {
        const list = listOf(resource, query?.params ?? {});
        if (!differences) noteRow(list, undefined);
        for (const { before, after } of differences ?? [])
          for (const row of [before, after]) if (row) noteRow(list, idOf(description, row));
      }
    }
    dependents.affected(change, noteRow);
  }

  /** Examines one row by all rules of its resource. */
  function problemsIn(list: Query, last: ListResult, row: Row, id: string): readonly Problem[] {
    const resource = resourceNamed(list.resource);
    const params = isSingle(resource) ? {} : paramsOf(resource, row, list.params);
    const of = { list, id, params };
    const found: Problem[] = [];
    last.timed.delete(id);
    for (const rule of rulesOf.get(resource.name) ?? []) {
      knowledge.examine(rule);
      current = { row: of, rule, timed: last.timed };
      found.push(...problemsOf(rule, row, tracked, params));
    }
    current = undefined;
    return found;
  }

  /** Examines the rows of a list that are due. */
  function* examineList(
    list: Query,
    rows: readonly Row[] | undefined,
    ids: ReadonlySet<string> | undefined,
  ): Generator<unknown> {
    const last = results.get(list) ?? { found: new Map(), timed: new Set() };
    if (rows) results.set(list, last);
    else results.delete(list);
    if (!ids) {
      dependents.forget(list);
      last.timed.clear();
    }
    const problems = new Map<string, readonly Problem[]>();
    for (const [id, row] of rows ? rowsAmong(resourceNamed(list.resource), rows, ids) : []) {
      const those = row ? problemsIn(list, last, row, id) : [];
      if (ids || those.length > 0) problems.set(id, those);
      calls += rulesOf.get(list.resource)?.length ?? 1;
      if (calls < maxRuleCallsPerStep) continue;
      calls = 0;
      yield;
    }
    settle(last, !ids, problems, found);
  }

  function* run(): Generator<unknown, RunResult> {
    const now = due;
    const end = knowledge.begin();
    due = new Map();
    for (const [name, lists] of Map.groupBy(now.keys(), ({ resource }) => resource)) {
      if (!isReadyFor(name)) {
        for (const list of lists) for (const id of now.get(list) ?? [undefined]) noteRow(list, id);
        continue;
      }
      const rows = new Map(view.lists(name).map((list) => [listOf(name, list.params), list.rows]));
      for (const list of lists) yield* examineList(list, rows.get(list), now.get(list));
    }
    const { differences, news } = found;
    found = { differences: [], news: [] };
    return { differences, news: end(news) };
  }

  function noteAll(): void {
    for (const list of results.keys()) noteRow(list, undefined);
    for (const resource of rulesOf.keys())
      for (const { params } of view.lists(resource)) noteRow(listOf(resource, params), undefined);
  }

  function replaceRules(next: readonly Rule[]): void {
    rulesOf = Map.groupBy(next, ({ of }) => of);
    resourcesReadBy = readBy(rulesOf);
    knowledge.replaceRules(next);
    noteAll();
  }

  return {
    note,
    noteTime: () => {
      for (const [list, { timed }] of results) for (const id of timed) noteRow(list, id);
      for (const id of view.measured()) dependents.measured(id, noteRow);
    },
    noteAll,
    replaceRules,
    isDue: () => [...due.keys()].some(({ resource }) => isReadyFor(resource)),
    run,
  };
}

/** Stores the problems of all or some rows of a list, and adds the differences to the findings. */
function settle(
  last: ListResult,
  isAll: boolean,
  found: ReadonlyMap<string, readonly Problem[]>,
  { differences, news }: Findings,
): void {
  const before = last.found;
  if (isAll) last.found = new Map();
  for (const id of isAll ? new Set([...before.keys(), ...found.keys()]) : found.keys()) {
    const was = before.get(id) ?? [];
    const is = (found.get(id) ?? []).map((problem) => was.find((one) => isSame(one, problem)) ?? problem);
    if (is.length > 0) last.found.set(id, is);
    else last.found.delete(id);
    for (const problem of was) if (!is.includes(problem)) differences.push({ before: problem, after: undefined });
    for (const problem of is) if (!was.includes(problem)) differences.push({ before: undefined, after: problem });
    news.push(...is.filter((problem) => !was.some((one) => one.id === problem.id)));
  }
}

const readBy = (rulesOf: ReadonlyMap<string, readonly Rule[]>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...rulesOf].map(([name, those]) => [name, new Set([name, ...those.flatMap(({ reads = [] }) => reads)])]));

/** Rows with their ids: all, or those of some ids, undefined where the row is gone. */
function* rowsAmong(
  resource: Resource,
  rows: readonly Row[],
  ids: ReadonlySet<string> | undefined,
): Generator<readonly [string, Row | undefined]> {
  if (ids) {
    for (const id of ids) yield [id, rowIn(resource, rows, id)];
    return;
  }
  for (const row of rows) yield [idOf(resource, row), row];
}

/** The data that rules have examined so far, which tell a problem that began from one that is only found now. */
function createKnowledge(view: CacheView, { loaded }: Pick<CacheChanges, 'loaded'>) {
  /** The names of entries that a rule has read so far. */
  const entriesReadBy = new Map<Rule, Set<string>>();
  /** The servers whose load was known. */
  const measured = new Set<string>();
  /** The loaded entries when the last run began. */
  let loadedBefore: ReadonlyMap<string, LoadedEntry> = new Map();

  return {
    /** A rule examines a row. */
    examine: (rule: Rule) => {
      if (!entriesReadBy.has(rule)) entriesReadBy.set(rule, new Set([rule.of]));
    },
    /** A rule has read an entry of this name. */
    read: (rule: Rule, entry: string) => void entriesReadBy.get(rule)?.add(entry),
    /** A run begins; at its end, the result tells which of its problems are certainly new. */
    begin: () => {
      const rules = new Map([...entriesReadBy.keys()].map((rule) => [rule.name, rule]));
      const before = loadedBefore;
      loadedBefore = loaded();
      return (problems: readonly Problem[]): readonly Problem[] => {
        const firstMeasured = [...view.measured()].filter((id) => !measured.has(id) && view.usage(id));
        for (const id of firstMeasured) measured.add(id);
        if (problems.length === 0) return [];
        const known = [...before.values()];
        const firstLoaded = [...loaded()].flatMap(([key, entry]) =>
          before.has(key) || isListed(entry, known) ? [] : [entry],
        );
        return problems.filter(({ rule: name, params }) => {
          const rule = rules.get(name);
          const entries = rule && entriesReadBy.get(rule);
          return (
            entries !== undefined &&
            !firstLoaded.some((entry) => entries.has(entry.name) && mayBeIn(params, entry.params)) &&
            !Object.values(params).some((id) => firstMeasured.includes(id))
          );
        });
      };
    },
    replaceRules: (rules: readonly Rule[]) => {
      for (const rule of entriesReadBy.keys()) if (!rules.includes(rule)) entriesReadBy.delete(rule);
    },
  };
}

/** Whether this is a row viewed alone whose list was read with all its fields. */
const isListed = ({ name, params }: LoadedEntry, known: readonly LoadedEntry[]): boolean =>
  known.some(
    (list) =>
      list.name === name &&
      Object.keys(list.params).length < Object.keys(params).length &&
      Object.entries(list.params).every(([key, value]) => params[key] === value) &&
      !resourceNamed(name).list?.partial,
  );
