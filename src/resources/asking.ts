import { sumWords } from '../text/numbers.ts';
import type { Action, Ask } from './action.ts';
import type { Resource } from './description.ts';
import type { CacheView, Draft, Row } from './row.ts';

/** The strength of the question before an action is sent. */
export type Asking = 'at once' | 'asks' | 'asks at times' | 'types the label';

/** Finds the strength of the question, when the account is not marked as critical. */
export function askingOf({ ask, body, dialog }: Action): Asking {
  if (!ask) return ask === false || body || dialog ? 'at once' : 'asks';
  if (ask.typeLabel) return 'types the label';
  if (ask.when) return 'asks at times';
  return ask.warning || ask.question || !(body || dialog) ? 'asks' : 'at once';
}

/** The sentences of an action; empty where it has none. */
export const askOf = ({ ask }: Action): Ask => ask || {};

/** The price of an action on all these rows; undefined where it has none. */
export function costOf(action: Action, rows: readonly Row[], view: CacheView, draft: Draft): string | undefined {
  const { cost } = askOf(action);
  return typeof cost === 'function' ? cost(rows, view, draft) : cost;
}

/** Whether rows of a resource are charged for, as far as what it costs to make one tells. */
export const isCharged = ({ monthly, create }: Resource, view: CacheView): boolean =>
  monthly !== undefined || (create !== undefined && costOf(create, [], view, {}) !== undefined);

/** Behind `saves`, of the deletion of these rows: `$24.00 a month`; undefined where nothing is saved, or the API does not tell it. */
export const savedBy = ({ monthly }: Resource, rows: readonly Row[], view: CacheView): string | undefined =>
  sumWords(rows.map((row) => monthly?.(row, view)));

/** The letter of an action in a menu: a capital, because small letters narrow the menu. */
export const menuLetter = (key: string): string => key.toUpperCase();
