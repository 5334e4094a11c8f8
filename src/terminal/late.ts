import type { FrameLine } from './frameLine.ts';
import { differs } from './paint.ts';

/** Cells of one line that follow once the screen rests: a held key does not pay for them. */
export interface LateCells {
  row: number;
  from: number;
  /** Exclusive. */
  to: number;
}

export const areSameCells = (one: LateCells | undefined, other: LateCells | undefined): boolean =>
  one?.row === other?.row && one?.from === other?.from && one?.to === other?.to;

/** Whether two lines are the same but for these cells. */
export function differsOnlyIn(before: FrameLine, after: FrameLine, { from, to }: LateCells): boolean {
  if (before.isDisputed || after.isDisputed || before.caret !== after.caret) return false;
  const length = Math.max(before.text.length, after.text.length);
  for (let column = 0; column < length; column++) {
    if (column >= from && column < to) continue;
    if (differs(before, after, column)) return false;
  }
  return true;
}
