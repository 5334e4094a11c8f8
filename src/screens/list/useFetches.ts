import { useEffect, useMemo, useRef, useState } from 'react';
import { paramsOf } from '../../resources/identity.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { type CacheView, type Params, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import { type Fleet, isWithoutReadings } from '../../store/fleet.ts';
import { allOf } from '../../store/listeners.ts';
import { askedPerMinute } from '../../store/paces.ts';
import { rowDelayMs, tellLater, useRowAnswers, useStores } from '../useStores.ts';
import type { Fetch } from './listRows.ts';

/** The view with the answers as they were at a time: the order of a list is found by it where none came since. */
const answeredBy = memoize((view: CacheView) => memoizeOne((_version: number) => viewWith(view, {})));

/** The view for filter and order: a new object after answers came in that they look at. */
export function useAnsweredView(view: CacheView): [CacheView, () => void] {
  const { fleet } = useStores();
  const [version, setVersion] = useState(() => fleet.getState().version);
  const renew = useMemo(() => () => setVersion(fleet.getState().version), [fleet]);
  return [answeredBy(view)(version), renew];
}

/** Fetches what a filter and an order need of rows, the unread ones first, and renews the view as answers come in. */
export function useFetches(resource: Resource, fetches: readonly Fetch[], renew: () => void): void {
  const { scheduler, fleet } = useStores();
  // Rows move as answers come in at most this often; less often in a long list, which takes long to sort and to read.
  const pauseMs = useRef(0);
  pauseMs.current = Math.max(500, ...fetches.map(({ rows }) => rows.length / 10));
  const isFetching = fetches.length > 0;
  useEffect(
    () => (isFetching ? tellLater(fleet, renew, () => pauseMs.current) : undefined),
    [isFetching, fleet, renew],
  );
  useEffect(() => {
    const ends = fetches.flatMap(({ operation, rows }) => [
      scheduler.subscribe(() => fleet.queries(operation, resource, rows), 'next'),
      fleet.retain(operation, resource, rows),
    ]);
    return allOf(ends);
  }, [fetches, resource, fleet, scheduler]);
}

/** Tells how much is read, counted again when the rows change or the view is renewed. */
export function useFetchProgress(resource: Resource): (fetches: readonly Fetch[]) => readonly FetchProgress[] {
  const { fleet } = useStores();
  return useMemo(
    () => memoizeOne((fetches: readonly Fetch[]) => progressOfFetches(resource, fetches, fleet)),
    [resource, fleet],
  );
}

/** Counts of the rows that a filter and an order need read. */
export interface FetchProgress {
  title: string;
  /** Counted in place of the rows of the list. */
  what?: string;
  read: number;
  of: number;
  failed: number;
  /** So many more are read in a minute. */
  perMinute: number;
}

/** Counts the rows that were read, of those that a filter and an order need; only what is not read whole. */
const progressOfFetches = (resource: Resource, fetches: readonly Fetch[], fleet: Fleet): readonly FetchProgress[] =>
  fetches.flatMap(({ operation, title, rows }) => {
    const count = { title, read: 0, of: rows.length, failed: 0, perMinute: askedPerMinute };
    for (const row of rows) {
      const last = fleet.readingOf(operation, resource, row);
      if (last?.error && !isWithoutReadings(last.error)) count.failed += 1;
      else if (last) count.read += 1;
    }
    return count.read < count.of ? [count] : [];
  });

/** The answers about the rows on the screen: another object when one changes. */
export type Answers = readonly unknown[];

/**
 * A query of each operation about each row.
 * @param params of the list
 */
export const queriesAbout = (
  resource: Resource,
  rows: readonly Row[],
  operations: readonly string[],
  params: Params = {},
): readonly Query[] =>
  rows.flatMap((row) =>
    operations.map((operation) => ({ resource: resource.name, operation, params: paramsOf(resource, row, params) })),
  );

/**
 * Fetches what columns show of the rows on the screen, which are read first when they change.
 * @param isFiltering while a filter is typed, its next letter may show others
 */
export function useVisibleAnswers(
  resource: Resource,
  visible: readonly Row[],
  params: Params,
  operations: readonly string[],
  isFiltering = false,
): Answers {
  const { visibleRows } = useStores();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of a list stay the same as long as the list does
  const queries = useMemo(() => queriesAbout(resource, visible, operations, params), [visible, operations, resource]);
  useEffect(() => visibleRows.show(resource, visible), [visibleRows, resource, visible]);
  return useRowAnswers(queries, rowDelayMs[isFiltering ? 'typing' : 'scrolling']);
}
