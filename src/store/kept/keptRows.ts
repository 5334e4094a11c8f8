import type { ApiError } from '../../api/error.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { ListOperation, Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { CacheState, Collection } from '../entries.ts';
import { operationOf, type Query, queryKey, resourceOfRows } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { rowIn, withChanges } from '../rows.ts';

/** Whether rows of a collection may be those of an earlier session still. */
export const isKept = (collection: Pick<Collection, 'keptAt'> | undefined): boolean => collection?.keptAt !== undefined;

/** Whether the row of an id is as an earlier session has read it, and was not read in this one. */
export const isUnconfirmed = ({ keptAt, confirmed }: Pick<Collection, 'keptAt' | 'confirmed'>, id: string): boolean =>
  keptAt !== undefined && !confirmed?.has(id);

/** The state with lists of an earlier session. What was read in this one stays, and so do lists that are read as they are scrolled. */
export function withKept(state: CacheState, lists: readonly KeptList[]): CacheState {
  const added: Record<string, Collection> = {};
  for (const { query, rows: kept, results, keptAt, isTop } of lists) {
    const key = queryKey(query);
    const operation = operationOf(query);
    const known = state.collections[key];
    const isTaken = known !== undefined && (known.loadedAt !== undefined || known.rows.length > 0 || isWithheld(known));
    if ((isTaken && !known.isTop) || !('pages' in operation) || isGradual(operation as ListOperation)) continue;
    const resource = resourceOfRows(query);
    const { confirmed = new Set<string>() } = known ?? {};
    // These were read since the top of the list was shown, or are gone.
    const read = [...confirmed].map((id) => [id, rowIn(resource, known?.rows ?? [], id)] as const);
    const rows = withChanges(resource, kept, new Map(read));
    added[key] = { query, resource: resource.name, loading: false, ...known, rows, results, keptAt, confirmed, isTop };
  }
  return Object.keys(added).length > 0 ? { ...state, collections: { ...state.collections, ...added } } : state;
}

/** The state without rows that only an earlier session has read. */
export function withoutKept(state: CacheState): CacheState {
  const entries = Object.entries(state.collections).flatMap(([key, collection]): [string, Collection][] => {
    if (!isKept(collection)) return [[key, collection]];
    const resource = resourceNamed(collection.resource);
    const rows = collection.rows.filter((row) => !isUnconfirmed(collection, idOf(resource, row)));
    const { loading, triedAt } = collection;
    const isNeeded = loading || triedAt !== undefined || rows.length > 0;
    return isNeeded ? [[key, { ...collection, ...allConfirmed, rows, results: undefined }]] : [];
  });
  return { ...state, collections: Object.fromEntries(entries) };
}

/** A part of a collection that says that these rows were read in this session, too. */
export const confirmedWith = (
  collection: Collection | undefined,
  ids: Iterable<string>,
): Pick<Collection, 'confirmed'> | undefined =>
  isKept(collection) ? { confirmed: new Set([...(collection?.confirmed ?? []), ...ids]) } : undefined;

/** A part of a collection that says that all of its rows were read in this session. */
export const allConfirmed = { keptAt: undefined, confirmed: undefined, isTop: undefined } as const;

/** Whether the API has said that there is no such list, or not for this token. */
const isWithheld = ({ error }: Pick<Collection, 'error'>): boolean =>
  error?.kind === 'unsupported' || error?.status === 403 || error?.isGone === true;

/** The rest of a kept collection where the API says that there is no such list, or not for this token. */
export const withdrawnBy = (
  failure: ApiError | undefined,
  collection: Collection | undefined,
): Partial<Collection> | undefined =>
  isKept(collection) && isWithheld({ error: failure }) ? { rows: [], results: undefined, ...allConfirmed } : undefined;

/** A list as a session before has read it to its end. */
export interface KeptList extends Pick<Collection, 'query' | 'rows' | 'results'> {
  /** When it was read. */
  keptAt: Timestamp;
  /** Works out the rows at its top in the order in which it was seen; undefined where none are to be kept apart. */
  top?: () => ListTop | undefined;
  /** Only these are there. */
  isTop?: true;
}

/** The rows at the top of a list; for `sort`, see `sorted`. */
export interface ListTop {
  sort?: string;
  rows: readonly Row[];
}

/** The lists that sessions before have kept of one account, and that this one keeps for the next. */
export interface KeptSource {
  /**
   * The list that answered a query, read at once, for the first frame; undefined where none is kept. Never throws.
   * @param most one with more rows is left for `rest`
   */
  read(query: Query, most?: number): KeptList | undefined;
  /** The rows at its top in this order, where they are kept apart; all of the list then comes first in `rest`. Never throws. */
  readTop(query: Query, sort: string | undefined): KeptList | undefined;
  /** Every list that was not read yet, one after the other, without holding up a key. Never throws. */
  rest(): AsyncIterable<KeptList>;
  /** Keeps these lists beside those of other queries, without holding up a key. Never rejects. */
  save(lists: readonly KeptList[]): Promise<void>;
  /**
   * Tells why something that was kept is left out, as a sentence, also of what was before. Where all of it is, the lists
   * that were read until then must not be shown any more.
   */
  onLeftOut(listener: (says: string, isAll: boolean) => void): void;
}
