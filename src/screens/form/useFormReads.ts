import { useEffect, useState } from 'react';
import type { FormField } from '../../resources/body.ts';
import { paramsFrom } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Action, Draft, Params, Resource } from '../../resources/resource.ts';
import { type Query, queryKey, viewQuery } from '../../store/cache.ts';
import { hasToken } from '../../store/changes/references.ts';
import { useStores } from '../useStores.ts';

/**
 * Reads what a form needs at the start: the whole rows if their list leaves fields out, and the answer that prefills
 * it. Returns whether the reads are over, successful or not.
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

/** The query for the answer that prefills a form besides the row. */
export const prefillQuery = ({ name }: Resource, { prefill }: Action, params: Params): Query | undefined =>
  prefill === undefined ? undefined : { resource: name, operation: prefill, params };

/** Reads the rows that a draft refers to if they are not loaded in full; labels and rules need them. */
export function useReferencedRows(fields: readonly FormField[], draft: Draft): void {
  const { cache, view } = useStores();
  const [, setCount] = useState(0);
  const missing = fields.flatMap(({ name, field: { kind, to } }) => {
    const id = draft[name];
    if (kind !== 'reference' || typeof to !== 'string' || typeof id !== 'string' || id === '' || hasToken(id))
      return [];
    const resource = resourceNamed(to);
    if (!resource.view || resource.under) return [];
    const params = paramsFrom(resource, id);
    const isViewed = queryKey(viewQuery(resource, params)) in cache.getState().answers;
    const isKnown = view.row(to, id) !== undefined && !resource.list?.partial;
    return isViewed || isKnown ? [] : [{ resource, params }];
  });
  const wanted = missing.map(({ resource, params }) => `${resource.name} ${JSON.stringify(params)}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the missing rows only
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
