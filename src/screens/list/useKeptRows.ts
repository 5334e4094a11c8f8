import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { type CacheView, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { type Collection, idOf, type Query, queryKey } from '../../store/cache.ts';
import { countsText, type ListChanges } from '../../store/kept/keptChanges.ts';
import { isUnconfirmed } from '../../store/kept/keptRows.ts';
import { grouped } from '../../text/numbers.ts';
import { momentWords, type Timestamp } from '../../text/times.ts';
import { useStores } from '../useStores.ts';

/** Says of a row that it is new, or was changed, since an earlier session. */
export type RowSign = 'new' | 'changed';

/** A list as an earlier session has read it, and what is different now. */
export interface KeptRows {
  /** `kept yesterday 18:04` or `3 new, 1 gone, 7 changed since yesterday 18:04`; undefined where there is nothing to say. */
  says?: string;
  /** Whether the row of an id was not read in this session. */
  isKept(id: string): boolean;
  /** The sign of the row of an id, while such signs are shown. */
  signOf(id: string): RowSign | undefined;
}

/** Tells kept rows of a list from those that were read, and those that changed, where there are any; returns the view by which a filter finds these. */
export function useKeptRows(
  resource: Resource,
  query: Query | undefined,
  collection: Collection | undefined,
  view: CacheView,
): readonly [KeptRows | undefined, CacheView] {
  const { keptChanges, now } = useStores();
  const key = query ? queryKey(query) : '';
  const changes = useStore(keptChanges, ({ lists }) => lists[key]);
  const kept = useMemo(
    () => (collection?.keptAt === undefined && !changes?.isMarked ? undefined : keptRows(collection, changes, now())),
    [collection, changes, now],
  );
  const standing = useCallback(
    (row: Row) => {
      const list = keptChanges.getState().lists[key];
      return list && signIn(list, idOf(resource, row));
    },
    [keptChanges, key, resource],
  );
  const state = changes && (changes.isWhole ? 'whole' : 'partial');
  // Rows that change meanwhile are looked at one by one.
  const standingView = useMemo(() => (state ? viewWith(view, { standing }) : view), [view, standing, state]);
  return [kept, standingView];
}

const signIn = ({ came, changed }: ListChanges, id: string): RowSign | undefined =>
  came.has(id) ? 'new' : changed.has(id) ? 'changed' : undefined;

function keptRows(collection: Collection | undefined, changes: ListChanges | undefined, now: Timestamp): KeptRows {
  return {
    says: keptText(collection, changes, now),
    isKept: (id) => collection !== undefined && isUnconfirmed(collection, id),
    signOf: (id) => (changes?.isMarked ? signIn(changes, id) : undefined),
  };
}

/** The age of a list, or what has changed since. */
function keptText(
  collection: Collection | undefined,
  changes: ListChanges | undefined,
  now: Timestamp,
): string | undefined {
  if (collection?.keptAt !== undefined) {
    const read = collection.confirmed?.size ?? 0;
    const confirmed = read > 0 ? `, ${grouped(read)} read` : '';
    return `kept ${momentWords(collection.keptAt, now)}${confirmed}`;
  }
  const counts = changes && countsText(changes);
  return counts ? `${counts} since ${momentWords(changes.since, now)}` : undefined;
}
