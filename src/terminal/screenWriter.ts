import type { WriteStream } from 'node:tty';
import { blankLine, type FrameLine, lineOf } from './frameLine.ts';
import { type Cursor, lineBytes, type Size, turnForErasing } from './paint.ts';
import { type Scroll, scrollBetween } from './scroll.ts';
import { drawnAtOnce, type Tint } from './tint.ts';

const changesScreen = /\x1b\[\?(?:1049|47|1047)[hl]/;

/** A frame: the source of each line and its cells. */
interface Frame extends Size {
  sources: readonly string[];
  lines: readonly FrameLine[];
}

/** A frame on the terminal. */
interface ShownFrame extends Frame {
  /** The lines as the terminal shows them, but for tints that have not followed yet. */
  shown: readonly FrameLine[];
}

/** The bytes to a frame, and what the terminal shows after them. */
interface Attempt {
  bytes: string;
  cursor: Cursor;
  shown: readonly FrameLine[];
}

/** Draws frames as bytes. */
export interface Painter {
  /** The bytes from the last frame to this one; tints of rows may stay as they were. */
  paint(frame: string, size: Size): string;
  /** Whether the last frame left tints out. */
  isBehind(): boolean;
  /** The bytes that bring the tints to where they belong. */
  settle(): string;
  /** Draws the next frame on an empty screen. */
  forget(): void;
}

/** The bytes that a changed line takes at least: a move of the cursor, and a character. */
const minLineBytes = 6;

/** Shorter frames are drawn without synchronized output. */
const minSynchronizedBytes = 1024;

/**
 * Turns whole frames into the fewest bytes that make the new one of the last one: changed cells only, the shortest
 * cursor moves and colour changes, and scrolling by the terminal where it can.
 * @param tintOf the colours of the row whose tint follows later, if there is one
 */
export function createPainter(canScroll = true, tintOf: () => Tint | undefined = () => undefined): Painter {
  let last: ShownFrame | undefined;
  let cursor: Cursor = { row: 0, column: undefined, style: 0 };
  let isBehind = false;

  /** An empty frame, and the bytes that clear the screen. */
  function cleared({ columns, rows }: Size): { bytes: string; state: ShownFrame } {
    cursor = { row: 0, column: 0, style: 0 };
    const sources = Array.from({ length: rows }, () => '');
    const lines = sources.map(() => blankLine);
    // Without wrapping, a character that is wider than expected stays on its line.
    return { bytes: '\x1b[?7l\x1b[m\x1b[H\x1b[2J', state: { columns, rows, sources, lines, shown: lines } };
  }

  function paint(frame: string, size: Size): string {
    const { columns, rows } = size;
    const split = frame.split('\n');
    const sources = Array.from({ length: rows }, (_, row) => split[row] ?? '');
    const isSameSize = last?.columns === columns && last.rows === rows;
    const start = isSameSize && last ? { bytes: '', state: last } : cleared(size);
    const lines = frameLines(sources, start.state, columns);
    const next = { columns, rows, sources, lines };
    isBehind = false;
    const best = cheapest(start.state, next);
    cursor = best.cursor;
    last = { ...next, shown: best.shown };
    return start.bytes + best.bytes;
  }

  /** The bytes from one frame to another. Scrolling is tried first, and nothing else where that is cheap. */
  function cheapest(from: ShownFrame, to: Frame): Attempt {
    const scroll = canScroll ? scrollBetween(from.sources, to.sources) : undefined;
    const moved = scroll && attempt(from, scroll, to);
    const changed = to.sources.filter((source, row) => source !== from.sources[row]).length;
    if (moved && moved.bytes.length <= changed * minLineBytes) return moved;
    const straight = attempt(from, undefined, to);
    return moved && moved.bytes.length < straight.bytes.length ? moved : straight;
  }

  /** The bytes from one frame to another, with or without scrolling, and the cursor after them. */
  function attempt(from: ShownFrame, scroll: Scroll | undefined, to: Frame): Attempt {
    const own: Cursor = { ...cursor };
    const tint = tintOf();
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
      const isSame = sources[row] === to.sources[row];
      const after = isSame ? before : tint ? drawnAtOnce(before, wanted, tint) : wanted;
      if (!isSame) bytes += lineBytes(before, after, row, own, to);
      if (!isSame && after !== wanted) isBehind = true;
      shown.push(after);
    }
    return { bytes, cursor: own, shown };
  }

  function settle(): string {
    if (!last) return '';
    const { shown, lines } = last;
    let bytes = '';
    for (const [row, wanted] of lines.entries()) {
      const before = shown[row] ?? blankLine;
      if (before !== wanted) bytes += lineBytes(before, wanted, row, cursor, last);
    }
    last = { ...last, shown: lines };
    isBehind = false;
    // The next key shall not pay for the end of a tint.
    return bytes === '' ? '' : bytes + turnForErasing(cursor);
  }

  return {
    paint,
    settle,
    isBehind: () => isBehind,
    forget: () => {
      last = undefined;
      isBehind = false;
    },
  };
}

