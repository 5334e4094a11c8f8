import type { ApiError } from '../api/error.ts';
import { idIn, liesUnder } from '../resources/identity.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';
import type { Query } from './queries.ts';
import { rowIn } from './rows.ts';

/** A collection as far as it is loaded. Rows stay while it is read again. */
export interface Collection {
  query: Query;
  resource: string;
  rows: readonly Row[];
  /** The number of rows that the API says there are. */
  results?: number;
  /** The page or marker of the next rows, where a collection is read only as far as it is scrolled. */
  more?: string;
  loading: boolean;
  /** When the last complete reading ended; undefined before the first. */
  loadedAt?: Timestamp;
  /** When the last reading ended, well or not; undefined while none has. */
  triedAt?: Timestamp;
  error?: ApiError;
  /** When an earlier session has read its rows; undefined once it was read to its end in this one. */
  keptAt?: Timestamp;
  /** The ids of the rows that were read in this session, where it is kept. */
  confirmed?: ReadonlySet<string>;
  /** Of a kept list only the rows at its top are there yet, of as many as `results` says. */
  isTop?: boolean;
}

/** One answer that is no collection: statistics, transfer, a row viewed alone. */
export interface Answer extends Pick<Collection, 'query' | 'loading' | 'loadedAt' | 'triedAt' | 'error'> {
  body?: unknown;
}

export interface CacheState {
  collections: Readonly<Record<string, Collection>>;
  answers: Readonly<Record<string, Answer>>;
  /** Operations that the API does not have: `buckets.access`. */
  absent: readonly string[];
}

/** All entries by their keys. */
export const entriesOf = ({ collections, answers }: CacheState): Readonly<Record<string, Collection | Answer>> => ({
  ...answers,
  ...collections,
});

/** The entry of a key; undefined where nobody has asked for it. */
export const entryAt = ({ collections, answers }: CacheState, key: string): Collection | Answer | undefined =>
  collections[key] ?? answers[key];

/** Whether a collection was read to its end. */
export const isWhole = ({ loadedAt, more }: Collection): boolean => loadedAt !== undefined && more === undefined;

/** Whether a collection tells more than one that nobody has read. */
export const isTelling = (collection: Collection): boolean => collection.rows.length > 0 || isWhole(collection);

/** The collections that hold the row of these parameters. */
export function holdersOf({ collections }: CacheState, resource: Resource, params: Params): readonly Collection[] {
  const id = idIn(resource, params);
  const holds = ({ resource: name, query, rows }: Collection) =>
    name === resource.name && liesUnder(params, query.params) && rowIn(resource, rows, id ?? '') !== undefined;
  return id === undefined ? [] : Object.values(collections).filter(holds);
}

/** The state without some entries. */
export function withoutEntries(state: CacheState, keys: ReadonlySet<string>): CacheState {
  const rest = <T>(entries: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.has(key)));
  return { ...state, collections: rest(state.collections), answers: rest(state.answers) };
}

/** The state with one entry no longer loading; its data stay. */
export function withoutLoading(state: CacheState, key: string): CacheState {
  const ended = { loading: false };
  const collection = state.collections[key];
  const answer = state.answers[key];
  if (collection?.loading)
    return { ...state, collections: { ...state.collections, [key]: { ...collection, ...ended } } };
  if (answer?.loading) return { ...state, answers: { ...state.answers, [key]: { ...answer, ...ended } } };
  return state;
}

/** The state without what lies under rows that are gone: their lists, and the answers about them. */
export function withoutUnder(state: CacheState, resource: Resource, gone: readonly Params[]): CacheState {
  const byId = new Map(gone.map((params) => [idIn(resource, params), params]));
  const entries = Object.entries(entriesOf(state)).filter(([, { query }]) => {
    const row = byId.get(idIn(resource, query.params));
    if (!row || idIn(resource, row) === undefined) return false;
    // The answer that the row does not exist stays.
    const isItself = query.resource === resource.name && query.operation === 'view';
    return !isItself && liesUnder(query.params, row);
  });
  return entries.length > 0 ? withoutEntries(state, new Set(entries.map(([key]) => key))) : state;
}

/** The number of rows after a change of those loaded. */
export const resultsOf = ({ results, rows: before, loading }: Collection, after: readonly Row[]): number | undefined =>
  results === undefined || loading ? results : results + after.length - before.length;
