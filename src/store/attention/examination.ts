import type { Difference } from '../../resources/differences.ts';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { problemsOf } from '../../resources/problems/problem.ts';
import type { Facts, LoadedList, Problem, Rule } from '../../resources/problems/rule.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { type Looked, watched } from '../facts.ts';
import { keyOf, mayBeIn, questionOf } from '../questions.ts';
import { isSame, rowIn } from '../rows.ts';
import { type Change, nameOf, type Versions } from '../versions.ts';
import { createLookups, type Examined } from './lookups.ts';

/** The result of one run of an examination. */
export interface Findings {
  /** The problems that came, went or say something else than before. */
  differences: readonly Difference<Problem>[];
  /** Those that came and may not have been there before: all that their rule looked at was known already without them. */
  news: readonly Problem[];
}

/** Examines rows by rules: those that have changed, and those for which something was looked at that has changed. */
export interface Examination {
  /** Something that is loaded has changed. */
  note(change: Change): void;
  /** Time has passed: what was looked at together with the clock, and how busy servers are, may mean something else. */
  noteTime(): void;
  /** Anything may have changed. */
  noteAll(): void;
  isDue(): boolean;
  /** Examines what is due now, some rows in each step; what waits for other things to be read stays due. */
  run(): Generator<unknown, Findings>;
}

