import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { type ApiError, malformedError } from '../api/error.ts';
import { idIn, idOf, liesUnder } from '../resources/identity.ts';
import type { ListOperation, Params, Resource, Row } from '../resources/resource.ts';
import { isRow } from '../resources/row.ts';
import type { Timestamp } from '../text/times.ts';
import {
  type Answer,
  type CacheState,
  type Collection,
  removedParams,
  resultsOf,
  withoutEntries,
  withoutLoading,
  withoutUnder,
} from './entries.ts';
import { createEviction } from './eviction.ts';
import { createInflightRequests, type InflightRequest } from './inflight.ts';
import type { KeptList } from './kept/keptRows.ts';
import { allConfirmed, confirmedWith, isKept, withdrawnBy, withKept, withoutKept } from './kept/keptRows.ts';
import { mayBeIn, operationOf, type Query, queryKey, resourceOfRows, viewQuery } from './queries.ts';
import { isGradual, pagesOf, readEveryRow, readSome, settle, updateIntervalMs } from './reading.ts';
import {
  belongsTo,
  type Changes,
  changesOf,
  isSame,
  replaceRows,
  reuseList,
  reuseRows,
  rowIn,
  withChanges,
} from './rows.ts';

export { asApiError } from '../api/error.ts';
export { idOf, paramsOf } from '../resources/identity.ts';
export type { Answer, Collection } from './entries.ts';
export { type Query, queryKey, viewQuery } from './queries.ts';

/** The cache of everything read, by query. Requests in flight are shared. */
export interface Cache extends StoreApi<CacheState> {
  /** Reads a collection again, page by page; resolves when complete or failed, never rejects. */
  readCollection(query: Query): Promise<void>;
  /** Reads the next page of a collection that has more; resolves when it is there or failed, never rejects. */
  readMore(query: Query): Promise<void>;
  /** Reads one answer again; resolves when it is there or failed, never rejects. */
  readAnswer(query: Query): Promise<void>;
  /** Reads one row alone, by a request that begins now or later, and puts it into every collection that holds or should hold it; a 404 takes it out. */
  readRow(resource: Resource, params: Params): Promise<void>;
  /** Puts a row into the collections of its resource below these parents, and where it was viewed alone. */
  putRow(resource: Resource, params: Params, row: Row): void;
  /** Puts many rows that lie under nothing into their collections at once. */
  putRows(resource: Resource, rows: readonly Row[]): void;
  /** Puts the rows of a list that the program makes itself; without `madeAt`, in ms since the epoch, the list counts as loading. */
  putLocal(resource: Resource, rows: readonly Row[], madeAt: number | undefined): void;
  /** Takes a row out of every collection, and forgets it where it was viewed alone. */
  dropRow(resource: Resource, params: Params): void;
  /** Aborts the request of a query that nobody needs any more. */
  cancel(query: Query): void;
  /** Shows lists that an earlier session has read, until they are read. */
  restore(lists: readonly KeptList[]): void;
  /** Forgets all rows that only an earlier session has read. */
  forgetKept(): void;
  /** Keeps the entries of queries; returns a function that releases them. Of the others only the latest stay. */
  retain(queries: readonly Query[]): () => void;
}

/** Answers and lists below rows. */
const maxEntries = 300;

