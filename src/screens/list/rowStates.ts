import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { marksOf, useTheme } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
import { knownResource } from '../../resources/index.ts';
import { type CacheView, type Params, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { type Collection, type Query, queryKey } from '../../store/cache.ts';
import { countsText, type ListChanges } from '../../store/kept/keptChanges.ts';
import { isUnconfirmed } from '../../store/kept/keptRows.ts';
import { partOf } from '../../store/plans/plan.ts';
import { mayBeIn } from '../../store/queries.ts';
import { grouped } from '../../text/numbers.ts';
import { momentWords, type Timestamp } from '../../text/times.ts';
import { progressive } from '../../text/words.ts';
import { useStores } from '../useStores.ts';
import { branchId } from './listTree.ts';

/** Says of a row that it is new, or was changed, since an earlier session. */
export type RowSign = 'new' | 'changed';

/** A list as an earlier session has read it, and what is different now. */
export type KeptRows = ReturnType<typeof keptRows>;

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

const keptRows = (collection: Collection | undefined, changes: ListChanges | undefined, now: Timestamp) => ({
  says: keptText(collection, changes, now),
  /** Whether the row of an id was not read in this session. */
  isKept: (id: string) => collection !== undefined && isUnconfirmed(collection, id),
  /** The sign of the row of an id, while such signs are shown. */
  signOf: (id: string) => (changes?.isMarked ? signIn(changes, id) : undefined),
});

/** `kept yesterday 18:04` or `3 new, 1 gone, 7 changed since yesterday 18:04`; undefined where there is nothing to say. */
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

/**
 * The text of each pending change on a row of a list, by the id of its line; what changes nothing leaves the state of its
 * row in sight.
 * @param branches the resource of the lines above its rows
 */
export function usePendingRows(shown: Resource, params: Params, branches?: Resource): ReadonlyMap<string, string> {
  const theme = useTheme();
  const stores = useStores();
  const changes = useStore(stores.changes, (state) => state.changes);
  const { run, rolling, steps } = useStore(stores.plans);
  return useMemo(() => {
    const { busy, waiting } = marksOf(theme);
    const { name, standsFor } = shown;
    // A row that stands for one of another list has the names of both.
    const lineOf = (of: Resource, rowId: string, own: Params) =>
      of === branches ? branchId(of, rowId) : of.name === name ? rowId : `${of.name} ${Object.values(own).join('/')}`;
    // Steps of a rolling action wait for their turns.
    const ahead = run && rolling !== undefined ? partOf(steps, rolling) : [];
    const turns = ahead.flatMap(({ record, result }): [string, string][] => {
      const of = knownResource(record.resource);
      const own = record.params as Params;
      const id = of && (of.name === name || standsFor) && !result ? own[of.param] : undefined;
      return of && id !== undefined && mayBeIn(own, params) ? [[lineOf(of, id, own), `${waiting} waiting`]] : [];
    });
    const sent = changes
      .filter(({ action, isOver }) => !isOver && !action.harmless)
      .filter(({ resource }) => standsFor || resource.name === name || resource.name === branches?.name)
      .flatMap(({ action, results, resource }) =>
        results.flatMap((result): [string, string][] => {
          if (result.rowId === undefined || !mayBeIn(result.params, params)) return [];
          const id = lineOf(resource, result.rowId, result.params);
          if (result.state === 'running') return [[id, `${busy} ${progressive(action.help)}`]];
          return result.state === 'waiting' ? [[id, `${waiting} waiting`]] : [];
        }),
      );
    return turns.length + sent.length > 0 ? new Map([...turns, ...sent]) : none;
  }, [changes, run, rolling, steps, theme, shown, params, branches]);
}

const none: ReadonlyMap<string, string> = new Map();
