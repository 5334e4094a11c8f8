import { createStore } from 'zustand/vanilla';
import { differencesBetween } from '../../resources/differences.ts';
import { idIn, idOf, liesUnder } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { countedRows } from '../../resources/wording.ts';
import { grouped } from '../../text/numbers.ts';
import { minute, momentWords, type Timestamp, timerDelay } from '../../text/times.ts';
import type { Cache, Collection } from '../cache.ts';
import { isWhole } from '../entries.ts';
import type { SeenChange } from '../history/seenChanges.ts';
import { valueChanges } from '../history/valueChanges.ts';
import type { Notices } from '../notices.ts';
import { type Query, queryKey, resourceOfRows } from '../queries.ts';
import { changesOf, rowIn } from '../rows.ts';
import { isUnconfirmed, type KeptList } from './keptRows.ts';

/** The rows of a list that are not as an earlier session has read them. */
export interface ListChanges {
  query: Query;
  resource: string;
  /** When that session has read it. */
  since: Timestamp;
  /** The ids of the rows that came. */
  came: ReadonlySet<string>;
  /** The rows that changed as they were, by id. */
  changed: ReadonlyMap<string, Row>;
  /** The rows that went, as they were; known once the list was read to its end. */
  gone: readonly Row[];
  isWhole: boolean;
  /** Its rows are marked still. */
  isMarked: boolean;
}

/** Counts the rows that came, went and changed. */
export const countOf = ({ came, changed, gone }: ListChanges): number => came.size + changed.size + gone.length;

/** Counts the rows that came, went and changed in words: `3 new, 1 gone, 7 changed`; the first with the noun, if given. */
export const countsText = ({ came, gone, changed }: Pick<ListChanges, 'came' | 'gone' | 'changed'>, of?: Resource) =>
  [[came.size, 'new'] as const, [gone.length, 'gone'] as const, [changed.size, 'changed'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word], index) => `${of && index === 0 ? countedRows(of, count) : grouped(count)} ${word}`)
    .join(', ');

/** The lists of the account that were read to their ends and are not as they were. */
export const changedLists = (lists: Readonly<Record<string, ListChanges>>): readonly ListChanges[] =>
  Object.values(lists).filter((one) => one.isWhole && countOf(one) > 0);

/** Tells the changes of lists: `Since yesterday 18:04: 3 servers new, 1 gone; 2 volumes new.` */
function changesSentence(lists: readonly ListChanges[], now: Timestamp): string {
  const parts = lists.map((one) => countsText(one, resourceNamed(one.resource)));
  // The moment that most of the lists are compared with.
  const since = Math.max(...lists.map((one) => one.since));
  return `Since ${momentWords(since, now)}: ${parts.join('; ')}`;
}

interface SinceKept {
  lists: Readonly<Record<string, ListChanges>>;
  /** Of this session, the latest first. */
  seen: readonly SeenChange[];
  /** When this session began. */
  at: Timestamp;
}

/** The differences of a row from what an earlier session has read; at most one tells something new. */
export function changesSinceKept(resource: Resource, params: Params, row: Row, { lists, seen, at }: SinceKept) {
  const id = idIn(resource, params);
  return Object.values(lists).flatMap(({ resource: name, query, since, changed }, index): readonly SeenChange[] => {
    const isOfRow = id !== undefined && name === resource.name && liesUnder(params, query.params);
    const before = isOfRow ? changed.get(id) : undefined;
    // Changes that this session has seen came later.
    const after = seen.at(-1)?.before ?? row;
    return before ? [{ number: -index, resource: name, params: query.params, before, after, since, at }] : [];
  });
}

export interface KeptChangesState {
  /** By query key. */
  lists: Readonly<Record<string, ListChanges>>;
}

/** Compares lists with those that an earlier session has read. */
export type KeptChanges = ReturnType<typeof createKeptChanges>;

/** Rows are marked for this long after their list was read to its end. */
const markedMs = 5 * minute;

/** Lists that are read to their ends within this time are told in one notice. */
const mergedMs = minute;

interface Comparison {
  list: KeptList;
  resource: Resource;
  /** The rows that were compared last. */
  rows: readonly Row[];
  came: Set<string>;
  changed: Map<string, Row>;
}

