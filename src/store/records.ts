import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { resourceNamed } from '../resources/index.ts';
import type { ListOperation, Operation, Params, Resource, Row } from '../resources/resource.ts';
import { readEveryRow } from './reading.ts';

/** A collection as far as it is loaded. Rows stay while it is read again. */
export interface Collection {
  resource: string;
  params: Params;
  rows: readonly Row[];
  /** How many the API says there are. */
  results?: number;
  loading: boolean;
  /** When the last complete reading ended, in ms since the epoch; undefined before the first. */
  loadedAt?: number;
  error?: ApiError;
}

/** One answer that is no collection: statistics, transfer, a row viewed alone. */
export interface Answer {
  body?: unknown;
  loading: boolean;
  loadedAt?: number;
  error?: ApiError;
}

export interface RecordsState {
  collections: Readonly<Record<string, Collection>>;
  answers: Readonly<Record<string, Answer>>;
}

/** What is asked: an operation of a resource, by its name there, with its parameters. */
export interface Question {
  resource: string;
  operation: string;
  params: Params;
}

/** The key of a question: the same question has the same key. */
export function keyOf({ resource, operation, params }: Question): string {
  const names = Object.keys(params).sort();
  return `${resource}.${operation}?${names.map((name) => `${name}=${encodeURIComponent(params[name] ?? '')}`).join('&')}`;
}

/** The id of a row as text. */
export const idOf = (resource: Resource, row: Row): string => String(row[resource.id]);

/** The path parameters of a row that lies under `params`. */
export const paramsOf = (resource: Resource, row: Row, params: Params = {}): Params => ({
  ...params,
  [resource.param]: idOf(resource, row),
});

/** The operation of this name, whatever it is there. Throws when the description has none. */
export function operationNamed(resource: Resource, name: string): Operation {
  const found = name === 'list' ? resource.list : name === 'view' ? resource.view : resource.operations?.[name];
  if (!found) throw new Error(`${resource.name} has no operation ${name}`);
  return found;
}

/** The cache of everything read, by question. Requests in flight are shared. */
export interface Records extends StoreApi<RecordsState> {
  /** Reads a collection again, page by page; resolves when complete or failed, never rejects. */
  readCollection(question: Question): Promise<void>;
  /** Reads one answer again; resolves when it is there or failed, never rejects. */
  readAnswer(question: Question): Promise<void>;
  /** Reads one row alone and puts it into every collection that holds or should hold it; a 404 takes it out. */
  readRow(resource: Resource, params: Params): Promise<void>;
  /** Puts a row into the collections of its resource below these parents. */
  putRow(resource: Resource, params: Params, row: Row): void;
  /** Puts many rows that lie under nothing into their collections at once. */
  putRows(resource: Resource, rows: readonly Row[]): void;
  /** Takes a row out of every collection. */
  dropRow(resource: Resource, params: Params): void;
  /** Ends the reading of a question that nobody looks at any more. */
  abandon(question: Question): void;
}

/** The time between two paintings of a long list that is still arriving, in milliseconds. */
const paintEvery = 100;

