import { at, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { type Change, kindOf } from '../changes/change.ts';
import { isSameValue, leavesOf } from './stale.ts';

/** Whether a row is as a change leaves it by now, so that nothing is left to send. */
export function isSoAlready(change: Change, row: Row): boolean {
  const { action, before } = change;
  const body: Row = isRow(change.body) ? change.body : {};
  const { state, answer } = action.shownBy ?? {};
  if (answer !== undefined) return false;
  if (kindOf(change) === 'action')
    return before !== undefined && state !== undefined && !state(before, body, {}) && state(row, body, {});
  const isThere = ([name, value]: readonly [string, unknown]) => isSameValue(change, name, at(row, name), value);
  return action.method === 'PUT' && leavesOf(body).every(isThere);
}

/** Said of a step of which nothing is left to send. */
export const alreadyText = 'It is so already, so nothing was sent.';
