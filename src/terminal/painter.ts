import {
  blankLine,
  type CaretArea,
  type CaretPlace,
  type FrameLine,
  lineOf,
  pointerIn,
  takeCaret,
  withoutLinks,
} from './frameLine.ts';
import {
  areSameCells,
  type Cursor,
  differsOnlyIn,
  drawnAtOnce,
  endLink,
  isTinted,
  type LateCells,
  lineBytes,
  move,
  type ScreenSize,
  type Tint,
  turnForErasing,
} from './paint.ts';
import { type Scroll, scrollBetween } from './scroll.ts';

/** A frame: the source of each line and its cells. */
interface Frame extends ScreenSize {
  sources: readonly string[];
  lines: readonly FrameLine[];
}

interface ShownFrame extends Frame {
  /** The lines as the terminal shows them, but for tints that have not followed yet. */
  shown: readonly FrameLine[];
}

/** The bytes to a frame, and what the terminal shows after them. */
interface Attempt {
  bytes: string;
  cursor: Cursor;
  shown: readonly FrameLine[];
  /** It scrolled, or left tints out. */
  isMoving: boolean;
}

export interface PainterOptions {
  /** A console knows neither scrolling by lines nor links. */
  isConsole?: boolean;
  /** The cursor is to be seen, at the row of the list or menu that moved last, where nothing is typed. */
  isFollowed?: boolean;
  /** The colours of the row whose tint follows later, if there is one. */
  tintOf?: () => Tint | undefined;
}

/** The cell of a follower where neither a list nor an input is: the first below the header. */
const belowHeader: CaretPlace = { row: 1, column: 0 };

/** The bytes that a changed line takes at least: a move of the cursor, and a character. */
const minLineBytes = 6;

/**
 * Turns whole frames into the fewest bytes that make the new one of the last one: changed cells only, the shortest
 * cursor moves and colour changes, and scrolling by the terminal where it can.
 */
export function createPainter({ isConsole = false, isFollowed = false, tintOf }: PainterOptions = {}) {
  let last: ShownFrame | undefined;
  let cursor: Cursor = { row: 0, column: undefined, style: 0 };
  let isMoving = false;
  /** Nothing has moved since the screen settled. */
  let isResting = true;
  /** Where the cursor rests, while it is to be seen. */
  let caret: CaretPlace | undefined;
  let isTyping = false;
  let lastLate: LateCells | undefined;

  function cleared({ columns, rows }: ScreenSize): { bytes: string; state: ShownFrame } {
    cursor = { row: 0, column: 0, style: 0 };
    const sources = Array.from({ length: rows }, () => '');
    const lines = sources.map(() => blankLine);
    // Without wrapping, a character that is wider than expected stays on its line.
    return { bytes: '\x1b[?7l\x1b[m\x1b[H\x1b[2J', state: { columns, rows, sources, lines, shown: lines } };
  }

  /**
   * The bytes from the last frame to this one; tints of rows may stay as they were.
   * @param area the cells of the input that has the focus
   * @param late cells that stay as they were until the screen settles, where nothing else of their line changes
   */
  function paint(frame: string, size: ScreenSize, area?: CaretArea, late?: LateCells): string {
    const { columns, rows } = size;
    const split = (isConsole ? withoutLinks(frame) : frame).split('\n');
    const sources = Array.from({ length: rows }, (_, row) => split[row] ?? '');
    const isSameSize = last?.columns === columns && last.rows === rows;
    const start = isSameSize && last ? { bytes: '', state: last } : cleared(size);
    const drawn = frameLines(sources, start.state, columns, area !== undefined);
    const taken = area && takeCaret(drawn, area);
    const lines = taken?.lines ?? drawn;
    const next = { columns, rows, sources, lines };
    const atOnce = late && areSameCells(late, lastLate) ? withoutLate(start.state, next, late) : next;
    lastLate = late;
    const best = cheapest(start.state, atOnce);
    cursor = best.cursor;
    isMoving = best.isMoving || atOnce !== next;
    if (isMoving) isResting = false;
    const place = isFollowed ? placeToFollow(start.state, next, taken?.place) : taken?.place;
    last = { ...next, shown: best.shown };
    return start.bytes + best.bytes + rest(place, size);
  }

  /** A frame with one line as it is shown, where only its late cells differ. */
  function withoutLate(from: ShownFrame, to: Frame, late: LateCells): Frame {
    const [before, wanted] = [from.shown[late.row], to.lines[late.row]];
    if (!before || !wanted || before === wanted || !differsOnlyIn(before, wanted, late)) return to;
    const source = from.sources[late.row] ?? '';
    return { ...to, sources: to.sources.with(late.row, source), lines: to.lines.with(late.row, before) };
  }

  /** The cell that changed last: in the text of an input, else at the row of a list or menu. */
  function placeToFollow(from: Frame, to: Frame, typed: CaretPlace | undefined): CaretPlace | undefined {
    const pointer = pointerIn(from.lines, to.lines, caret);
    const isNew = typed !== undefined && !isTyping;
    isTyping = typed !== undefined;
    if (!typed) return pointer?.place ?? belowHeader;
    if (isNew || from.sources[typed.row] !== to.sources[typed.row]) return typed;
    return pointer?.hasMoved ? pointer.place : (caret ?? typed);
  }

  /** The bytes that have the cursor rest at a cell, to be seen, or nowhere. */
  function rest(place: CaretPlace | undefined, size: ScreenSize): string {
    const wasShown = caret !== undefined;
    caret = place && { row: place.row, column: Math.min(place.column, size.columns - 1) };
    if (!caret) return wasShown ? '\x1b[?25l' : '';
    const moved =
      cursor.row === caret.row && cursor.column === caret.column ? '' : move(cursor, caret.row, caret.column, size);
    return moved + (wasShown ? '' : '\x1b[?25h');
  }

  /** The bytes from one frame to another. Scrolling is tried first, and nothing else where that is cheap. */
  function cheapest(from: ShownFrame, to: Frame): Attempt {
    const band = isConsole ? undefined : scrollBetween(from.sources, to.sources);
    const scroll = band && isResting ? withoutTinted(band, from, to, tintOf?.()) : band;
    const moved = scroll && attempt(from, scroll, to);
    const changed = to.sources.filter((source, row) => source !== from.sources[row]).length;
    if (moved && moved.bytes.length <= changed * minLineBytes) return moved;
    const straight = attempt(from, undefined, to);
    return moved && moved.bytes.length < straight.bytes.length ? moved : straight;
  }

  /** The bytes from one frame to another, with or without scrolling, and the cursor after them. */
  function attempt(from: ShownFrame, scroll: Scroll | undefined, to: Frame): Attempt {
    const own: Cursor = { ...cursor };
    const tint = tintOf?.();
    let isMoving = scroll !== undefined && tint !== undefined;
    let bytes = '';
    let { sources, shown: lines } = from;
    if (scroll) {
      bytes = scrollBytes(scroll, own);
      sources = shifted(sources, scroll, '');
      lines = shifted(lines, scroll, blankLine);
    }
    const shown: FrameLine[] = [];
    for (let row = 0; row < to.rows; row++) {
      const [before = blankLine, wanted = blankLine] = [lines[row], to.lines[row]];
      const isSame = sources[row] === to.sources[row] && before.caret === wanted.caret;
      const after = isSame ? before : tint ? drawnAtOnce(before, wanted, tint) : wanted;
      if (!isSame) bytes += lineBytes(before, after, row, own, to);
      if (!isSame && after !== wanted) isMoving = true;
      shown.push(after);
    }
    bytes += endLink(own);
    return { bytes, cursor: own, shown, isMoving };
  }

  /** The bytes that bring the tints to where they belong, and what else was left out. From now on the screen rests. */
  function settle(): string {
    isMoving = false;
    isResting = true;
    if (!last) return '';
    const { shown, lines } = last;
    let bytes = '';
    for (const [row, wanted] of lines.entries()) {
      const before = shown[row] ?? blankLine;
      if (before !== wanted) bytes += lineBytes(before, wanted, row, cursor, last);
    }
    last = { ...last, shown: lines };
    // The next key shall not pay for the end of a tint.
    return bytes === '' ? '' : bytes + turnForErasing(cursor) + rest(caret, last);
  }

  return {
    paint,
    settle,
    /** Whether the last frame scrolled where there are tints, or left something out: the screen is to settle once it rests. */
    isMoving: () => isMoving,
    /**
     * Draws the next frame on an empty screen.
     * @param isHidden the cursor was hidden, too
     */
    forget: (isHidden = false) => {
      last = undefined;
      lastLate = undefined;
      isMoving = false;
      isResting = true;
      if (isHidden) caret = undefined;
    },
  };
}

