import { useEffect, useMemo } from 'react';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { paramsOf, type Query } from '../../store/cache.ts';
import { rowDelayMs, useRowAnswers, useStores } from '../useStores.ts';

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
