import type { Action, Resource, Shortcut } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { sentence } from '../../text/words.ts';
import { actionOf, onRows, shortcutsOf } from '../actions.ts';
import type { Handler } from './keyboard.ts';

/** Why nothing that changes something can be done. */
export const readOnlyReason = 'Read-only: nothing can be changed in this session.';

/** The handler of a key that starts an action; a read-only session that cannot even plan it says so. */
export function startOf(stores: Stores, action: Action, start: Handler | undefined): Handler | undefined {
  const refusal = readOnlyRefusal(stores, action);
  if (refusal === undefined) return start;
  const refuses = sentence(refusal);
  return Object.assign(() => refuses, { refuses });
}

/** Whether the rows of a resource have an actions menu. */
export const hasChoices = (resource: Resource): boolean =>
  (resource.shortcuts ?? []).length > 0 || onRows(resource).length > 0;

/** Why the actions menu of the rows of a resource is not opened, as a sentence; undefined when it is. */
export function whyNoChoices(stores: Stores, resource: Resource): string | undefined {
  if (!hasChoices(resource)) return `There are no actions on ${plural(resource)}.`;
  const isAny = onRows(resource).some((action) => !readOnlyRefusal(stores, action));
  return isAny || offeredOn(stores, resource).length > 0 ? undefined : readOnlyReason;
}

/** The actions on rows and the shortcuts that a session offers: all, or where it is read-only, what can be planned or changes nothing. */
export const offeredOn = (
  stores: Pick<Stores, 'api' | 'session' | 'view'>,
  resource: Resource,
): readonly (Action | Shortcut)[] => [
  ...onRows(resource).filter((action) => !readOnlyRefusal(stores, action)),
  ...shortcutsOf(stores, resource).filter((shortcut) => !readOnlyRefusal(stores, actionOf(shortcut))),
];
