import { useEffect, useState } from 'react';
import type { FormField } from '../../resources/body.ts';
import { paramsFrom } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Draft, Params, Resource } from '../../resources/resource.ts';
import { keyOf, viewOf } from '../../store/records.ts';
import { useDeck } from '../useDeck.ts';

/** Reads the rows that a form starts from where their list may have left fields out; answers whether they are read, well or not. */
export function useWholeRows(resource: Resource, targets: readonly Params[]): boolean {
  const { records } = useDeck();
  const [isRead, setRead] = useState(!resource.list?.partial || targets.length === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form has the same targets as long as it is open
  useEffect(() => {
    if (!isRead) void Promise.all(targets.map((params) => records.readRow(resource, params))).then(() => setRead(true));
  }, [records]);
  return isRead;
}

/** Reads the rows that a draft refers to and that are not loaded, or only in part, so that their labels and rules are known. */
export function useReferredRows(fields: readonly FormField[], draft: Draft): void {
  const { records, known } = useDeck();
  const [, setCount] = useState(0);
  const missing = fields.flatMap(({ name, field: { kind, to } }) => {
    const id = draft[name];
    if (kind !== 'reference' || typeof to !== 'string' || typeof id !== 'string' || id === '') return [];
    const resource = resourceNamed(to);
    if (!resource.view || resource.under) return [];
    const params = paramsFrom(resource, id);
    const isViewed = keyOf(viewOf(resource, params)) in records.getState().answers;
    const isKnown = known.row(to, id) !== undefined && !resource.list?.partial;
    return isViewed || isKnown ? [] : [{ resource, params }];
  });
  const wanted = missing.map(({ resource, params }) => `${resource.name} ${JSON.stringify(params)}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is missing decides
  useEffect(() => {
    let isOver = false;
    void Promise.all(missing.map(({ resource, params }) => records.readRow(resource, params))).then(() => {
      if (!isOver && wanted !== '') setCount((count) => count + 1);
    });
    return () => {
      isOver = true;
    };
  }, [wanted, records]);
}
