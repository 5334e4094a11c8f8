import { clean, graphemes, isSingleCells, widthOf } from '../text/cells.ts';
import { withLineFeeds, withMarks } from '../text/unseen.ts';
import type { Theme } from './theme.ts';

/** The text of an editor of several lines, and its caret. */
export interface EditorState {
  text: string;
  /** The offset in UTF-16 units at which the next character is inserted. */
  caret: number;
}

/** One row on the screen: the text from `start` to `end`, without the line break. */
export interface TextRow {
  start: number;
  end: number;
}

/** The moves of the caret and the deletions beside it. */
export const editCommands = [
  'left',
  'right',
  'up',
  'down',
  'home',
  'end',
  'pageUp',
  'pageDown',
  'backspace',
  'delete',
] as const;
export type EditCommand = (typeof editCommands)[number];

/** A character as it is shown: a mark for one that cannot be seen. */
const visibleGrapheme = (grapheme: string): string => clean(withMarks(grapheme));

/**
 * Wraps a text into rows, after a space where possible.
 * @param width cells of a row; one of them is kept for the caret after the last character
 */
export function wrapRows(text: string, width: number): readonly TextRow[] {
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
  // The last place where the row may end, and the cells after it.
  let space = 0;
  let behind = 0;
  for (const grapheme of graphemes(line)) {
    const width = widthOf(visibleGrapheme(grapheme));
    const isSpace = grapheme === ' ' || grapheme === '\t';
    // A space after a full row takes the cell of the caret, so that the next row does not begin with it.
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

/** The index of the row of the caret. */
export const rowIndexAt = (rows: readonly TextRow[], caret: number): number =>
  rows.findLastIndex(({ start }) => start <= caret);

/** Inserts a text at the caret; all line breaks become line feeds. */
export function insertText({ text, caret }: EditorState, added: string): EditorState {
  const put = withLineFeeds(added);
  return { text: text.slice(0, caret) + put + text.slice(caret), caret: caret + put.length };
}

/**
 * Applies an edit to a text.
 * @param width cells of a row
 * @param page rows that are shown at once
 */
export function applyEdit(writing: EditorState, edit: EditCommand, width: number, page: number): EditorState {
  const { text, caret } = writing;
  switch (edit) {
    case 'left':
      return { text, caret: previousCaret(text, caret) };
    case 'right':
      return { text, caret: nextCaret(text, caret) };
    case 'backspace': {
      const start = previousCaret(text, caret);
      return { text: text.slice(0, start) + text.slice(caret), caret: start };
    }
    case 'delete':
      return { text: text.slice(0, caret) + text.slice(nextCaret(text, caret)), caret };
    default:
      return { text, caret: movedCaret(writing, edit, wrapRows(text, width), page) };
  }
}

function movedCaret(
  { text, caret }: EditorState,
  edit: Exclude<EditCommand, 'left' | 'right' | 'backspace' | 'delete'>,
  rows: readonly TextRow[],
  page: number,
): number {
  const index = rowIndexAt(rows, caret);
  const row = rows[index] ?? { start: 0, end: 0 };
  if (edit === 'home') return row.start;
  if (edit === 'end') return rowEnd(rows, index, text);
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page }[edit];
  const to = Math.max(0, Math.min(index + by, rows.length - 1));
  // At the first and last row the caret goes to the end of the text.
  if (to === index) return by < 0 ? 0 : text.length;
  const target = rows[to] ?? row;
  const column = widthOf(visible(text.slice(row.start, caret)));
  return Math.min(target.start + offsetAt(text.slice(target.start, target.end), column), rowEnd(rows, to, text));
}

/** The last offset of the caret in a row: in a wrapped row before the space at its end. */
function rowEnd(rows: readonly TextRow[], index: number, text: string): number {
  const { start = 0, end = 0 } = rows[index] ?? {};
  const isWrapped = rows[index + 1]?.start === end && end > start;
  return isWrapped ? previousCaret(text, end) : end;
}

const visible = (part: string): string => [...graphemes(part)].map(visibleGrapheme).join('');

/** The offset in a text that lies at or before a column of cells. */
function offsetAt(text: string, column: number): number {
  let offset = 0;
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += widthOf(visibleGrapheme(grapheme));
    if (used > column) break;
    offset += grapheme.length;
  }
  return offset;
}

/** No grapheme has more UTF-16 units. */
const maxGraphemeUnits = 64;

function previousCaret(text: string, caret: number): number {
  if (caret <= 0) return 0;
  if (text[caret - 1] === '\n') return caret - 1;
  const start = Math.max(text.lastIndexOf('\n', caret - 1) + 1, caret - maxGraphemeUnits);
  const last = [...graphemes(text.slice(start, caret))].at(-1) ?? '';
  return caret - Math.max(1, last.length);
}

function nextCaret(text: string, caret: number): number {
  if (caret >= text.length) return text.length;
  if (text[caret] === '\n') return caret + 1;
  const [first = ''] = graphemes(text.slice(caret, caret + maxGraphemeUnits));
  return caret + Math.max(1, first === '\r\n' ? 1 : first.length);
}

/**
 * One painted row, with the caret if it is in this row.
 * @param mask replaces each character of a secret
 */
export function rowText(
  theme: Theme,
  { text, caret }: EditorState,
  row: TextRow,
  hasCaret: boolean,
  mask?: string,
): string {
  const drawn = (part: string) => (mask === undefined ? visible(part) : mask.repeat([...graphemes(part)].length));
  if (!hasCaret) return drawn(text.slice(row.start, row.end));
  const next = Math.min(nextCaret(text, caret), Math.max(row.end, caret));
  const under = drawn(text.slice(caret, next)) || ' ';
  return drawn(text.slice(row.start, caret)) + theme.paint('cursor', under) + drawn(text.slice(next, row.end));
}