interface KeptChangesParts {
  cache: Pick<Cache, 'getState' | 'subscribe'>;
  notices: Pick<Notices, 'add'>;
  now: () => Timestamp;
}

export function createKeptChanges({ cache, notices, now }: KeptChangesParts) {
  const store = createStore<KeptChangesState>(() => ({ lists: {} }));
  const open = new Map<string, Comparison>();
  const timers = new Set<NodeJS.Timeout>();
  /** The notice that tells of all lists so far. */
  let notice: { id: number; at: Timestamp } | undefined;

  const unsubscribe = cache.subscribe((after, before) => {
    if (open.size === 0 || after.collections === before.collections) return;
    for (const key of open.keys()) {
      const collection = after.collections[key];
      if (collection && collection !== before.collections[key]) examine(key, collection);
    }
  });

  function examine(key: string, collection: Collection): void {
    const comparison = open.get(key);
    if (!comparison) return;
    const isEnd = isWhole(collection);
    // The API withholds the list, or it was of another account.
    if (collection.keptAt === undefined && !isEnd) return void open.delete(key);
    if (!isEnd && collection.rows === comparison.rows) return;
    note(comparison, collection);
    const { list, resource, came, changed } = comparison;
    const gone = isEnd ? goneOf(comparison, collection) : [];
    if (isEnd) open.delete(key);
    const { query, keptAt: since } = list;
    const rows = { came: new Set(came), changed: new Map(changed), gone };
    const entry: ListChanges = { query, resource: resource.name, since, ...rows, isWhole: isEnd, isMarked: true };
    store.setState(({ lists }) => ({ lists: { ...lists, [key]: entry } }));
    if (!isEnd || countOf(entry) === 0) return;
    unmarkLater(key);
    // Lists below a row are told where they are looked at.
    if (Object.keys(query.params).length === 0) tell();
  }

  /** Tells of all lists of the account that were read so far, in one notice for those that are read soon after each other. */
  function tell(): void {
    const lists = changedLists(store.getState().lists).filter(({ query }) => Object.keys(query.params).length === 0);
    const before = notice && now() - notice.at < mergedMs ? notice.id : undefined;
    const text = `${changesSentence(lists, now())}. :changed shows each.`;
    notice = { id: notices.add({ tone: 'good', text }, before), at: now() };
  }

  /** Compares the rows that are others than the last time. */
  function note(comparison: Comparison, collection: Collection): void {
    const { list, resource, came, changed } = comparison;
    const differences = differencesBetween<Row>(comparison.rows, collection.rows);
    const rows: readonly Row[] = differences
      ? differences.flatMap(({ after }) => (after ? [after] : []))
      : collection.rows;
    for (const row of rows) {
      const id = idOf(resource, row);
      const before = rowIn(resource, list.rows, id);
      if (isUnconfirmed(collection, id)) continue;
      if (!before) came.add(id);
      else if (before !== row && valueChanges(resource, before, row).length > 0) changed.set(id, before);
      else changed.delete(id);
    }
    comparison.rows = collection.rows;
  }

  function goneOf({ list, resource, came, changed }: Comparison, { rows }: Collection): readonly Row[] {
    const there = changesOf(resource, rows);
    for (const ids of [came, changed]) for (const id of ids.keys()) if (!there.has(id)) ids.delete(id);
    return list.rows.filter((row) => !there.has(idOf(resource, row)));
  }

  function unmarkLater(key: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      store.setState(({ lists }) => {
        const entry = lists[key];
        return entry ? { lists: { ...lists, [key]: { ...entry, isMarked: false } } } : { lists };
      });
    }, timerDelay(markedMs)).unref();
    timers.add(timer);
  }

  return {
    ...store,
    /** Compares a list with what is read from now on, or has been. */
    compare(list: KeptList) {
      const key = queryKey(list.query);
      const resource = resourceOfRows(list.query);
      open.set(key, { list, resource, rows: list.rows, came: new Set(), changed: new Map() });
      const collection = cache.getState().collections[key];
      if (collection && isWhole(collection)) examine(key, collection);
    },
    forget() {
      open.clear();
      store.setState({ lists: {} });
    },
    stop() {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
