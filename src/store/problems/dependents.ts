import { idIn, idOf, liesUnder } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import type { ViewRead } from '../../resources/observe.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView, Params, Row, RowIndex } from '../../resources/resource.ts';
import { type CacheChange, type CacheChanges, entryName, type LoadedEntry } from '../cacheChanges.ts';
import { mayBeIn, type Query } from '../queries.ts';

/** An examined row: the query of its list, always the same object, and its id. */
export interface RowRef {
  list: Query;
  id: string;
  params: Params;
}

/** Called with the list and id of a row; without id for all rows of the list. */
type Notify = (list: Query, id: string | undefined) => void;

/** The ids of dependent rows of a list, by the key of what they depend on; undefined stands for all rows of the list. */
type RowsByKey = Map<string, Set<string> | undefined>;

/** More rows of a list count as all. */
const maxIds = 100;

const wordOf = (under: Params): string => {
  const [first] = Object.entries(under);
  return first ? `${first[0]}=${first[1]}` : '';
};
const wordsOf = (params: Params): readonly string[] =>
  Object.entries(params).map(([name, value]) => `${name}=${value}`);
const answerText = (params: Params): string => [...wordsOf(params)].sort().join('&');

interface Dependency {
  /** The name of the entry that was read; empty where it was none. */
  entry: string;
  /** Left out where nothing is recorded. */
  kind?: string;
  key: string;
  /** Whether the key is the id of the row itself. */
  isOwn?: boolean;
}

const nothing: Dependency = { entry: '', key: '' };

function dependencyOf(row: RowRef, [selector, given]: ViewRead): Dependency {
  switch (selector) {
    case 'events':
      return { entry: selector, kind: `rows ${selector}`, key: '' };
    case 'usage':
    case 'day':
    case 'transferShare':
      return { entry: '', kind: 'usage', key: given[0], isOwn: given[0] === row.id };
    // Relations look at all that is loaded.
    case 'loaded':
    case 'measured':
    case 'standing':
    case 'now':
      return nothing;
  }
  const [entry] = given;
  switch (selector) {
    case 'rows':
      return given[1]
        ? { entry, kind: `below ${entry}`, key: wordOf(given[1]) }
        : { entry, kind: `rows ${entry}`, key: '' };
    case 'lists':
      return { entry, kind: `rows ${entry}`, key: '' };
    case 'deleted':
      return { entry, kind: `deleted ${entry}`, key: '' };
    case 'row': {
      const id = String(given[1]);
      return { entry, kind: entry === row.list.resource && id === row.id ? undefined : `row ${entry}`, key: id };
    }
    case 'isRead':
      return { entry, kind: `whole ${entry}`, key: wordOf(given[1] ?? {}) };
    case 'find':
      return { entry, kind: `found ${entry} ${given[1].name}`, key: given[2], isOwn: given[2] === row.id };
    case 'answer': {
      const own = entryName(entry, given[1]);
      return { entry: own, kind: `answer ${own}`, key: answerText(given[2]), isOwn: given[2] === row.params };
    }
  }
}

/** The rows by what their rules have read. */
export function createDependents() {
  /** Rows by the kind of what they depend on, and by their lists, as these are fewer than keys. */
  const dependents = new Map<string, Map<Query, RowsByKey>>();
  /** The lists each of whose rows depends on the key that is its own id, by kind; so the rows need no entries. */
  const own = new Map<string, Set<Query>>();
  const indexes = new Map<string, Set<RowIndex>>();

  function addOther({ list, id }: RowRef, kind: string, key: string): void {
    const byList = foundOrMade(dependents, kind, () => new Map());
    const byKey: RowsByKey = foundOrMade(byList, list, () => new Map());
    if (byKey.has(key) && byKey.get(key) === undefined) return;
    const ids = byKey.get(key) ?? new Set();
    byKey.set(key, ids.size < maxIds ? ids.add(id) : undefined);
  }

  function add(row: RowRef, read: ViewRead): string {
    const { entry, kind, key, isOwn = false } = dependencyOf(row, read);
    const [name, given] = read;
    if (name === 'find') foundOrMade(indexes, given[0], () => new Set()).add(given[1]);
    if (kind !== undefined && isOwn) foundOrMade(own, kind, () => new Set()).add(row.list);
    else if (kind !== undefined) addOther(row, kind, key);
    return entry;
  }

  function notifyRows(list: Query, ids: ReadonlySet<string> | undefined, notify: Notify): void {
    if (ids) for (const id of ids) notify(list, id);
    else notify(list, undefined);
  }

  function notifyOthers(kind: string, key: string, notify: Notify): void {
    for (const [list, byKey] of dependents.get(kind) ?? [])
      if (byKey.has(key)) notifyRows(list, byKey.get(key), notify);
  }

  function notifyKey(kind: string, key: string, notify: Notify): void {
    notifyOthers(kind, key, notify);
    for (const list of own.get(kind) ?? []) notify(list, key);
  }

  function notifyKind(kind: string, notify: Notify): void {
    for (const [list, byKey] of dependents.get(kind) ?? [])
      for (const ids of byKey.values()) notifyRows(list, ids, notify);
    for (const list of own.get(kind) ?? []) notify(list, undefined);
  }

  function affected({ kind, query, resource, differences, isStructural, name }: CacheChange, notify: Notify): void {
    const params = query?.params ?? {};
    const notifyOne = (kind: string, key: string) => notifyKey(kind, key, notify);
    const notifyAll = (kind: string) => notifyKind(kind, notify);
    const id = idIn(resourceNamed(resource), params);
    if (kind === 'answer') {
      notifyOthers(`answer ${name}`, answerText(params), notify);
      for (const list of own.get(`answer ${name}`) ?? []) if (liesUnder(params, list.params)) notify(list, id);
      return;
    }
    if (kind === 'row' && id !== undefined && !isSingle(resourceNamed(resource))) {
      notifyOne(`row ${resource}`, id);
      return;
    }
    for (const kind of isStructural ? ['rows', 'whole', 'deleted'] : ['rows']) notifyAll(`${kind} ${resource}`);
    if (!differences) {
      for (const kind of ['row', 'below']) notifyAll(`${kind} ${resource}`);
      for (const { name } of indexes.get(resource) ?? []) notifyAll(`found ${resource} ${name}`);
      return;
    }
    if (differences.length > 0) for (const word of ['', ...wordsOf(params)]) notifyOne(`below ${resource}`, word);
    for (const { before, after } of differences) {
      const rows = [before, after].filter((row): row is Row => row !== undefined);
      for (const id of new Set(rows.map((row) => idOf(resourceNamed(resource), row)))) notifyOne(`row ${resource}`, id);
      for (const index of indexes.get(resource) ?? [])
        for (const value of new Set(rows.flatMap(index.valuesOf))) notifyOne(`found ${resource} ${index.name}`, value);
    }
  }

  return {
    /** Records a read; returns the name of the entry that was read. */
    add,
    /** Notifies of the rows that depend on a change. */
    affected,
    /** Notifies of the rows that depend on the load of a server. */
    measured: (serverId: string, notify: Notify) => notifyKey('usage', serverId, notify),
    /** Forgets the dependencies of the rows of a list. */
    forget: (list: Query) => {
      for (const byList of dependents.values()) byList.delete(list);
    },
  };
}

/** The data that rules have examined so far, which tell a problem that began from one that is only found now. */
export function createKnowledge(view: CacheView, { loaded }: Pick<CacheChanges, 'loaded'>) {
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
      liesUnder(params, list.params) &&
      !resourceNamed(name).list?.partial,
  );
