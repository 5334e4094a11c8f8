import { useEffect, useRef, useState } from 'react';
import { type FormField, isPatch } from '../../resources/body.ts';
import { paramsFrom } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Action, Draft, Params, Resource } from '../../resources/resource.ts';
import { type Query, queryKey, viewQuery } from '../../store/cache.ts';
import { readAgain, readListAgain } from '../../store/changes/readAgain.ts';
import { hasToken } from '../../store/changes/references.ts';
import { msSince } from '../../text/times.ts';
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

/** A row read by this form less than this ago is not read again before it is sent. */
const freshForMs = 3000;

/** Reads the rows of a form again just before it is sent, so that changes without an event are not overwritten unseen. */
export function useReread(resource: Resource, action: Action, targets: readonly Params[]) {
  const stores = useStores();
  const [reading, setReading] = useState(false);
  const [openedAt] = useState(stores.now);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const isTold = useRef(false);

  /**
   * Resolves to the failure the first time a read fails; later failures do not hold the change up.
   * @param isMerged whether the body for each of several rows depends on the row
   */
  async function reread(isMerged: boolean): Promise<string | undefined> {
    const [first] = targets;
    if (action.below) return void (await readBelow(resourceNamed(action.below)));
    if (!first || !isPatch(action) || msSince(readAt.current, stores.now()) < freshForMs) return undefined;
    // For several rows only the touched fields are sent, whatever the rest is.
    if (targets.length > 1 && !isMerged && !action.send) return undefined;
    const beside = prefillQuery(resource, action, first);
    if (beside && stores.view.answer(beside.resource, beside.operation, beside.params) === undefined) return undefined;
    setReading(true);
    const failure = await readAgain(stores, resource, targets, beside);
    setReading(false);
    if (!failure) readAt.current = stores.now();
    if (!failure || isTold.current) return undefined;
    isTold.current = true;
    return `Not sent: could not check whether others have changed it. ${failure.message} Send again to send your changes anyway.`;
  }

  /** Reads once for a form the lists to which it adds, by which each row is judged; those that failed once more. */
  async function readBelow({ name, list }: Resource): Promise<void> {
    const lists = list ? targets.map((params): Query => ({ resource: name, operation: 'list', params })) : [];
    const isRead = (query: Query) => Number(stores.cache.getState().collections[queryKey(query)]?.loadedAt) >= openedAt;
    setReading(true);
    await Promise.all(lists.filter((query) => !isRead(query)).map((query) => readListAgain(stores.cache, query)));
    setReading(false);
  }

  return { reading, reread };
}
