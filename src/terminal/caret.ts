import type { FrameLine } from './frameLine.ts';
import { isInverse, withoutInverse } from './sgr.ts';

/** The cells of an input that has the focus. */
export interface CaretArea {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** Where the terminal's own cursor rests. */
export interface CaretPlace {
  row: number;
  column: number;
}

/**
 * Finds the caret of an input, which is drawn inverse, and draws it plain: the terminal's cursor takes its place.
 * Without colours there is none, and it is behind the text.
 */
export function takeCaret(
  lines: readonly FrameLine[],
  { top, left, width, height }: CaretArea,
): { lines: readonly FrameLine[]; place: CaretPlace } | undefined {
  let [row, column] = [-1, -1];
  for (let at = Math.max(0, top); at < top + height && column < 0; at++) {
    const line = lines[at];
    row = at;
    column = line?.caret ?? line?.style.findIndex((style, cell) => isIn(cell) && isInverse(style)) ?? -1;
    if (column >= 0 && !isIn(column)) column = -1;
  }
  if (column < 0) return behindText();
  const line = lines[row];
  if (!line || line.caret === column) return { lines, place: { row, column } };
  const style = line.style.map((one, cell) => (isIn(cell) && isInverse(one) ? withoutInverse(one) : one));
  return { lines: lines.with(row, { ...line, style, caret: column }), place: { row, column } };

  function isIn(cell: number): boolean {
    return cell >= left && cell < left + width;
  }

  function behindText() {
    for (let at = Math.min(lines.length, top + height) - 1; at >= top; at--) {
      const last = lines[at]?.text.findLastIndex((cell, index) => isIn(index) && cell !== ' ') ?? -1;
      if (last >= 0 || at === top) return { lines, place: { row: at, column: Math.max(left, last + 1) } };
    }
    return undefined;
  }
}

/** Stands before the line of a cursor, alone or behind the line beside a pane. */
const pointer = /^(?:.*[\u2502|])? *[\u276f>](?= )/;

/** The cursor of a list or menu that has moved last, for a screen reader. */
export function pointerIn(
  before: readonly FrameLine[],
  after: readonly FrameLine[],
  last: CaretPlace | undefined,
): { place: CaretPlace; hasMoved: boolean } | undefined {
  const columnIn = ({ text }: FrameLine): number => {
    const found = pointer.exec(text.map((cell) => cell || ' ').join(''));
    return found ? found[0].length - 1 : -1;
  };
  const places = after.flatMap((line, row) => {
    const column = columnIn(line);
    return column < 0 ? [] : [{ row, column, isNew: line !== before[row] && columnIn(before[row] ?? line) !== column }];
  });
  const isThere = places.find(({ row, column }) => row === last?.row && column === last.column);
  const found = places.findLast(({ isNew }) => isNew) ?? isThere ?? places.at(-1);
  return found && { place: { row: found.row, column: found.column }, hasMoved: found.isNew };
}
