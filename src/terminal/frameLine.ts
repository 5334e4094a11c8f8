import { graphemes, graphemeWidth, isSingleCells } from '../text/cells.ts';
import { linkMark } from '../text/escapes.ts';
import { blankStyle, isInverse, styleAfter, styleLinked, withoutInverse } from './sgr.ts';

/** One line of the screen as its cells. */
export interface FrameLine {
  /** One text for each cell; the further cells of a wide character are empty. */
  text: readonly string[];
  style: readonly number[];
  /** Whether it has a character to which terminals give different widths. */
  isDisputed: boolean;
  /** The cell of a caret that was drawn here and is taken out. */
  caret?: number;
}

/** An empty line. */
export const blankLine: FrameLine = { text: [], style: [], isDisputed: false };

/**
 * The cells of a line of text with SGR sequences. Other sequences, control characters and marks that reorder text are left out: nothing of the kind reaches the terminal.
 * @param width cells of the screen; what does not fit is cut off
 */
export function lineOf(source: string, width: number): FrameLine {
  const text: string[] = [];
  const style: number[] = [];
  let current = 0;
  for (const part of source.split(styling)) {
    if (part.startsWith('\x1b[') && part.endsWith('m')) {
      current = styleAfter(current, part.slice(2, -1));
      continue;
    }
    if (part.startsWith('\x1b]8;;')) {
      current = styleLinked(current, link.exec(part)?.[1] ?? '');
      continue;
    }
    const isSimple = isSingleCells(part);
    for (const character of isSimple ? part : graphemes(part.toWellFormed().replace(controls, ''))) {
      const cells = isSimple ? 1 : graphemeWidth(character);
      if (cells === 0) join(text, character);
      else if (text.length + cells <= width) {
        text.push(character);
        style.push(character === ' ' ? blankStyle(current) : current);
        for (let more = 1; more < cells; more++) {
          text.push('');
          style.push(current);
        }
      }
    }
  }
  return { text, style, isDisputed: text.some(isDisputed) };
}

/** Sequences that set the style of what follows: SGR, and links (OSC 8). */
const styling = /(\x1b\[[0-9;:]*m|\x1b\]8;;[!-~]*(?:\x07|\x1b\\))/;
/** Takes out links, for terminals that would print them. */
export const withoutLinks = (source: string): string => source.replace(/\x1b\]8;;[^\x07\x1b]*(?:\x07|\x1b\\)/g, '');

/** A link of our own to a printable address; any other one, which came with a text, leads nowhere. */
const link = new RegExp(`^\\x1b\\]8;;${linkMark}([!-~]+?)(?:\\x07|\\x1b\\\\)$`);

const emoji = /^\p{Emoji_Presentation}/u;

/** Whether terminals give a character different widths: emoji, rare characters and those of several code points. */
export const isDisputed = (text: string): boolean =>
  text.length > 1 || (text > '\u2300' && text < '\u2c00' && emoji.test(text));

/** Control sequences, and every character that would control the terminal or hide and reorder what is on it. */
const controls =
  /\x1b[@-_][0-?]*[ -/]*[@-~]?|[\x00-\x1f\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/gu;

/** Appends a character without a width of its own to the one before it. */
function join(text: string[], character: string): void {
  const last = text.findLastIndex((cell) => cell !== '');
  if (last >= 0) text[last] += character;
}

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
