import type { Difference } from '../../resources/differences.ts';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { problemsOf } from '../../resources/problems/problem.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import { type CacheChange, type CacheChanges, entryName, type LoadedEntry } from '../cacheChanges.ts';
import { mayBeIn, type Query, queryKey } from '../queries.ts';
import { isSame, rowIn } from '../rows.ts';
import { createDependents, type RowRef } from './dependents.ts';
import { type Dependency, trackingView } from './trackingView.ts';

/** The result of one run of an examination. */
export interface RunResult {
  /** The problems that came, went or say something else than before. */
  differences: readonly Difference<Problem>[];
  /** Those that came and may not have been there before: all that their rule looked at was known already without them. */
  news: readonly Problem[];
}

/** Examines rows by rules: those that have changed, and those for which something was looked at that has changed. */
export interface RuleRunner {
  /** Something that is loaded has changed. */
  note(change: CacheChange): void;
  /** Time has passed: what was looked at together with the clock, and how busy servers are, may mean something else. */
  noteTime(): void;
  /** Anything may have changed. */
  noteAll(): void;
  isDue(): boolean;
  /** Examines what is due now, some rows in each step; what waits for other things to be read stays due. */
  run(): Generator<unknown, RunResult>;
}

/** A list whose rows are examined, with what is known from the last time. */
interface Listing {
  /** The rows in which something was found, by their ids. */
  found: Map<string, readonly Problem[]>;
  /** The rows for which the clock was looked at. */
  timed: Set<string>;
}

/** So many times a row is looked at by a rule in one step. */
const atOnce = 25;

/**
 * @param isReady whether the lists of all these resources were read once, well or not: what looks at others waits for them
 */
