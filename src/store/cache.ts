import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { malformedError } from '../api/error.ts';
import { idIn, idOf, isPlaceholderId, paramsOf } from '../resources/identity.ts';
import type { ListOperation, Operation, Params, Resource, Row } from '../resources/resource.ts';
import { isRow, rowsOf } from '../resources/row.ts';
import type { Timestamp } from '../text/times.ts';
import { createEntries } from './cacheEntries.ts';
import { type CacheState, withoutEntries, withoutLoading } from './entries.ts';
import { createInflightRequests, type InflightRequest } from './inflight.ts';
import {
  allConfirmed,
  confirmedWith,
  isKept,
  type KeptList,
  withdrawnBy,
  withKept,
  withoutKept,
} from './kept/keptRows.ts';
import { operationOf, type Query, queryKey, resourceOfRows, viewQuery } from './queries.ts';
import { isGradual, pagesOf, readEveryRow, readSome, settle, updateIntervalMs } from './reading.ts';
import { changesOf, goneFrom, isSame, replaceRows, reuseRows, rowIn, withChanges } from './rows.ts';

export { asApiError } from '../api/error.ts';
export type { Answer, Collection } from './entries.ts';
export { listQuery, type Query, queryKey, viewQuery } from './queries.ts';

/** Answers and lists below rows. */
const maxEntries = 300;

/** The times of an entry that was read to its end. */
const readWell = (at: Timestamp) => ({ loading: false, loadedAt: at, triedAt: at, error: undefined });

/** The rows of an answer that lists hold as well: those that it lists, or itself. */
const listedIn = ({ rowsOf: named }: Operation, answer: Row, isItself: boolean) =>
  named ? rowsOf(answer.data) : isItself ? [answer] : [];

/** The cache of everything read, by query. Requests in flight are shared. */
export type Cache = ReturnType<typeof createCache>;

