import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { keyOf, paramsOf, type Question } from '../../store/records.ts';
import { useDeck } from '../useDeck.ts';

/** The answer of a further operation about a row, as far as it is there. */
export type LazyAnswer = (row: Row, operation: string) => Row | undefined;

/** Asks the further operations that columns need, for visible rows only. */
export function useLazyAnswers(
  resource: Resource,
  visible: readonly Row[],
  params: Params,
  operations: readonly string[],
): LazyAnswer {
  const { records, glances } = useDeck();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters of a list stay the same as long as the list does
  const questions = useMemo(
    () =>
      visible.flatMap((row) =>
        operations.map(
          (operation): Question => ({ resource: resource.name, operation, params: paramsOf(resource, row, params) }),
        ),
      ),
    [visible, operations, resource],
  );
  const keys = useMemo(() => questions.map(keyOf), [questions]);
  const bodies = useStore(
    records,
    useShallow(({ answers }) => keys.map((key) => answers[key]?.body)),
  );
  const shown = keys.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what is visible
  useEffect(() => glances.want(questions), [shown, glances]);
  const places = new Map(visible.map((row, index) => [row, index]));
  return (row, operation) => {
    const place = places.get(row);
    const nth = operations.indexOf(operation);
    return place === undefined || nth < 0 ? undefined : (bodies[place * operations.length + nth] as Row | undefined);
  };
}
