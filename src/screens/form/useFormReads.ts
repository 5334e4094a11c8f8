import { useEffect, useState } from 'react';
import type { FormField } from '../../resources/body.ts';
import { paramsFrom } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Action, Draft, Params, Resource } from '../../resources/resource.ts';
import { type Query, queryKey, viewQuery } from '../../store/cache.ts';
import { useStores } from '../useStores.ts';

/**
 * Reads what a form starts from and is not loaded: the rows where their list may have left fields out, and the
 * answer that the action names. Answers whether it is read, well or not.
 */
export function useInitialReads(resource: Resource, action: Action, targets: readonly Params[]): boolean {
  const { cache } = useStores();
  const [isRead, setRead] = useState(!(resource.list?.partial || action.prefill) || targets.length === 0);
  const read = async (params: Params) => {
    if (resource.list?.partial) await cache.readRow(resource, params);
    const beside = prefillQuery(resource, action, params);
    if (beside) await cache.readAnswer(beside);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form has the same targets as long as it is open
  useEffect(() => {
    if (!isRead) void Promise.all(targets.map(read)).then(() => setRead(true));
  }, [cache]);
  return isRead;
}

/** Asks for the answer from which a form starts besides the row. */
export const prefillQuery = ({ name }: Resource, { prefill }: Action, params: Params): Query | undefined =>
  prefill === undefined ? undefined : { resource: name, operation: prefill, params };

/** Reads the rows that a draft refers to and that are not loaded, or only in part, so that their labels and rules are known. */
export function useReferencedRows(fields: readonly FormField[], draft: Draft): void {
  const { cache, view } = useStores();
  const [, setCount] = useState(0);
  const missing = fields.flatMap(({ name, field: { kind, to } }) => {
    const id = draft[name];
    if (kind !== 'reference' || typeof to !== 'string' || typeof id !== 'string' || id === '') return [];
    const resource = resourceNamed(to);
    if (!resource.view || resource.under) return [];
    const params = paramsFrom(resource, id);
    const isViewed = queryKey(viewQuery(resource, params)) in cache.getState().answers;
    const isKnown = view.row(to, id) !== undefined && !resource.list?.partial;
    return isViewed || isKnown ? [] : [{ resource, params }];
  });
  const wanted = missing.map(({ resource, params }) => `${resource.name} ${JSON.stringify(params)}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is missing decides
  useEffect(() => {
    let isOver = false;
    void Promise.all(missing.map(({ resource, params }) => cache.readRow(resource, params))).then(() => {
      if (!isOver && wanted !== '') setCount((count) => count + 1);
    });
    return () => {
      isOver = true;
    };
  }, [wanted, cache]);
}
