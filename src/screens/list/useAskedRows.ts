import { useEffect, useMemo, useRef, useState } from 'react';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { type CacheView, type Params, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { paramsOf, type Query } from '../../store/cache.ts';
import { type Fleet, isWithoutReadings } from '../../store/fleet.ts';
import { askedPerMinute } from '../../store/paces.ts';
import { rowDelayMs, tellLater, useRowAnswers, useStores } from '../useStores.ts';
import type { Asked } from './listRows.ts';

/** The view with the answers as they were at a time: the order of a list is found by it where none came since. */
const answeredBy = memoize((view: CacheView) => memoizeOne((_version: number) => viewWith(view, {})));

/** The view for filter and order: a new object after answers came in that they look at. */
export function useAnsweredView(view: CacheView): [CacheView, () => void] {
  const { fleet } = useStores();
  const [version, setVersion] = useState(() => fleet.getState().version);
  const renew = useMemo(() => () => setVersion(fleet.getState().version), [fleet]);
  return [answeredBy(view)(version), renew];
}

/** Reads what a filter and an order ask about rows, the unread ones first, and renews the view as answers come in. */
export function useAskedRows(resource: Resource, asked: readonly Asked[], renew: () => void): void {
  const { scheduler, fleet } = useStores();
  // Rows move as answers come in at most this often; less often in a long list, which takes long to sort and to read.
  const pauseMs = useRef(0);
  pauseMs.current = Math.max(500, ...asked.map(({ rows }) => rows.length / 10));
  const isAsking = asked.length > 0;
  useEffect(() => (isAsking ? tellLater(fleet, renew, () => pauseMs.current) : undefined), [isAsking, fleet, renew]);
  useEffect(() => {
    const ends = asked.flatMap(({ operation, rows }) => [
      scheduler.subscribe(() => fleet.queries(operation, resource, rows), 'next'),
      fleet.retain(operation, resource, rows),
    ]);
    return () => {
      for (const end of ends) end();
    };
  }, [asked, resource, fleet, scheduler]);
}

/** Tells how much is read, counted again when the rows change or the view is renewed. */
export function useAskedProgress(resource: Resource): (asked: readonly Asked[]) => readonly AskedProgress[] {
  const { fleet } = useStores();
  return useMemo(
    () => memoizeOne((asked: readonly Asked[]) => askedProgress(resource, asked, fleet)),
    [resource, fleet],
  );
}

/** Counts of the rows that a filter and an order ask about. */
export interface AskedProgress {
  title: string;
  /** Counted in place of the rows of the list. */
  what?: string;
  read: number;
  of: number;
  failed: number;
  /** So many more are read in a minute. */
  perMinute: number;
}

/** Counts the rows that were read, of those that a filter and an order ask about; only what is not read whole. */
const askedProgress = (resource: Resource, asked: readonly Asked[], fleet: Fleet): readonly AskedProgress[] =>
  asked.flatMap(({ operation, title, rows }) => {
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
 * Reads what columns ask about the rows on the screen, which are read first when they change.
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