export function createRecords(api: Api, now: () => number): Records {
  const store = createStore<RecordsState>(() => ({ collections: {}, answers: {} }));
  const flights = new Map<string, { done: Promise<void>; abort: AbortController }>();

  /** Runs `read` for a key unless it is under way already. */
  function share(key: string, read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = flights.get(key);
    if (running) return running.done;
    const abort = new AbortController();
    const done = read(abort.signal).finally(() => flights.delete(key));
    flights.set(key, { done, abort });
    return done;
  }

  const setCollection = (key: string, change: Partial<Collection>, base: Pick<Collection, 'resource' | 'params'>) =>
    store.setState(({ collections }) => ({
      collections: {
        ...collections,
        [key]: { ...(collections[key] ?? { ...base, rows: [], loading: true }), ...change },
      },
    }));

  const setAnswer = (key: string, change: Partial<Answer>) =>
    store.setState(({ answers }) => ({
      answers: { ...answers, [key]: { ...(answers[key] ?? { loading: true }), ...change } },
    }));

  async function readCollection(question: Question): Promise<void> {
    const key = keyOf(question);
    return share(key, async (signal) => {
      const owner = resourceNamed(question.resource);
      const operation = operationNamed(owner, question.operation) as ListOperation;
      const resource = rowsOf(owner, question.operation);
      const base = { resource: resource.name, params: question.params };
      const before = store.getState().collections[key]?.rows ?? [];
      setCollection(key, { loading: true }, base);
      try {
        let paintedAt = 0;
        const pages = () => api.pages(operation, { params: question.params, signal });
        const whole = await readEveryRow(pages, resource.id, (rows, results) => {
          if (paintedAt && now() - paintedAt < paintEvery) return;
          paintedAt = now();
          setCollection(key, { rows: merged(resource, before, rows), results }, base);
        });
        const rows = withLateRows(resource, before, whole.rows, store.getState().collections[key]?.rows ?? []);
        setCollection(key, { ...whole, rows, loading: false, loadedAt: now(), error: undefined }, base);
      } catch (error) {
        settle(error, (failure) => setCollection(key, { loading: false, error: failure }, base));
      }
    });
  }

  async function readAnswer(question: Question): Promise<void> {
    const key = keyOf(question);
    return share(key, async (signal) => {
      setAnswer(key, { loading: true });
      try {
        const operation = operationNamed(resourceNamed(question.resource), question.operation);
        const { body } = await api.send(operation, { params: question.params, signal });
        setAnswer(key, { body, loading: false, loadedAt: now(), error: undefined });
      } catch (error) {
        settle(error, (failure) => setAnswer(key, { loading: false, error: failure }));
      }
    });
  }

  async function readRow(resource: Resource, params: Params): Promise<void> {
    if (!resource.view) return;
    const question = { resource: resource.name, operation: 'view', params };
    await readAnswer(question);
    const answer = store.getState().answers[keyOf(question)];
    if (answer?.error?.status === 404) dropRow(resource, params);
    else if (answer?.body && !answer.error) putRow(resource, params, answer.body as Row);
  }

  const mapRows = (resource: Resource, params: Params, change: (rows: readonly Row[]) => readonly Row[]) =>
    store.setState(({ collections }) => {
      const changed: Record<string, Collection> = {};
      for (const [key, collection] of Object.entries(collections)) {
        if (collection.resource !== resource.name || !liesUnder(params, collection.params)) continue;
        const rows = change(collection.rows);
        if (rows !== collection.rows) changed[key] = { ...collection, rows };
      }
      return { collections: { ...collections, ...changed } };
    });

  function putRow(resource: Resource, params: Params, row: Row): void {
    const id = idOf(resource, row);
    mapRows(resource, params, (rows) => {
      const index = rows.findIndex((other) => idOf(resource, other) === id);
      return index < 0 ? [...rows, row] : rows.with(index, row);
    });
  }

  function putRows(resource: Resource, fresh: readonly Row[]): void {
    if (fresh.length > 0) mapRows(resource, {}, (rows) => merged(resource, rows, fresh));
  }

  function dropRow(resource: Resource, params: Params): void {
    const id = params[resource.param];
    mapRows(resource, params, (rows) =>
      rows.some((row) => idOf(resource, row) === id) ? rows.filter((row) => idOf(resource, row) !== id) : rows,
    );
  }

  const abandon = (question: Question) => flights.get(keyOf(question))?.abort.abort();

  return { ...store, readCollection, readAnswer, readRow, putRow, putRows, dropRow, abandon };
}

/** The resource whose rows an operation lists: its own, or the one of the tab that names the operation. */
function rowsOf(owner: Resource, operation: string): Resource {
  const tab = owner.tabs?.find((tab) => 'list' in tab && tab.operation === operation);
  return tab && 'list' in tab ? resourceNamed(tab.list) : owner;
}

/** Whether a row with these parameters belongs into a collection with those. */
const liesUnder = (params: Params, parents: Params) =>
  Object.entries(parents).every(([name, value]) => params[name] === value);

/** Aborted readings leave no trace; anything that is no answer of the API is a fault of ours and is thrown on. */
function settle(error: unknown, show: (failure: ApiError | undefined) => void): void {
  if (!(error instanceof ApiError)) throw error;
  show(error.kind === 'aborted' ? undefined : error);
}

/** What was read, and the rows that came in by another way meanwhile. */
function withLateRows(
  resource: Resource,
  before: readonly Row[],
  read: readonly Row[],
  now: readonly Row[],
): readonly Row[] {
  const known = new Set([...before, ...read].map((row) => idOf(resource, row)));
  const late = now.filter((row) => !known.has(idOf(resource, row)));
  return late.length > 0 ? [...read, ...late] : read;
}

/** Old rows with those read so far in their places, new ones after them. */
function merged(resource: Resource, before: readonly Row[], read: readonly Row[]): readonly Row[] {
  if (before.length === 0) return [...read];
  const fresh = new Map(read.map((row) => [idOf(resource, row), row]));
  const kept = before.map((row) => {
    const id = idOf(resource, row);
    const newer = fresh.get(id);
    fresh.delete(id);
    return newer ?? row;
  });
  return [...kept, ...fresh.values()];
}