/** A list whose rows are examined, with what is known from the last time. */
interface Listing {
  key: string;
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
export function createExamination(
  rules: readonly Rule[],
  facts: Facts,
  versions: Pick<Versions, 'loaded'>,
  isReady: (resources: ReadonlySet<string>) => boolean,
): Examination {
  const rulesOf = Map.groupBy(rules, ({ of }) => of);
  /** The resources that the rules of a resource look at. */
  const looksAt = new Map(
    [...rulesOf].map(([name, those]) => [name, new Set([name, ...those.flatMap(({ reads = [] }) => reads)])] as const),
  );
  const lookups = createLookups();
  const listings = new Map<string, Listing>();
  /** The ids of the rows that are due, by the keys of their lists; undefined for all of a list. */
  let due = new Map<string, Set<string> | undefined>();
  /** The names of what a rule has looked at so far. */
  const names = new Map<Rule, Set<string>>();
  /** The servers of which it was known how busy they are. */
  const measured = new Set<string>();
  /** All that was loaded when the last run began, by the keys of the questions. */
  let loadedThen: ReadonlyMap<string, string> = new Map();
  /** Problems that came or went since the end of the last run. */
  let differences: Difference<Problem>[] = [];
  let fresh: Problem[] = [];
  /** The number of looks since the last step. */
  let looks = 0;
  let current: { row: Examined; rule: Rule; timed: Set<string> } | undefined;

  const noted = watched(facts, (looked) => {
    if (!current) return;
    const { row, rule, timed } = current;
    if (looked.kind === 'now') timed.add(row.id);
    lookups.note(row, looked);
    names.get(rule)?.add(nameIn(looked));
  });

  const isReadyFor = (resource: string): boolean => {
    const names = looksAt.get(resource);
    return names === undefined || isReady(names);
  };

  function noteRow(list: string, id: string | undefined): void {
    const ids = due.get(list) ?? new Set();
    if (due.has(list) && due.get(list) === undefined) return;
    due.set(list, id === undefined ? undefined : ids.add(id));
  }

  function noteRows(list: string, ids: Iterable<string | undefined> = [undefined]): void {
    for (const id of ids) noteRow(list, id);
  }

  const listKey = (resource: string, params: Params) => keyOf({ resource, operation: 'list', params });

  function note(change: Change): void {
    const { kind, resource, params, key, differences } = change;
    const isEvents = key === undefined;
    // The events are those of the poller.
    if (resource === 'events' && !isEvents) return;
    if (rulesOf.has(resource)) {
      const description = resourceNamed(resource);
      if (kind === 'row' && isSingle(description)) noteRow(listKey(resource, {}), undefined);
      if (kind === 'rows' && (isEvents || questionOf(key).operation === 'list')) {
        const list = listKey(resource, params);
        if (!differences) noteRow(list, undefined);
        for (const { before, after } of differences ?? [])
          for (const row of [before, after]) if (row) noteRow(list, idOf(description, row));
      }
    }
    lookups.affected(change, noteRow);
  }

  /** Examines one row by all rules of its resource. */
  function examined(resource: Resource, list: LoadedList, listing: Listing, row: Row, id: string): readonly Problem[] {
    const params = isSingle(resource) ? {} : paramsOf(resource, row, list.params);
    const of = { list: listing.key, resource: resource.name, id, params };
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
    key: string,
    resource: Resource,
    list: LoadedList | undefined,
    ids: ReadonlySet<string> | undefined,
  ): Generator<unknown> {
    const listing = listings.get(key) ?? { key, found: new Map(), timed: new Set() };
    if (list) listings.set(key, listing);
    else listings.delete(key);
    if (!ids) {
      lookups.forget(key);
      listing.timed.clear();
    }
    const found = new Map<string, readonly Problem[]>();
    for (const [id, row] of list ? rowsAmong(resource, list.rows, ids) : []) {
      const problems = row && list ? examined(resource, list, listing, row, id) : [];
      if (ids || problems.length > 0) found.set(id, problems);
      looks += rulesOf.get(resource.name)?.length ?? 1;
      if (looks < atOnce) continue;
      looks = 0;
      yield;
    }
    settle(listing, !ids, found);
  }

  function* run(): Generator<unknown, Findings> {
    const [now, seen] = [due, new Set(names.keys())];
    const before = { loaded: loadedThen, measured: new Set(measured) };
    due = new Map();
    loadedThen = versions.loaded();
    for (const [name, keys] of Map.groupBy(now.keys(), (key) => questionOf(key).resource)) {
      if (!isReadyFor(name)) {
        for (const key of keys) noteRows(key, now.get(key));
        continue;
      }
      const lists = new Map(facts.lists(name).map((list) => [listKey(name, list.params), list]));
      for (const key of keys) yield* runThrough(key, resourceNamed(name), lists.get(key), now.get(key));
    }
    for (const id of facts.measured()) if (facts.usage(id)) measured.add(id);
    const isNews = newsAfter(before, seen);
    const findings = { differences, news: fresh.length > 0 ? fresh.filter(isNews) : [] };
    differences = [];
    fresh = [];
    return findings;
  }

  /** Tells problems that are news from those that may have been there before something was known for the first time. */
  function newsAfter(
    before: { loaded: ReadonlyMap<string, string>; measured: ReadonlySet<string> },
    seen: ReadonlySet<Rule>,
  ): (problem: Problem) => boolean {
    const unseen = [...versions.loaded()].filter(([key]) => !before.loaded.has(key));
    const firstMeasured = [...measured].filter((id) => !before.measured.has(id));
    return ({ rule: name, params }) => {
      const rule = [...seen].find((rule) => rule.name === name);
      const looked = rule && names.get(rule);
      return (
        looked !== undefined &&
        !unseen.some(([key, name]) => looked.has(name) && mayBeIn(params, questionOf(key).params)) &&
        !Object.values(params).some((id) => firstMeasured.includes(id))
      );
    };
  }

  return {
    note,
    noteTime: () => {
      for (const { key, timed } of listings.values()) for (const id of timed) noteRow(key, id);
      for (const id of facts.measured()) lookups.measured(id, noteRow);
    },
    noteAll: () => {
      for (const key of listings.keys()) noteRow(key, undefined);
      for (const resource of rulesOf.keys())
        for (const { params } of facts.lists(resource)) noteRow(listKey(resource, params), undefined);
    },
    isDue: () => [...due.keys()].some((key) => isReadyFor(questionOf(key).resource)),
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
function nameIn(looked: Looked): string {
  if (looked.kind === 'now' || looked.kind === 'usage') return '';
  return looked.kind === 'answer' ? nameOf(looked.resource, looked.operation) : looked.resource;
}
