import type { Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import type { Change } from '../changes/change.ts';
import { kindOf } from '../changes/changeKind.ts';
import { isSame } from '../rows.ts';

/** Whether a row is by now as a change leaves it, and was not when the change was planned, so that nothing is left to send. */
export function isSoAlready(change: Change, row: Row): boolean {
  const { action, before } = change;
  const body: Row = isRow(change.body) ? change.body : {};
  const { state, answer } = action.shownBy ?? {};
  if (!before || answer !== undefined) return false;
  if (kindOf(change) === 'action') return state !== undefined && !state(before, body, {}) && state(row, body, {});
  if (kindOf(change) !== 'edit') return false;
  const sent = Object.entries(body);
  const wasOther = sent.some(([name, value]) => name in before && !isSame(before[name], value));
  return wasOther && sent.every(([name, value]) => name in row && isSame(row[name], value));
}

/** Said of a step of which nothing is left to send. */
export const alreadyText = 'It is so already, so nothing was sent.';