export function createRuleRunner(
  rules: readonly Rule[],
  view: CacheView,
  cacheChanges: Pick<CacheChanges, 'loaded'>,
  isReady: (resources: ReadonlySet<string>) => boolean,
): RuleRunner {
  const rulesOf = Map.groupBy(rules, ({ of }) => of);
  /** The resources that the rules of a resource look at. */
  const looksAt = new Map(
    [...rulesOf].map(([name, those]) => [name, new Set([name, ...those.flatMap(({ reads = [] }) => reads)])] as const),
  );
  const lookups = createDependents();
  /** The queries of lists by their keys: each list has one object, which stands for it. */
  const queries = new Map<string, Query>();
  const listings = new Map<Query, Listing>();
  /** The ids of the rows that are due, by their lists; undefined for all of a list. */
  let due = new Map<Query, Set<string> | undefined>();
  /** The names of what a rule has looked at so far. */
  const names = new Map<Rule, Set<string>>();
  /** The servers of which it was known how busy they are. */
  const measured = new Set<string>();
  /** All that was loaded when the last run began. */
  let loadedThen: ReadonlyMap<string, LoadedEntry> = new Map();
  /** Problems that came or went since the end of the last run. */
  let differences: Difference<Problem>[] = [];
  let fresh: Problem[] = [];
  /** The number of looks since the last step. */
  let looks = 0;
  let current: { row: RowRef; rule: Rule; timed: Set<string> } | undefined;

  const noted = trackingView(view, (looked) => {
    if (!current) return;
    const { row, rule, timed } = current;
    if (looked.kind === 'now') timed.add(row.id);
    lookups.add(row, looked);
    names.get(rule)?.add(nameIn(looked));
  });

  const isReadyFor = (resource: string): boolean => {
    const names = looksAt.get(resource);
    return names === undefined || isReady(names);
  };

  function noteRow(list: Query, id: string | undefined): void {
    const ids = due.get(list) ?? new Set();
    if (due.has(list) && due.get(list) === undefined) return;
    due.set(list, id === undefined ? undefined : ids.add(id));
  }

  function noteRows(list: Query, ids: Iterable<string | undefined> = [undefined]): void {
    for (const id of ids) noteRow(list, id);
  }

  /** The query of a list, the same object each time. */
  function listOf(resource: string, params: Params): Query {
    const query = { resource, operation: 'list', params };
    const key = queryKey(query);
    const known = queries.get(key) ?? query;
    queries.set(key, known);
    return known;
  }

  function note(change: CacheChange): void {
    const { kind, resource, query, differences } = change;
    const isEvents = query === undefined;
    // The events are those of the poller.
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
    lookups.affected(change, noteRow);
  }

  /** Examines one row by all rules of its resource. */
  function examined(list: Query, listing: Listing, row: Row, id: string): readonly Problem[] {
    const resource = resourceNamed(list.resource);
    const params = isSingle(resource) ? {} : paramsOf(resource, row, list.params);
    const of = { list, id, params };
    const found: Problem[] = [];
    listing.timed.delete(id);
    for (const rule of rulesOf.get(resource.name) ?? []) {
      if (!names.has(rule)) names.set(rule, new Set([resource.name]));
      current = { row: of, rule, timed: listing.timed };
      found.push(...problemsOf(rule, row, noted, params));
    }
    current = undefined;
    return found;
  }

  /** Takes in what was found in rows of a list: in all of them, or in some. */
  function settle(listing: Listing, isAll: boolean, found: ReadonlyMap<string, readonly Problem[]>): void {
    const before = listing.found;
    if (isAll) listing.found = new Map();
    for (const id of isAll ? new Set([...before.keys(), ...found.keys()]) : found.keys()) {
      const was = before.get(id) ?? [];
      const is = (found.get(id) ?? []).map((problem) => was.find((one) => isSame(one, problem)) ?? problem);
      if (is.length > 0) listing.found.set(id, is);
      else listing.found.delete(id);
      for (const problem of was) if (!is.includes(problem)) differences.push({ before: problem, after: undefined });
      for (const problem of is) if (!was.includes(problem)) differences.push({ before: undefined, after: problem });
      fresh.push(...is.filter((problem) => !was.some((one) => one.id === problem.id)));
    }
  }

  /** Examines the rows of a list that are due. */
  function* runThrough(
    list: Query,
    rows: readonly Row[] | undefined,
    ids: ReadonlySet<string> | undefined,
  ): Generator<unknown> {
    const listing = listings.get(list) ?? { found: new Map(), timed: new Set() };
    if (rows) listings.set(list, listing);
    else listings.delete(list);
    if (!ids) {
      lookups.forget(list);
      listing.timed.clear();
    }
    const found = new Map<string, readonly Problem[]>();
    for (const [id, row] of rows ? rowsAmong(resourceNamed(list.resource), rows, ids) : []) {
      const problems = row ? examined(list, listing, row, id) : [];
      if (ids || problems.length > 0) found.set(id, problems);
      looks += rulesOf.get(list.resource)?.length ?? 1;
      if (looks < atOnce) continue;
      looks = 0;
      yield;
    }
    settle(listing, !ids, found);
  }

  function* run(): Generator<unknown, RunResult> {
    const [now, seen] = [due, new Set(names.keys())];
    const before = { loaded: loadedThen, measured: new Set(measured) };
    due = new Map();
    loadedThen = cacheChanges.loaded();
    for (const [name, lists] of Map.groupBy(now.keys(), ({ resource }) => resource)) {
      if (!isReadyFor(name)) {
        for (const list of lists) noteRows(list, now.get(list));
        continue;
      }
      const rows = new Map(view.lists(name).map((list) => [listOf(name, list.params), list.rows]));
      for (const list of lists) yield* runThrough(list, rows.get(list), now.get(list));
    }
    for (const id of view.measured()) if (view.usage(id)) measured.add(id);
    const isNews = newsAfter(before, seen);
    const findings = { differences, news: fresh.length > 0 ? fresh.filter(isNews) : [] };
    differences = [];
    fresh = [];
    return findings;
  }

  /** Tells problems that are news from those that may have been there before something was known for the first time. */
  function newsAfter(
    before: { loaded: ReadonlyMap<string, LoadedEntry>; measured: ReadonlySet<string> },
    seen: ReadonlySet<Rule>,
  ): (problem: Problem) => boolean {
    const unseen = [...cacheChanges.loaded()].flatMap(([key, loaded]) => (before.loaded.has(key) ? [] : [loaded]));
    const firstMeasured = [...measured].filter((id) => !before.measured.has(id));
    return ({ rule: name, params }) => {
      const rule = [...seen].find((rule) => rule.name === name);
      const looked = rule && names.get(rule);
      return (
        looked !== undefined &&
        !unseen.some((loaded) => looked.has(loaded.name) && mayBeIn(params, loaded.params)) &&
        !Object.values(params).some((id) => firstMeasured.includes(id))
      );
    };
  }

  return {
    note,
    noteTime: () => {
      for (const [list, { timed }] of listings) for (const id of timed) noteRow(list, id);
      for (const id of view.measured()) lookups.measured(id, noteRow);
    },
    noteAll: () => {
      for (const list of listings.keys()) noteRow(list, undefined);
      for (const resource of rulesOf.keys())
        for (const { params } of view.lists(resource)) noteRow(listOf(resource, params), undefined);
    },
    isDue: () => [...due.keys()].some(({ resource }) => isReadyFor(resource)),
    run,
  };
}

/** Rows with their ids: all, or those of some ids, without a row where there is none any more. */
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

/** The name under which what was looked at is counted as loaded. */
function nameIn(looked: Dependency): string {
  if (looked.kind === 'now' || looked.kind === 'usage') return '';
  return looked.kind === 'answer' ? entryName(looked.resource, looked.operation) : looked.resource;
}
