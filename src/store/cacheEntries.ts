import type { StoreApi } from 'zustand/vanilla';
import type { ApiError } from '../api/error.ts';
import { idIn, liesUnder } from '../resources/identity.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';
import { type Answer, type CacheState, type Collection, resultsOf, withoutUnder } from './entries.ts';
import type { createInflightRequests } from './inflight.ts';
import { confirmedWith, isKept } from './kept/keptRows.ts';
import { listQuery, mayBeIn, type Query, queryKey, resourceOfRows, viewQuery } from './queries.ts';
import { belongsTo, type Changes, changesOf, isSame, reuseList, withChanges } from './rows.ts';

/** Writes the entries of the cache: all that hold a row hold it alike. */
export function createEntries(
  store: StoreApi<CacheState>,
  inflight: ReturnType<typeof createInflightRequests>,
  now: () => Timestamp,
) {
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

  /** Brings changes into every collection of a resource that may hold the rows; new ones into its lists above them. */
  function change(resource: Resource, params: Params, changes: Changes): void {
    const at = performance.now();
    store.setState((state) => {
      const changed: Record<string, Collection> = {};
      for (const [key, collection] of Object.entries(state.collections)) {
        if (collection.resource !== resource.name || !mayBeIn(params, collection.query.params)) continue;
        const isRead = collection.loading || collection.loadedAt !== undefined || isKept(collection);
        const isAbove = liesUnder(params, collection.query.params) && isRead;
        const accepts = (row: Row) => isAbove && belongsTo(resource, collection.query.operation, row);
        const updates = inflight.get(key)?.updates;
        if (updates) for (const [id, row] of changes) if (!row || accepts(row)) updates.set(id, { row, at });
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

  /** Puts a row into the collections of its resource below these parents, and where it was viewed alone. */
  function putRow(resource: Resource, params: Params, row: Row): void {
    setViewed(resource, params, row);
    change(resource, params, changesOf(resource, [row]));
  }

  function putRows(resource: Resource, rows: readonly Row[]): void {
    if (rows.length > 0) change(resource, {}, changesOf(resource, rows));
  }

  function putLocal(resource: Resource, made: readonly Row[], madeAt: number | undefined): void {
    const query = listQuery(resource);
    const key = queryKey(query);
    const rows = reuseList(loadedRows(key), made);
    const times = { loading: madeAt === undefined, loadedAt: madeAt, triedAt: madeAt };
    setCollection(key, { rows, results: rows.length, ...times }, query);
  }

  /** Takes a row out of every collection, and forgets it where it was viewed alone. */
  function dropRow(resource: Resource, params: Params): void {
    const id = idIn(resource, params);
    setViewed(resource, params, undefined);
    if (id === undefined) return;
    change(resource, params, new Map([[id, undefined]]));
    forgetUnder(resource, [params]);
  }

  return {
    setCollection,
    setAnswer,
    collectionOf,
    loadedRows,
    failedWith,
    change,
    putRow,
    putRows,
    putLocal,
    dropRow,
    forgetUnder,
  };
}