export function createCache(api: Api, now: () => Timestamp): Cache {
  const store = createStore<CacheState>(() => ({ collections: {}, answers: {}, absent: [] }));
  const eviction = createEviction(maxEntries);
  const inflight = createInflightRequests((key) => retain([key]));

  /** Retains entries. Those without parameters are few and always stay. */
  function retain(keys: readonly string[]): () => void {
    const releases = keys.filter((key) => !key.endsWith('?')).map(eviction.retain);
    return () => {
      for (const release of releases) release();
      const evicted = new Set(eviction.evict());
      if (evicted.size > 0) store.setState((state) => withoutEntries(state, evicted));
    };
  }

  const setCollection = (key: string, change: Partial<Collection>, query: Query) =>
    store.setState(({ collections }) => ({
      collections: {
        ...collections,
        [key]: {
          ...(collections[key] ?? { query, resource: resourceOfRows(query).name, rows: [], loading: true }),
          ...change,
        },
      },
    }));

  const setAnswer = (key: string, change: Partial<Answer>, query: Query) =>
    store.setState(({ answers }) => ({
      answers: { ...answers, [key]: { ...(answers[key] ?? { query, loading: true }), ...change } },
    }));

  const forgetUnder = (resource: Resource, gone: readonly Params[]) => {
    if (gone.length > 0) store.setState((state) => withoutUnder(state, resource, gone));
  };

  /** The entry after a failure, or without one where the API is closed. An operation that the API does not have counts as loaded, and empty. */
  function failedWith({ resource, operation }: Query, failure: ApiError | undefined): Partial<Collection & Answer> {
    const triedAt = now();
    if (failure?.kind !== 'unsupported') return { loading: false, triedAt, error: failure };
    const name = `${resource}.${operation}`;
    store.setState(({ absent }) => (absent.includes(name) ? {} : { absent: [...absent, name] }));
    return { loading: false, loadedAt: triedAt, triedAt, error: undefined };
  }

  const collectionOf = (key: string) => store.getState().collections[key];
  const loadedRows = (key: string) => collectionOf(key)?.rows ?? [];

  async function readCollection(query: Query): Promise<void> {
    const key = queryKey(query);
    return inflight.share(key, false, async ({ signal, updates }) => {
      const operation = operationOf(query) as ListOperation;
      const resource = resourceOfRows(query);
      const read = () => loadedRows(key);
      const wanted = read().length;
      /** Kept rows may come while it is read. */
      const isFirst = () => wanted === 0 && !isKept(collectionOf(key));
      const seen = new Set<string>();
      setCollection(key, { loading: true }, query);
      try {
        let updatedAt = 0;
        const pages = () => pagesOf(api, operation, { params: query.params, signal });
        const update = (rows: () => readonly Row[], results: number | undefined, fresh: ReadonlyMap<string, Row>) => {
          if (signal.aborted || (updatedAt && now() - updatedAt < updateIntervalMs(read().length))) return;
          updatedAt = now();
          const sofar = isFirst() ? rows() : read();
          const changes = isFirst() ? updates : new Map([...fresh, ...updates]);
          const confirmed = confirmedWith(collectionOf(key), seen);
          setCollection(key, { rows: withChanges(resource, sofar, changes), results, ...confirmed }, query);
        };
        const id = (row: Row) => idOf(resource, row);
        const known = (id: string) => {
          seen.add(id);
          return isFirst() ? undefined : rowIn(resource, read(), id);
        };
        const whole = isGradual(operation)
          ? { more: undefined, ...(await readSome(pages, id, wanted)) }
          : await readEveryRow(pages, id, update, known);
        if (signal.aborted) return;
        const there = isFirst() ? whole.rows : reuseRows(resource, read(), whole.rows);
        const rows = replaceRows(resource, read(), withChanges(resource, there, updates));
        // A row that is not in a partial list, or in a section of one, may still exist.
        const isAll = !isGradual(operation) && query.operation === 'list' && operation.filter === undefined;
        if (isAll) forgetUnder(resource, removedParams(resource, query.params, read(), rows));
        const times = { loading: false, loadedAt: now(), triedAt: now(), error: undefined };
        setCollection(key, { ...whole, rows, ...times, ...allConfirmed }, query);
      } catch (error) {
        settle(error, signal, (failure) =>
          setCollection(key, { ...failedWith(query, failure), ...withdrawnBy(failure, collectionOf(key)) }, query),
        );
      }
    });
  }

  async function readMore(query: Query): Promise<void> {
    const key = queryKey(query);
    const marker = store.getState().collections[key]?.more;
    if (marker === undefined) return;
    return inflight.share(`${key} more`, false, async ({ signal }) => {
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

  const readAnswer =
    (query: Query) =>
    async ({ signal }: InflightRequest): Promise<void> => {
      const key = queryKey(query);
      setAnswer(key, { loading: true }, query);
      try {
        const operation = operationOf(query);
        const { body: read, status } = await api.send(operation, { params: query.params, signal });
        if (!isRow(read)) throw malformedError(operation, 'no object', status);
        if (signal.aborted) return;
        const known = store.getState().answers[key]?.body;
        const held = operation.compact?.(read) ?? read;
        const body = isSame(known, held) ? known : held;
        setAnswer(key, { body, loading: false, loadedAt: now(), triedAt: now(), error: undefined }, query);
        // A row is shown as its lists hold it.
        const resource = resourceOfRows(query);
        const id = query.operation === 'view' ? idIn(resource, query.params) : undefined;
        if (id !== undefined && id === idOf(resource, held as Row))
          change(resource, query.params, changesOf(resource, [held as Row]));
      } catch (error) {
        settle(error, signal, (failure) => setAnswer(key, failedWith(query, failure), query));
      }
    };

  async function readRow(resource: Resource, params: Params): Promise<void> {
    if (!resource.view) return;
    const query = viewQuery(resource, params);
    const key = queryKey(query);
    await inflight.shareNext(key, readAnswer(query));
    const answer = store.getState().answers[key];
    if (answer?.error?.status === 404) dropRow(resource, params);
    else if (answer?.body && !answer.error) putRow(resource, params, answer.body as Row);
  }

  /** Brings changes into every collection of a resource that may hold the rows; new ones into its lists above them. */
  function change(resource: Resource, params: Params, changes: Changes): void {
    store.setState((state) => {
      const changed: Record<string, Collection> = {};
      for (const [key, collection] of Object.entries(state.collections)) {
        if (collection.resource !== resource.name || !mayBeIn(params, collection.query.params)) continue;
        const isRead = collection.loading || collection.loadedAt !== undefined || isKept(collection);
        const isAbove = liesUnder(params, collection.query.params) && isRead;
        const accepts = (row: Row) => isAbove && belongsTo(resource, collection.query.operation, row);
        const updates = inflight.get(key)?.updates;
        if (updates) for (const [id, row] of changes) if (!row || accepts(row)) updates.set(id, row);
        const rows = withChanges(resource, collection.rows, changes, accepts);
        const confirmed = confirmedWith(collection, changes.keys());
        if (rows !== collection.rows || confirmed)
          changed[key] = { ...collection, rows, results: resultsOf(collection, rows), ...confirmed };
      }
      return Object.keys(changed).length > 0 ? { collections: { ...state.collections, ...changed } } : state;
    });
  }

  /** Brings the answer to the view of a row in line, where there is one. */
  function setViewed(resource: Resource, params: Params, body: Row | undefined): void {
    const key = queryKey(viewQuery(resource, params));
    const answer = store.getState().answers[key];
    if (answer && !isSame(answer.body, body)) setAnswer(key, { body }, answer.query);
  }

  function putRow(resource: Resource, params: Params, row: Row): void {
    setViewed(resource, params, row);
    change(resource, params, changesOf(resource, [row]));
  }

  function putRows(resource: Resource, rows: readonly Row[]): void {
    if (rows.length > 0) change(resource, {}, changesOf(resource, rows));
  }

  function putLocal(resource: Resource, made: readonly Row[], madeAt: number | undefined): void {
    const query = { resource: resource.name, operation: 'list', params: {} };
    const key = queryKey(query);
    const before = loadedRows(key);
    const rows = reuseList(before, made);
    const times = { loading: madeAt === undefined, loadedAt: madeAt, triedAt: madeAt };
    setCollection(key, { rows, results: rows.length, ...times }, query);
  }

  function dropRow(resource: Resource, params: Params): void {
    const id = idIn(resource, params);
    setViewed(resource, params, undefined);
    if (id === undefined) return;
    change(resource, params, new Map([[id, undefined]]));
    forgetUnder(resource, [params]);
  }

  function cancel(query: Query): void {
    const key = queryKey(query);
    inflight.cancel(key);
    inflight.cancel(`${key} more`);
    if (!inflight.get(key)) store.setState((state) => withoutLoading(state, key));
  }

  return {
    ...store,
    readCollection,
    readMore,
    readAnswer: (query) => inflight.share(queryKey(query), false, readAnswer(query)),
    readRow,
    putRow,
    putRows,
    putLocal,
    dropRow,
    cancel,
    restore: (lists) => {
      store.setState((state) => withKept(state, lists));
      // Nobody has asked for them yet.
      retain(lists.map(({ query }) => queryKey(query)))();
    },
    forgetKept: () => store.setState(withoutKept),
    retain: (queries) => retain(queries.map(queryKey)),
  };
}