/** The cells of each line; a line that the last frame had in any row is not parsed again. */
function frameLines(sources: readonly string[], before: Frame, columns: number): readonly FrameLine[] {
  const known = new Map(before.sources.map((source, row) => [source, before.lines[row]]));
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
function shifted<T>(rows: readonly T[], { top, bottom, by }: Scroll, fresh: T): readonly T[] {
  return rows.map((row, index) => {
    if (index < top || index > bottom) return row;
    const source = index + by;
    return source < top || source > bottom ? fresh : (rows[source] ?? fresh);
  });
}

/** Draws frames on a terminal. */
export interface ScreenWriter {
  /** Frames that are written to it are painted, everything else is passed on. */
  stdout: WriteStream;
  /** Draws the last frame again where the window has changed and has the same size. */
  windowChanged(): void;
  /** Lets rows with these colours be tinted only when the screen rests, so that a held key does not pay for them. */
  tintAtRest(tint: Tint | undefined): void;
  /** From now on nothing is drawn by itself. */
  stop(): void;
}

/** A screen rests when nothing has moved for this time. */
const restMs = 150;

/**
 * The output stream that Ink is given.
 * A terminal that cannot keep up gets the newest frame when it is ready again; those in between are dropped.
 */
export function screenWriter(stdout: WriteStream, canScroll = true): ScreenWriter {
  let tint: Tint | undefined;
  const painter = createPainter(canScroll, () => tint);
  let resting: NodeJS.Timeout | undefined;
  let last: string | undefined;
  let waiting: string | undefined;
  let isBlocked = false;
  let isResized = false;
  stdout.on('resize', () => {
    isResized = true;
  });

  function send(frame: string): void {
    last = frame;
    if (isBlocked) {
      waiting = frame;
      return;
    }
    put(painter.paint(frame, { columns: stdout.columns, rows: stdout.rows }));
    if (painter.isBehind()) waitForRest();
  }

  /** Starts the wait anew; a terminal that cannot keep up is left alone until it can. */
  function waitForRest(): void {
    clearTimeout(resting);
    resting = setTimeout(() => (isBlocked ? waitForRest() : put(painter.settle())), restMs).unref();
  }

  function put(bytes: string): void {
    if (bytes === '') return;
    const whole = bytes.length < minSynchronizedBytes ? bytes : `\x1b[?2026h${bytes}\x1b[?2026l`;
    if (stdout.write(whole)) return;
    isBlocked = true;
    stdout.once('drain', () => {
      isBlocked = false;
      const newest = waiting;
      waiting = undefined;
      if (newest !== undefined) send(newest);
    });
  }

  function write(chunk: unknown, ...rest: unknown[]): boolean {
    const text = typeof chunk === 'string' ? chunk : String(chunk);
    const done = rest.findLast((item) => typeof item === 'function');
    if (isControl.test(text)) {
      if (changesScreen.test(text)) {
        clearTimeout(resting);
        painter.forget();
        last = undefined;
      }
      return Reflect.apply(stdout.write, stdout, [chunk, ...rest]);
    }
    send(text);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  }

  const drawn = new Proxy(stdout, {
    get: (target, name) => {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    stdout: drawn,
    windowChanged() {
      if (!isResized && last !== undefined) {
        painter.forget();
        send(last);
      }
      isResized = false;
    },
    tintAtRest: (colors) => {
      tint = colors;
    },
    stop: () => clearTimeout(resting),
  };
}

/** Matches the bell and sequences that write and colour nothing; any other text is a whole frame. */
const isControl = /^(?:$|\x07|\x1b[\]P]|\x1b\[[<=>?]?[\d;]*[A-Za-ln-z])/;