export function createCache(api: Api, now: () => Timestamp) {
  const store = createStore<CacheState>(() => ({ collections: {}, answers: {}, absent: [] }));
  const retain = retainer(store);
  const inflight = createInflightRequests((key) => retain([key]));
  const entries = createEntries(store, inflight, now);
  const { setCollection, setAnswer, collectionOf, loadedRows, putRow, dropRow, forgetUnder, failedWith } = entries;

  /** Reads a collection again, page by page; resolves when complete or failed, never rejects. */
  async function readCollection(query: Query): Promise<void> {
    const key = queryKey(query);
    return inflight.share(key, async ({ signal, updates }) => {
      const operation = operationOf(query) as ListOperation;
      const resource = resourceOfRows(query);
      const read = () => loadedRows(key);
      const wanted = read().length;
      /** Kept rows may come while it is read. */
      const isFirst = () => wanted === 0 && !isKept(collectionOf(key));
      const seen = new Set<string>();
      const updated = () => new Map([...updates].map(([id, { row }]) => [id, row]));
      setCollection(key, { loading: true }, query);
      let [updatedAt, showUndrawn] = [0, () => {}];
      try {
        const pages = () => pagesOf(api, operation, { params: query.params, signal });
        const update = (rows: () => readonly Row[], results: number | undefined, fresh: ReadonlyMap<string, Row>) => {
          if (signal.aborted) return;
          showUndrawn = () => {
            const [sofar, changes] = isFirst() ? [rows(), updated()] : [read(), new Map([...fresh, ...updated()])];
            const confirmed = confirmedWith(collectionOf(key), seen);
            setCollection(key, { rows: withChanges(resource, sofar, changes), results, ...confirmed }, query);
          };
          if (updatedAt && now() - updatedAt < updateIntervalMs(read().length)) return;
          updatedAt = now();
          showUndrawn();
        };
        const id = (row: Row) => idOf(resource, row);
        const known = (id: string, sentAt = 0) => {
          seen.add(id);
          if ((updates.get(id)?.at ?? sentAt) < sentAt) updates.delete(id);
          return isFirst() ? undefined : rowIn(resource, read(), id);
        };
        const whole = isGradual(operation)
          ? { more: undefined, ...(await readSome(pages, id, wanted)) }
          : await readEveryRow(pages, id, update, known);
        if (signal.aborted) return;
        const there = isFirst() ? whole.rows : reuseRows(resource, read(), whole.rows);
        const rows = replaceRows(resource, read(), withChanges(resource, there, updated()));
        // A row that is not in a partial list, or in a section of one, may still exist.
        const isAll = !isGradual(operation) && query.operation === 'list' && operation.filter === undefined;
        const paramsBelow = (row: Row) => paramsOf(resource, row, query.params);
        if (isAll) forgetUnder(resource, goneFrom(resource, read(), rows).map(paramsBelow));
        setCollection(key, { ...whole, rows, ...readWell(now()), ...allConfirmed }, query);
      } catch (error) {
        settle(error, signal, (failure) => {
          showUndrawn();
          setCollection(key, { ...failedWith(query, failure), ...withdrawnBy(failure, collectionOf(key)) }, query);
        });
      }
    });
  }

  /** Reads the next page of a collection that has more; resolves when it is there or failed, never rejects. */
  async function readMore(query: Query): Promise<void> {
    const key = queryKey(query);
    const marker = store.getState().collections[key]?.more;
    if (marker === undefined) return;
    return inflight.share(`${key} more`, async ({ signal }) => {
      const operation = operationOf(query) as ListOperation;
      const resource = resourceOfRows(query);
      try {
        const next = { [operation.pages === 'marker' ? 'marker' : 'page']: marker };
        const pages = () => pagesOf(api, operation, { params: query.params, query: next, signal });
        const read = await readSome(pages, (row) => idOf(resource, row), 0, marker);
        const before = store.getState().collections[key];
        // Another reading has replaced the list since.
        if (before?.more !== marker) return;
        const rows = withChanges(resource, before.rows, changesOf(resource, read.rows));
        setCollection(key, { rows, more: read.more, error: undefined }, query);
      } catch (error) {
        settle(error, signal, (failure) => setCollection(key, { error: failure }, query));
      }
    });
  }

  /** Reads one answer again; resolves when it is there or failed, never rejects. */
  const readAnswer =
    (query: Query) =>
    async ({ signal }: InflightRequest): Promise<void> => {
      const key = queryKey(query);
      setAnswer(key, { loading: true }, query);
      try {
        const operation = operationOf(query);
        const { body: read, status } = await api.send(operation, { params: query.params, signal });
        const resource = resourceOfRows(query);
        const id = query.operation === 'view' ? idIn(resource, query.params) : undefined;
        const isNone = !isRow(read) || (id !== undefined && isPlaceholderId(idOf(resource, read)));
        if (isNone) throw malformedError(operation, isRow(read) ? `no ${resource.one}` : 'no object', status);
        if (signal.aborted) return;
        const known = store.getState().answers[key]?.body;
        const held = operation.compact?.(read) ?? read;
        setAnswer(key, { body: isSame(known, held) ? known : held, ...readWell(now()) }, query);
        // A row is shown as its lists hold it.
        const rows = listedIn(operation, held as Row, id !== undefined && id === idOf(resource, held as Row));
        if (rows.length > 0) entries.change(resource, query.params, changesOf(resource, rows));
      } catch (error) {
        settle(error, signal, (failure) => setAnswer(key, failedWith(query, failure), query));
      }
    };

  /** Reads one row alone, by a request that begins now or later, and puts it into every collection that holds or should hold it; a 404 takes it out. */
  async function readRow(resource: Resource, params: Params): Promise<void> {
    if (!resource.view) return;
    const query = viewQuery(resource, params);
    const key = queryKey(query);
    await inflight.shareNext(key, readAnswer(query));
    const answer = store.getState().answers[key];
    if (answer?.error?.isGone) dropRow(resource, params);
    else if (answer?.body && !answer.error) putRow(resource, params, answer.body as Row);
  }

  /** Aborts the request of a query that nobody needs any more. */
  function cancel(query: Query): void {
    const key = queryKey(query);
    for (const one of [key, `${key} more`]) inflight.cancel(one);
    if (!inflight.get(key)) store.setState((state) => withoutLoading(state, key));
  }

  return {
    ...store,
    readCollection,
    readMore,
    readAnswer: (query: Query) => inflight.share(queryKey(query), readAnswer(query)),
    readRow,
    putRow,
    /** Puts many rows that lie under nothing into their collections at once. */
    putRows: entries.putRows,
    /** Puts the rows of a list that the program makes itself; without `madeAt`, in ms since the epoch, the list counts as loading. */
    putLocal: entries.putLocal,
    dropRow,
    cancel,
    /** Shows lists that an earlier session has read, and that nobody has asked for yet, until they are read. */
    restore: (lists: readonly KeptList[]) => {
      store.setState((state) => withKept(state, lists));
      retain(lists.map(({ query }) => queryKey(query)))();
    },
    /** Forgets all rows that only an earlier session has read. */
    forgetKept: () => store.setState(withoutKept),
    /** Keeps the entries of queries; returns a function that releases them. Of the others only the latest stay. */
    retain: (queries: readonly Query[]) => retain(queries.map(queryKey)),
  };
}

/** Returns what retains entries of a cache. Those without parameters are few and always stay. */
function retainer(store: StoreApi<CacheState>) {
  const eviction = createEviction(maxEntries);
  return (keys: readonly string[]) => {
    const releases = keys.filter((key) => !key.endsWith('?')).map(eviction.retain);
    return () => {
      for (const release of releases) release();
      const evicted = new Set(eviction.evict());
      if (evicted.size > 0) store.setState((state) => withoutEntries(state, evicted));
    };
  };
}

/**
 * Evicts the least recently used entries of a cache that nobody retains.
 * @param maxEntries exceeded only while all entries are retained
 */
export function createEviction(maxEntries: number) {
  /** Counts the holders of each entry, the least recently used first. */
  const holders = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const now = (holders.get(key) ?? 0) + by;
    holders.delete(key);
    holders.set(key, now);
  }

  return {
    /** Keeps an entry; returns a function that releases it. Both count as uses. */
    retain: (key: string) => {
      count(key, 1);
      return () => count(key, -1);
    },
    /** Forgets the entries beyond the limit that nobody retains, the least recently used first; returns their keys. */
    evict: () => {
      const beyond = holders.size - maxEntries;
      if (beyond <= 0) return [];
      const free = [...holders].filter(([, held]) => held === 0).slice(0, beyond);
      for (const [key] of free) holders.delete(key);
      return free.map(([key]) => key);
    },
  };
}
