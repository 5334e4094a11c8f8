import { useEffect, useMemo, useRef } from 'react';
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
  const bodies = useGlances(questions);
  useSight(resource, visible);
  const places = new Map(visible.map((row, index) => [row, index]));
  return (row, operation) => {
    const place = places.get(row);
    const nth = operations.indexOf(operation);
    return place === undefined || nth < 0 ? undefined : (bodies[place * operations.length + nth] as Row | undefined);
  };
}

/** Tells that these rows are on the screen, so that they are the first to be read when they change. */
export function useSight(resource: Resource, visible: readonly Row[]): void {
  const { sight } = useDeck();
  useEffect(() => sight.look(resource, visible), [sight, resource, visible]);
}

/** Rows in sight are asked about when they stay for so long, in milliseconds: longer than a held key waits. */
const restsAfter = 150;

/**
 * The answers to questions about what is in sight, as far as they are there; the same array as long as they are the same.
 * Rows that pass by are not asked about.
 */
export function useGlances(questions: readonly Question[]): readonly unknown[] {
  const { records, glances } = useDeck();
  const keys = useMemo(() => questions.map(keyOf), [questions]);
  const shown = keys.join(' ');
  const seen = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what is visible
  useEffect(() => {
    const isFirst = !seen.current;
    seen.current = shown;
    if (isFirst) return glances.want(questions);
    let forget: (() => void) | undefined;
    const timer = setTimeout(() => {
      forget = glances.want(questions);
    }, restsAfter);
    return () => {
      clearTimeout(timer);
      forget?.();
    };
  }, [shown, glances]);
  return useStore(
    records,
    useShallow(({ answers }) => keys.map((key) => answers[key]?.body)),
  );
}
