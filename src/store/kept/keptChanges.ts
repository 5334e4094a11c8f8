import { createStore, type StoreApi } from 'zustand/vanilla';
import { differencesBetween } from '../../resources/differences.ts';
import { idOf } from '../../resources/identity.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { minute, type Timestamp, timerDelay } from '../../text/times.ts';
import type { Cache, Collection } from '../cache.ts';
import { isWhole } from '../entries.ts';
import { valueChanges } from '../history/valueChanges.ts';
import type { Notices } from '../notices.ts';
import { queryKey, resourceOfRows } from '../queries.ts';
import { changesOf, rowIn } from '../rows.ts';
import { isUnconfirmed, type KeptList } from './keptRows.ts';
import { changedLists, changesSentence, countOf, type ListChanges } from './listChanges.ts';

export interface KeptChangesState {
  /** By query key. */
  lists: Readonly<Record<string, ListChanges>>;
}

/** Compares lists with those that an earlier session has read. */
export interface KeptChanges extends StoreApi<KeptChangesState> {
  /** Compares a list with what is read from now on, or has been. */
  compare(list: KeptList): void;
  forget(): void;
  stop(): void;
}

/** Rows are marked for this long after their list was read to its end. */
const markedMs = 5 * minute;

/** Lists that are read to their ends within this time are told in one notice. */
const mergedMs = minute;

/** A list that is being compared. */
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

export function createKeptChanges({ cache, notices, now }: KeptChangesParts): KeptChanges {
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
      else if (before === row) changed.delete(id);
      else if (valueChanges(resource, before, row).length > 0) changed.set(id, before);
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
    compare(list) {
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
