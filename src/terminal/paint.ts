import { blankLine, type FrameLine, isDisputed } from './frameLine.ts';
import { blankStyle, isLink, transition, untinted } from './sgr.ts';

/** The state of the terminal's cursor, as far as it is known. */
export interface Cursor {
  row: number;
  /** Undefined after the last column was written, where terminals differ, and after a character of disputed width. */
  column: number | undefined;
  style: number;
}

export interface ScreenSize {
  columns: number;
  rows: number;
}

const csi = '\x1b[';
/** So many unchanged cells between two changed ones are cheaper to write again than to skip. */
const maxGap = 4;

const cellAt = ({ text }: FrameLine, column: number): string => text[column] ?? ' ';
const styleAt = ({ style }: FrameLine, column: number): number => style[column] ?? 0;
const differs = (one: FrameLine, other: FrameLine, column: number): boolean =>
  cellAt(one, column) !== cellAt(other, column) || styleAt(one, column) !== styleAt(other, column);

/** The fewest bytes that turn one line into another. Updates the cursor. */
export function lineBytes(before: FrameLine, after: FrameLine, row: number, cursor: Cursor, size: ScreenSize): string {
  if (!before.isDisputed && !after.isDisputed) return changedBytes(before, after, row, cursor, size);
  // The cells after a character of disputed width are not known, so the whole line is written again.
  const erased = `${move(cursor, row, 0, size)}${turnForErasing(cursor)}${csi}K`;
  return erased + changedBytes(blankLine, after, row, cursor, size);
}

function changedBytes(before: FrameLine, after: FrameLine, row: number, cursor: Cursor, size: ScreenSize): string {
  const end = blankFrom(after);
  const runs: { from: number; to: number }[] = [];
  for (let column = 0; column < end; ) {
    if (!differs(before, after, column)) {
      column++;
      continue;
    }
    const to = runEnd(before, after, column, end);
    runs.push({ from: firstDifference(before, after, column), to });
    column = to;
  }
  const written = ({ from, to }: { from: number; to: number }) =>
    move(cursor, row, from, size) + write(after, from, to, cursor, size);
  const last = runs.pop();
  // Below a line that ended in the style of this one's end, that is drawn first: labels and values take turns.
  const isBackwards = runs.length > 0 && last !== undefined && styleAt(after, last.from) === cursor.style;
  let bytes = isBackwards ? '' : runs.map(written).join('');
  if (last) bytes += written(last);
  if (blankFrom(before) > end) bytes += `${move(cursor, row, end, size)}${turnForErasing(cursor)}${csi}K`;
  return isBackwards ? bytes + runs.reverse().map(written).join('') : bytes;
}

/** The column from which a line has only blanks of the default style. */
function blankFrom(line: FrameLine): number {
  let end = line.text.length;
  while (end > 0 && cellAt(line, end - 1) === ' ' && styleAt(line, end - 1) === 0) end--;
  return end;
}

/** The first cell of the wide character that a change begins in, in either line: it is written whole. */
function firstDifference(before: FrameLine, after: FrameLine, column: number): number {
  let start = column;
  while (start > 0 && (cellAt(after, start) === '' || cellAt(before, start) === '')) start--;
  return start;
}

/** The end of a run of changed cells, with small unchanged gaps in it, and wide characters whole. */
function runEnd(before: FrameLine, after: FrameLine, from: number, end: number): number {
  let last = from;
  for (let column = from + 1; column < end && column - last <= maxGap; column++) {
    if (differs(before, after, column)) last = column;
  }
  let to = last + 1;
  while (to < end && (cellAt(after, to) === '' || cellAt(before, to) === '')) to++;
  return Math.min(to, end);
}

function write(line: FrameLine, from: number, to: number, cursor: Cursor, size: ScreenSize): string {
  let bytes = '';
  for (let column = from; column < to; column++) {
    const text = cellAt(line, column);
    if (text === '') continue;
    if (cursor.column === undefined) bytes += move(cursor, cursor.row, column, size);
    bytes += (text === ' ' ? turnForBlank : turn)(cursor, styleAt(line, column));
    bytes += text;
    if (isDisputed(text)) cursor.column = undefined;
  }
  if (cursor.column !== undefined) cursor.column = to < size.columns ? to : undefined;
  return bytes;
}

function turn(cursor: Cursor, style: number): string {
  const sequence = transition(cursor.style, style);
  cursor.style = style;
  return sequence;
}

/** A blank keeps the style before it where it looks the same: colours of letters need not be switched off. */
const turnForBlank = (cursor: Cursor, style: number): string =>
  blankStyle(cursor.style) === style && !isLink(cursor.style) ? '' : turn(cursor, style);

/** The bytes that end a link, which the shell would go on with. */
export const endLink = (cursor: Cursor): string => (isLink(cursor.style) ? turn(cursor, 0) : '');

/** The bytes after which erased cells have the default style. */
export const turnForErasing = (cursor: Cursor): string => turnForBlank(cursor, 0);

/** The shortest sequence that moves the cursor to a cell. */
export function move(cursor: Cursor, row: number, column: number, { rows }: ScreenSize): string {
  const ways = [absolute(row, column)];
  if (cursor.column !== undefined && cursor.row === row) ways.push(along(cursor.column, column));
  if (cursor.column !== undefined && cursor.row < row && row < rows) {
    const down = row - cursor.row;
    // A vertical tab is a line feed to which the driver of the terminal adds no second carriage return.
    ways.push(`\r${'\v'.repeat(down)}${along(0, column)}`);
    ways.push(`${csi}${down === 1 ? '' : down}B${along(cursor.column, column)}`);
  }
  cursor.row = row;
  cursor.column = column;
  return ways.reduce((one, other) => (other.length < one.length ? other : one));
}

const absolute = (row: number, column: number) =>
  column === 0 ? `${csi}${row === 0 ? '' : row + 1}H` : `${csi}${row === 0 ? '' : row + 1};${column + 1}H`;

function along(from: number, to: number): string {
  if (from === to) return '';
  if (to === 0) return '\r';
  if (to > from) return to - from === 1 ? `${csi}C` : `${csi}${to - from}C`;
  return to - from === -1 ? '\b' : `${csi}${from - to}D`;
}

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
