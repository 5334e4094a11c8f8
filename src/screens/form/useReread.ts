import { useRef, useState } from 'react';
import { isPatch } from '../../resources/body.ts';
import type { Action, Params, Resource } from '../../resources/resource.ts';
import { readAgain } from '../../store/changes/readAgain.ts';
import { useStores } from '../useStores.ts';
import { prefillQuery } from './useFormReads.ts';

/** A row read by this form less than this ago is not read again before it is sent. */
const freshForMs = 3000;

/** Reads the rows of a form again just before it is sent, so that changes without an event are not overwritten unseen. */
export function useReread(resource: Resource, action: Action, targets: readonly Params[]) {
  const stores = useStores();
  const [reading, setReading] = useState(false);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const isTold = useRef(false);

  /**
   * Resolves to the failure the first time a read fails; later failures do not hold the change up.
   * @param isMerged whether the body for each of several rows depends on the row
   */
  async function reread(isMerged: boolean): Promise<string | undefined> {
    const [first] = targets;
    if (!first || !isPatch(action) || stores.now() - readAt.current < freshForMs) return undefined;
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

  return { reading, reread };
}
