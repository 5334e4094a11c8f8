import { useEffect } from 'react';
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
  const questions = visible.flatMap((row) =>
    operations.map(
      (operation): Question => ({
        resource: resource.name,
        operation,
        params: paramsOf(resource, row, params),
      }),
    ),
  );
  const keys = questions.map(keyOf);
  const bodies = useStore(
    records,
    useShallow(({ answers }) => keys.map((key) => answers[key]?.body)),
  );
  const shown = keys.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what is visible
  useEffect(() => glances.want(questions), [shown, glances]);
  const byKey = new Map(keys.map((key, index) => [key, bodies[index]]));
  return (row, operation) => {
    const key = keyOf({ resource: resource.name, operation, params: paramsOf(resource, row, params) });
    return byKey.get(key) as Row | undefined;
  };
}
