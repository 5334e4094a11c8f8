import { clean, graphemes, isSingleCells, widthOf } from '../text/cells.ts';
import type { Theme } from './theme.ts';

/** A text of several lines while it is written. */
export interface Writing {
  text: string;
  /** The offset in UTF-16 units of what the next character is put before. */
  caret: number;
}

/** One row on the screen: the part of the text from `start` up to `end`, without the line break behind it. */
export interface TextRow {
  start: number;
  end: number;
}

/** A change of the caret or of the text before it. */
export type Edit = 'left' | 'right' | 'up' | 'down' | 'home' | 'end' | 'pageUp' | 'pageDown' | 'backspace' | 'delete';

/** A character as it is shown: one that cannot be drawn as what stands for it. */
const shownAs = (grapheme: string): string => clean(grapheme);

/**
 * The rows of a text, wrapped after a space where there is one.
 * @param width cells of a row; one of them is kept for the caret behind the last character
 */
export function rowsOf(text: string, width: number): readonly TextRow[] {
  const room = Math.max(1, width - 1);
  const rows: TextRow[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    wrapLine(line, start, room, rows);
    start += line.length + 1;
  }
  return rows;
}

function wrapLine(line: string, offset: number, room: number, rows: TextRow[]): void {
  if (line.length <= room && isSingleCells(line)) {
    rows.push({ start: offset, end: offset + line.length });
    return;
  }
  let start = 0;
  let used = 0;
  let at = 0;
  // Where the row may end, and the cells behind that.
  let space = 0;
  let behind = 0;
  for (const grapheme of graphemes(line)) {
    const width = widthOf(shownAs(grapheme));
    const isSpace = grapheme === ' ' || grapheme === '\t';
    // A space behind a full row stands in the cell of the caret, so that the next one does not begin with it.
    const fits = () => used + width <= room || (isSpace && used === room);
    while (!fits() && at > start) {
      const end = space > start ? space : at;
      rows.push({ start: offset + start, end: offset + end });
      used = end === space ? behind : 0;
      start = end;
    }
    at += grapheme.length;
    used += width;
    behind += width;
    if (isSpace) {
      space = at;
      behind = 0;
    }
  }
  rows.push({ start: offset + start, end: offset + line.length });
}

/** The index of the row that the caret stands in. */
export function rowOf(rows: readonly TextRow[], caret: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.start ?? 0) <= caret) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Puts a text before the caret; line breaks of other systems become ours. */
export function inserted({ text, caret }: Writing, added: string): Writing {
  const put = added.replace(/\r\n?/g, '\n');
  return { text: text.slice(0, caret) + put + text.slice(caret), caret: caret + put.length };
}

/**
 * Applies an edit to a text.
 * @param width cells of a row
 * @param page rows that are shown at once
 */
export function edited(writing: Writing, edit: Edit, width: number, page: number): Writing {
  const { text, caret } = writing;
  switch (edit) {
    case 'left':
      return { text, caret: before(text, caret) };
    case 'right':
      return { text, caret: after(text, caret) };
    case 'backspace': {
      const start = before(text, caret);
      return { text: text.slice(0, start) + text.slice(caret), caret: start };
    }
    case 'delete':
      return { text: text.slice(0, caret) + text.slice(after(text, caret)), caret };
    default:
      return { text, caret: movedTo(writing, edit, rowsOf(text, width), page) };
  }
}

function movedTo(
  { text, caret }: Writing,
  edit: Exclude<Edit, 'left' | 'right' | 'backspace' | 'delete'>,
  rows: readonly TextRow[],
  page: number,
): number {
  const index = rowOf(rows, caret);
  const row = rows[index] ?? { start: 0, end: 0 };
  if (edit === 'home') return row.start;
  if (edit === 'end') return lastOf(rows, index, text);
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page }[edit];
  const to = Math.max(0, Math.min(index + by, rows.length - 1));
  // At the first and last row the caret goes to the end of the text.
  if (to === index) return by < 0 ? 0 : text.length;
  const target = rows[to] ?? row;
  const column = widthOf(shown(text.slice(row.start, caret)));
  return Math.min(target.start + offsetAt(text.slice(target.start, target.end), column), lastOf(rows, to, text));
}

/** The last place of the caret in a row: before the space at which a wrapped one ends. */
function lastOf(rows: readonly TextRow[], index: number, text: string): number {
  const { start = 0, end = 0 } = rows[index] ?? {};
  const isWrapped = rows[index + 1]?.start === end && end > start;
  return isWrapped ? before(text, end) : end;
}

const shown = (part: string): string => [...graphemes(part)].map(shownAs).join('');

/** The offset in a text that lies at or before a column of cells. */
function offsetAt(text: string, column: number): number {
  let offset = 0;
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += widthOf(shownAs(grapheme));
    if (used > column) break;
    offset += grapheme.length;
  }
  return offset;
}

/** More UTF-16 units no character has that is moved over as one. */
const longestCharacter = 64;

function before(text: string, caret: number): number {
  if (caret <= 0) return 0;
  if (text[caret - 1] === '\n') return caret - 1;
  const start = Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - longestCharacter);
  const last = [...graphemes(text.slice(start, caret))].at(-1) ?? '';
  return caret - Math.max(1, last.length);
}

function after(text: string, caret: number): number {
  if (caret >= text.length) return text.length;
  if (text[caret] === '\n') return caret + 1;
  const [first = ''] = graphemes(text.slice(caret, caret + longestCharacter));
  return caret + Math.max(1, first === '\r\n' ? 1 : first.length);
}

/**
 * One row as it is drawn, with the caret where it stands in this row.
 * @param mask stands in place of each character of a secret
 */
export function rowText(
  theme: Theme,
  { text, caret }: Writing,
  row: TextRow,
  hasCaret: boolean,
  mask?: string,
): string {
  const drawn = (part: string) => (mask === undefined ? shown(part) : mask.repeat([...graphemes(part)].length));
  if (!hasCaret) return drawn(text.slice(row.start, row.end));
  const next = Math.min(after(text, caret), Math.max(row.end, caret));
  const under = drawn(text.slice(caret, next)) || ' ';
  return drawn(text.slice(row.start, caret)) + theme.paint('cursor', under) + drawn(text.slice(next, row.end));
}
