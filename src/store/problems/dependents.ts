import { idIn, idOf } from '../../resources/identity.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Params, Row, RowIndex } from '../../resources/resource.ts';
import { type CacheChange, entryName } from '../cacheChanges.ts';
import { liesUnder, type Query } from '../queries.ts';
import type { Dependency } from './trackingView.ts';

/** A row that is examined: its list by the query, always the same object, and its id there. */
export interface RowRef {
  list: Query;
  id: string;
  params: Params;
}

/** Remembers which rows were examined by looking at which things. */
export interface Dependents {
  add(row: RowRef, looked: Dependency): void;
  /** Tells the rows for which something was looked at that has changed. */
  affected(change: CacheChange, tell: Tell): void;
  /** Tells the rows for which it was asked how busy a server is. */
  measured(serverId: string, tell: Tell): void;
  /** Forgets what was looked at for the rows of a list. */
  forget(list: Query): void;
}

/** Told a row by its list and id; all rows of the list where the id is undefined. */
type Tell = (list: Query, id: string | undefined) => void;

/** The rows that were examined by looking at one thing: ids by list; undefined where these are so many that all of a list may well have been. */
type Lookers = Map<Query, Set<string> | undefined>;

/** More rows of a list than this are not told apart. */
const maxIds = 100;

const wordOf = (under: Params): string => {
  const [first] = Object.entries(under);
  return first ? `${first[0]}=${first[1]}` : '';
};
const wordsOf = (params: Params): readonly string[] =>
  Object.entries(params).map(([name, value]) => `${name}=${value}`);
const answerText = (params: Params): string => [...wordsOf(params)].sort().join('&');

/** The kind of what was looked at, what tells it apart, and whether that is the id of the row itself; no kind where nothing is to be noted. */
function placeOf(row: RowRef, looked: Dependency): readonly [kind: string | undefined, thing: string, isOwn: boolean] {
  const { kind } = looked;
  if (kind === 'now') return [undefined, '', false];
  if (kind === 'usage') return ['usage', looked.serverId, looked.serverId === row.id];
  const { resource } = looked;
  if (kind === 'row') {
    const isItself = resource === row.list.resource && looked.id === row.id;
    return [isItself ? undefined : `row ${resource}`, looked.id, false];
  }
  if (kind === 'below' || kind === 'whole') return [`${kind} ${resource}`, wordOf(looked.under), false];
  if (kind === 'found') return [`found ${resource} ${looked.index.name}`, looked.value, looked.value === row.id];
  if (kind === 'answer')
    return [`answer ${entryName(resource, looked.operation)}`, answerText(looked.params), looked.params === row.params];
  return [`${kind} ${resource}`, '', false];
}

export function createDependents(): Dependents {
  /** Those rows by kinds of things, and by what tells those of a kind apart. */
  const lookers = new Map<string, Map<string, Lookers>>();
  /** The lists whose rows looked at what has their own id, by kinds of things: that of each need not be noted. */
  const own = new Map<string, Set<Query>>();
  const indexes = new Map<string, Set<RowIndex>>();

  function noteOwn(kind: string, list: Query): void {
    const lists = own.get(kind) ?? new Set();
    own.set(kind, lists.add(list));
  }

  function noteOther({ list, id }: RowRef, kind: string, thing: string): void {
    const things = lookers.get(kind) ?? new Map<string, Lookers>();
    lookers.set(kind, things);
    const those: Lookers = things.get(thing) ?? new Map();
    things.set(thing, those);
    if (those.has(list) && those.get(list) === undefined) return;
    const ids = those.get(list) ?? new Set();
    those.set(list, ids.size < maxIds ? ids.add(id) : undefined);
  }

  function add(row: RowRef, looked: Dependency): void {
    const [kind, thing, isOwn] = placeOf(row, looked);
    if (looked.kind === 'found') {
      const known = indexes.get(looked.resource) ?? new Set();
      indexes.set(looked.resource, known.add(looked.index));
    }
    if (kind === undefined) return;
    if (isOwn) noteOwn(kind, row.list);
    else noteOther(row, kind, thing);
  }

  function tellThose(those: Lookers | undefined, tell: Tell): void {
    for (const [list, ids] of those ?? []) {
      if (ids) for (const id of ids) tell(list, id);
      else tell(list, undefined);
    }
  }

  function tellOne(kind: string, thing: string, tell: Tell): void {
    tellThose(lookers.get(kind)?.get(thing), tell);
    for (const list of own.get(kind) ?? []) tell(list, thing);
  }

  function tellKind(kind: string, tell: Tell): void {
    for (const those of lookers.get(kind)?.values() ?? []) tellThose(those, tell);
    for (const list of own.get(kind) ?? []) tell(list, undefined);
  }

  function affected({ kind, query, resource, differences, isStructural, name }: CacheChange, tell: Tell): void {
    const params = query?.params ?? {};
    const tellOf = (kind: string, thing: string) => tellOne(kind, thing, tell);
    const tellAll = (kind: string) => tellKind(kind, tell);
    const id = idIn(resourceNamed(resource), params);
    if (kind === 'answer') {
      tellThose(lookers.get(`answer ${name}`)?.get(answerText(params)), tell);
      for (const list of own.get(`answer ${name}`) ?? []) if (liesUnder(params, list.params)) tell(list, id);
      return;
    }
    if (kind === 'row' && id !== undefined && !isSingle(resourceNamed(resource))) {
      tellOf(`row ${resource}`, id);
      return;
    }
    for (const kind of isStructural ? ['rows', 'whole', 'deleted'] : ['rows']) tellAll(`${kind} ${resource}`);
    if (!differences) {
      for (const kind of ['row', 'below']) tellAll(`${kind} ${resource}`);
      for (const { name } of indexes.get(resource) ?? []) tellAll(`found ${resource} ${name}`);
      return;
    }
    if (differences.length > 0) for (const word of ['', ...wordsOf(params)]) tellOf(`below ${resource}`, word);
    for (const { before, after } of differences) {
      const rows = [before, after].filter((row): row is Row => row !== undefined);
      for (const id of new Set(rows.map((row) => idOf(resourceNamed(resource), row)))) tellOf(`row ${resource}`, id);
      for (const index of indexes.get(resource) ?? [])
        for (const value of new Set(rows.flatMap(index.valuesOf))) tellOf(`found ${resource} ${index.name}`, value);
    }
  }

  return {
    add,
    affected,
    measured: (serverId, tell) => tellOne('usage', serverId, tell),
    forget: (list) => {
      for (const things of lookers.values()) {
        for (const [thing, those] of things) {
          those.delete(list);
          if (those.size === 0) things.delete(thing);
        }
      }
    },
  };
}
