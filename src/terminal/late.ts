import type { FrameLine } from './frameLine.ts';
import { differs, maxGap } from './paint.ts';
import { untinted } from './sgr.ts';

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

/** The colours of a row that is tinted at rest, as SGR parameters: `48;5;237`. */
export interface Tint {
  foreground: string;
  background: string;
}

/**
 * A line as it is drawn at once. The tint of a row moves later than the cursor: until then a row that gets it is drawn
 * without, and one that loses it keeps it in the cells that stay the same.
 * @param before what the terminal shows
 */
export function drawnAtOnce(before: FrameLine, after: FrameLine, tint: Tint): FrameLine {
  const [had, has] = [isTinted(before, tint), isTinted(after, tint)];
  if (had === has) return after;
  if (has) return { ...after, style: after.style.map((style) => untinted(style, tint)) };
  const length = Math.max(before.text.length, after.text.length);
  const text = Array.from({ length }, (_, column) => after.text[column] ?? ' ');
  const isKept = text.map(
    (cell, column) =>
      cell === before.text[column] && untinted(before.style[column] ?? 0, tint) === (after.style[column] ?? 0),
  );
  // Few cells between others that change are written again with them.
  const isWithin = (column: number) =>
    isKept.slice(Math.max(0, column - maxGap), column).includes(false) &&
    isKept.slice(column + 1, column + 1 + maxGap).includes(false);
  const style = isKept.map((kept, column) => (kept && !isWithin(column) ? before : after).style[column] ?? 0);
  return { ...after, text, style };
}

/** Whether a line has cells with the background of a tint; each run of cells of one style is looked at once. */
export const isTinted = ({ style }: FrameLine, tint: Tint): boolean =>
  style.some((index, column) => index !== style[column - 1] && untinted(index, tint) !== index);