/**
 * A band without the tinted row at its edge, where that row stays when the list moves below it: it keeps its tint, and
 * so no row is drawn a second time later. A held key is cheaper with the whole band, as tints follow at its end.
 */
function withoutTinted({ top, bottom, by }: Scroll, from: ShownFrame, to: Frame, tint: Tint | undefined): Scroll {
  const stays = (row: number) =>
    tint !== undefined && [from.shown[row], to.lines[row]].every((line) => line && isTinted(line, tint));
  return { top: by < 0 && stays(top) ? top + 1 : top, bottom: by > 0 && stays(bottom) ? bottom - 1 : bottom, by };
}

/**
 * The cells of each line; a line that the last frame had in any row is not parsed again.
 * @param hasCaret false where a caret that was taken out is to be drawn again
 */
function frameLines(
  sources: readonly string[],
  before: Frame,
  columns: number,
  hasCaret: boolean,
): readonly FrameLine[] {
  const known = new Map<string, FrameLine | undefined>();
  for (const [row, source] of before.sources.entries()) {
    const line = before.lines[row];
    if (hasCaret || line?.caret === undefined) known.set(source, line);
  }
  return sources.map((source) => known.get(source) ?? lineOf(source, columns));
}

/** Scrolled-in lines have the current background, so the style is reset first; the margins are reset at once. */
function scrollBytes({ top, bottom, by }: Scroll, cursor: Cursor): string {
  const reset = turnForErasing(cursor);
  Object.assign(cursor, { row: 0, column: 0 });
  const count = Math.abs(by) === 1 ? '' : Math.abs(by);
  return `${reset}\x1b[${top + 1};${bottom + 1}r\x1b[${count}${by > 0 ? 'S' : 'T'}\x1b[r`;
}

/** Rows after the terminal has scrolled a band of them. */
const shifted = <T>(rows: readonly T[], { top, bottom, by }: Scroll, fresh: T): readonly T[] =>
  rows.map((row, index) => {
    if (index < top || index > bottom) return row;
    const source = index + by;
    return source < top || source > bottom ? fresh : (rows[source] ?? fresh);
  });
