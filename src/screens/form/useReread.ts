import { useRef, useState } from 'react';
import { isPatch } from '../../resources/body.ts';
import type { Action, Params, Resource } from '../../resources/resource.ts';
import { readAgain } from '../../store/changes/readAgain.ts';
import { useStores } from '../useStores.ts';
import { prefillQuery } from './useFormReads.ts';

/** The row is read again before it is sent unless this form has just done that, in milliseconds. */
const freshFor = 3000;

/**
 * Reads the rows of a form again just before it is sent: what no event has announced would be overwritten unseen. A
 * person sends seldom, so that one read more costs nothing, and no age of a copy has to be trusted.
 */
export function useReread(resource: Resource, action: Action, targets: readonly Params[]) {
  const stores = useStores();
  const [reading, setReading] = useState(false);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const isTold = useRef(false);

  /**
   * Answers why it could not be read, the first time; the change is not held up by that for ever.
   * @param isMerged whether what is sent to each of several rows is worked out from the row
   */
  async function reread(isMerged: boolean): Promise<string | undefined> {
    const [first] = targets;
    if (!first || !isPatch(action) || stores.now() - readAt.current < freshFor) return undefined;
    // Of several rows only what is touched is sent, whatever the rest is.
    if (targets.length > 1 && !isMerged && !action.send) return undefined;
    const beside = prefillQuery(resource, action, first);
    if (beside && stores.view.answer(beside.resource, beside.operation, beside.params) === undefined) return undefined;
    setReading(true);
    const failure = await readAgain(stores, resource, targets, beside);
    setReading(false);
    if (!failure) readAt.current = stores.now();
    if (!failure || isTold.current) return undefined;
    isTold.current = true;
    return `Not sent: whether others have changed it could not be read. ${failure.message} Sending it again sends what you changed.`;
  }

  return { reading, reread };
}
