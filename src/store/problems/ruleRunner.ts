import type { Difference } from '../../resources/differences.ts';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import { observeView } from '../../resources/observe.ts';
import { problemsOf } from '../../resources/problems/problem.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import type { CacheChange, CacheChanges } from '../cacheChanges.ts';
import { type Query, queryKey } from '../queries.ts';
import { isSame, rowIn } from '../rows.ts';
import { createDependents, createKnowledge, type RowRef } from './dependents.ts';

/** The result of one run. */
export interface RunResult {
  /** The problems that came, went or changed. */
  differences: readonly Difference<Problem>[];
  /** Those that are certainly new: all data that their rule read had been examined before without them. */
  news: readonly Problem[];
}

/** The findings of a run so far; of the news, some may be old and found only now. */
interface Findings {
  differences: Difference<Problem>[];
  news: Problem[];
}

interface ListResult {
  /** The problems by row id. */
  found: Map<string, readonly Problem[]>;
  /** The rules that have read the clock, by row id. */
  timed: Map<string, ReadonlySet<Rule>>;
}

/** Rows that are due, by their ids, for these rules; undefined for all rules. */
type DueRows = Map<string, ReadonlySet<Rule> | undefined>;

const maxRuleCallsPerStep = 25;

/**
 * @param isReady whether the lists of these resources have all succeeded or failed once; rules wait for those that they read
 */
export function createRuleRunner(
  rules: readonly Rule[],
  view: CacheView,
  cacheChanges: Pick<CacheChanges, 'loaded'>,
  isReady: (resources: ReadonlySet<string>) => boolean,
) {
  let rulesOf = Map.groupBy(rules, ({ of }) => of);
  let resourcesReadBy = readBy(rulesOf);
  const dependents = createDependents();
  /** The queries of lists by their keys, so that each list has one object. */
  const queries = new Map<string, Query>();
  const results = new Map<Query, ListResult>();
  /** One set of each content, as thousands of rows have the same. */
  const sets = new Map<string, ReadonlySet<Rule>>();
  /** The rows that are due, by their lists; undefined for all of a list. */
  let due = new Map<Query, DueRows | undefined>();
  const knowledge = createKnowledge(view, cacheChanges);
  let found: Findings = { differences: [], news: [] };
  /** Rule calls since the last step. */
  let calls = 0;
  let current: { row: RowRef; rule: Rule; timed: Set<Rule> } | undefined;

  const tracked = observeView(view, (read) => {
    if (!current) return;
    const { row, rule, timed } = current;
    if (read[0] === 'now') timed.add(rule);
    knowledge.read(rule, dependents.add(row, read));
  });

  const shared = (set: ReadonlySet<Rule>) => foundOrMade(sets, [...set].map(({ name }) => name).join(' '), () => set);

  const isReadyFor = (resource: string): boolean => isReady(resourcesReadBy.get(resource) ?? new Set());

  const noteRow = (list: Query, id: string | undefined, only?: ReadonlySet<Rule>): void =>
    void due.set(list, withDue(due.has(list) ? due.get(list) : new Map(), id, only));

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

  /** Examines one row by all rules of its resource, or by these; of the others their problems stay. */
  function problemsIn(list: Query, last: ListResult, row: Row, id: string, only?: ReadonlySet<Rule>) {
    const resource = resourceNamed(list.resource);
    const params = isSingle(resource) ? {} : paramsOf(resource, row, list.params);
    const of = { list, id, params };
    const found: Problem[] = [];
    const timed = new Set<Rule>();
    for (const rule of rulesOf.get(resource.name) ?? []) {
      if (only && !only.has(rule)) {
        found.push(...(last.found.get(id) ?? []).filter((problem) => problem.rule === rule.name));
        continue;
      }
      calls++;
      knowledge.examine(rule);
      current = { row: of, rule, timed };
      found.push(...problemsOf(rule, row, tracked, params));
    }
    current = undefined;
    if (timed.size > 0) last.timed.set(id, shared(timed));
    else last.timed.delete(id);
    return found;
  }

  function* examineList(list: Query, rows: readonly Row[] | undefined, due: DueRows | undefined): Generator<unknown> {
    const last = results.get(list) ?? { found: new Map(), timed: new Map() };
    if (rows) results.set(list, last);
    else results.delete(list);
    if (!due) {
      dependents.forget(list);
      last.timed.clear();
    }
    const problems = new Map<string, readonly Problem[]>();
    for (const [id, row] of rows ? rowsAmong(resourceNamed(list.resource), rows, due) : []) {
      const those = row ? problemsIn(list, last, row, id, due?.get(id)) : [];
      if (due || those.length > 0) problems.set(id, those);
      if (calls < maxRuleCallsPerStep) continue;
      calls = 0;
      yield;
    }
    settle(last, !due, problems, found);
  }

  /** Examines the rows due now, a few in each step; those whose rules wait for data stay due. */
  function* run(): Generator<unknown, RunResult> {
    const now = due;
    const end = knowledge.begin();
    due = new Map();
    for (const [name, lists] of Map.groupBy(now.keys(), ({ resource }) => resource)) {
      if (!isReadyFor(name)) {
        for (const list of lists) for (const [id, only] of now.get(list) ?? [[undefined]]) noteRow(list, id, only);
        continue;
      }
      const rows = new Map(view.lists(name).map((list) => [listOf(name, list.params), list.rows]));
      for (const list of lists) yield* examineList(list, rows.get(list), now.get(list));
    }
    const { differences, news } = found;
    found = { differences: [], news: [] };
    return { differences, news: end(news) };
  }

  /** Makes all rows due. */
  function noteAll(): void {
    for (const list of results.keys()) noteRow(list, undefined);
    for (const resource of rulesOf.keys())
      for (const { params } of view.lists(resource)) noteRow(listOf(resource, params), undefined);
  }

  /** Makes all rows due for these rules, which replace the others. */
  function replaceRules(next: readonly Rule[]): void {
    rulesOf = Map.groupBy(next, ({ of }) => of);
    sets.clear();
    resourcesReadBy = readBy(rulesOf);
    knowledge.replaceRules(next);
    noteAll();
  }

  return {
    note,
    /** Makes rows due for the rules that have read the clock there, and for all rules where one has read the load of servers. */
    noteTime: () => {
      for (const [list, { timed }] of results) for (const [id, only] of timed) noteRow(list, id, only);
      for (const id of view.measured()) dependents.measured(id, noteRow);
    },
    noteAll,
    replaceRules,
    isDue: () => [...due.keys()].some(({ resource }) => isReadyFor(resource)),
    run,
  };
}

/** The rows that are due with one more, for all rules or for these; undefined for all rows. */
function withDue(rows: DueRows | undefined, id: string | undefined, only?: ReadonlySet<Rule>): DueRows | undefined {
  if (!rows || id === undefined) return undefined;
  const before = rows.get(id);
  return rows.set(id, rows.has(id) && only ? before && new Set([...before, ...only]) : only);
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

/** Rows with their ids, each at its turn: all, or those that are due, undefined where the row is gone. */
function* rowsAmong(resource: Resource, rows: readonly Row[], due: DueRows | undefined) {
  if (due) for (const id of due.keys()) yield [id, rowIn(resource, rows, id)] as const;
  else for (const row of rows) yield [idOf(resource, row), row] as const;
}
