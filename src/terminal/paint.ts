import { blankLine, type FrameLine, isDisputed } from './frameLine.ts';
import { blankStyle, transition } from './sgr.ts';

/** The state of the terminal's cursor, as far as it is known. */
export interface Pen {
  row: number;
  /** Undefined after the last column was written: terminals differ in where they are then. */
  column: number | undefined;
  style: number;
}

export interface Size {
  columns: number;
  rows: number;
}

const csi = '\x1b[';
/** Unchanged cells between two changed ones that are cheaper to write again than to skip. */
const bridge = 4;

const cellAt = ({ text }: FrameLine, column: number): string => text[column] ?? ' ';
const styleAt = ({ style }: FrameLine, column: number): number => style[column] ?? 0;
const differs = (one: FrameLine, other: FrameLine, column: number): boolean =>
  cellAt(one, column) !== cellAt(other, column) || styleAt(one, column) !== styleAt(other, column);

/** The bytes that turn one line into another, the cursor moved there as cheaply as it can be; moves the pen along. */
export function lineBytes(before: FrameLine, after: FrameLine, row: number, pen: Pen, size: Size): string {
  if (!before.isDisputed && !after.isDisputed) return changedBytes(before, after, row, pen, size);
  // The width of such characters is the terminal's own affair, so the whole line is written afresh.
  const erased = `${move(pen, row, 0, size)}${turnForErasing(pen)}${csi}K`;
  return erased + changedBytes(blankLine, after, row, pen, size);
}

function changedBytes(before: FrameLine, after: FrameLine, row: number, pen: Pen, size: Size): string {
  let bytes = '';
  const end = blankFrom(after);
  for (let column = 0; column < end; ) {
    if (!differs(before, after, column)) {
      column++;
      continue;
    }
    const from = startOf(before, after, column);
    const to = runEnd(before, after, column, end);
    bytes += move(pen, row, from, size) + write(after, from, to, pen, size);
    column = to;
  }
  if (blankFrom(before) > end) bytes += `${move(pen, row, end, size)}${turnForErasing(pen)}${csi}K`;
  return bytes;
}

/** The first of the blank cells of the default style that end a line. */
function blankFrom(line: FrameLine): number {
  let end = line.text.length;
  while (end > 0 && cellAt(line, end - 1) === ' ' && styleAt(line, end - 1) === 0) end--;
  return end;
}

/** A wide character is written whole: the first cell of the one that a change begins in, in either line. */
function startOf(before: FrameLine, after: FrameLine, column: number): number {
  let start = column;
  while (start > 0 && (cellAt(after, start) === '' || cellAt(before, start) === '')) start--;
  return start;
}

/** Where a run of changed cells ends: small unchanged gaps are written over, wide characters whole. */
function runEnd(before: FrameLine, after: FrameLine, from: number, end: number): number {
  let last = from;
  for (let column = from + 1; column < end && column - last <= bridge; column++) {
    if (differs(before, after, column)) last = column;
  }
  let to = last + 1;
  while (to < end && (cellAt(after, to) === '' || cellAt(before, to) === '')) to++;
  return Math.min(to, end);
}

function write(line: FrameLine, from: number, to: number, pen: Pen, size: Size): string {
  let bytes = '';
  for (let column = from; column < to; column++) {
    const text = cellAt(line, column);
    if (text === '') continue;
    if (pen.column === undefined) bytes += move(pen, pen.row, column, size);
    bytes += (text === ' ' ? turnForBlank : turn)(pen, styleAt(line, column));
    bytes += text;
    if (isDisputed(text)) pen.column = undefined;
  }
  if (pen.column !== undefined) pen.column = to < size.columns ? to : undefined;
  return bytes;
}

function turn(pen: Pen, style: number): string {
  const sequence = transition(pen.style, style);
  pen.style = style;
  return sequence;
}

/** A blank is written in whatever style looks like its own there: colours of letters need not be switched off for it. */
const turnForBlank = (pen: Pen, style: number): string => (blankStyle(pen.style) === style ? '' : turn(pen, style));

/** The bytes after which cleared cells are of the default style. */
export const turnForErasing = (pen: Pen): string => turnForBlank(pen, 0);

/** The shortest way to a cell. */
function move(pen: Pen, row: number, column: number, { rows }: Size): string {
  const ways = [absolute(row, column)];
  if (pen.column !== undefined && pen.row === row) ways.push(along(pen.column, column));
  if (pen.column !== undefined && pen.row < row && row < rows) {
    const down = row - pen.row;
    ways.push(`\r${'\n'.repeat(down)}${along(0, column)}`);
    if (column === pen.column) ways.push(`${csi}${down === 1 ? '' : down}B`);
  }
  pen.row = row;
  pen.column = column;
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
