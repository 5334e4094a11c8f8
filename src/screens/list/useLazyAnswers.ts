import { useEffect, useMemo } from 'react';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { paramsOf, type Query } from '../../store/cache.ts';
import { useRowAnswers, useStores } from '../useStores.ts';

/** The answer of an operation about a row, if loaded. */
export type LazyAnswer = (row: Row, operation: string) => Row | undefined;

/** Queries the operations of lazy columns, for visible rows only; the same function while their answers are the same. */
export function useLazyAnswers(
  resource: Resource,
  visible: readonly Row[],
  params: Params,
  operations: readonly string[],
): LazyAnswer {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of a list stay the same as long as the list does
  const queries = useMemo(
    () =>
      visible.flatMap((row) =>
        operations.map(
          (operation): Query => ({ resource: resource.name, operation, params: paramsOf(resource, row, params) }),
        ),
      ),
    [visible, operations, resource],
  );
  const bodies = useRowAnswers(queries);
  useVisibleRows(resource, visible);
  return useMemo(() => answersFor(visible, operations, bodies), [visible, operations, bodies]);
}

function answersFor(visible: readonly Row[], operations: readonly string[], bodies: readonly unknown[]): LazyAnswer {
  const places = new Map(visible.map((row, index) => [row, index]));
  return (row, operation) => {
    const place = places.get(row);
    const nth = operations.indexOf(operation);
    return place === undefined || nth < 0 ? undefined : (bodies[place * operations.length + nth] as Row | undefined);
  };
}

/** Registers the rows on the screen, which are read first when they change. */
function useVisibleRows(resource: Resource, visible: readonly Row[]): void {
  const { visibleRows } = useStores();
  useEffect(() => visibleRows.show(resource, visible), [visibleRows, resource, visible]);
}
