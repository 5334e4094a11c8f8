import type { WriteStream } from 'node:tty';
import type { CaretArea } from './frameLine.ts';
import type { LateCells, Tint } from './paint.ts';
import { createPainter, type PainterOptions } from './painter.ts';

const changesScreen = /\x1b\[\?(?:1049|47|1047)[hl]/;

/** Shorter frames are drawn without synchronized output. */
const minSynchronizedBytes = 1024;

/** A screen rests when nothing has moved for this time. */
const restMs = 150;

/**
 * Draws frames on a terminal: the output stream that Ink is given.
 * A terminal that cannot keep up gets the newest frame when it is ready again; those in between are dropped.
 */
export function screenWriter(
  stdout: WriteStream,
  options: Omit<PainterOptions, 'tintOf'> = {},
  caretArea: () => CaretArea | undefined = () => undefined,
  lateCells: () => LateCells | undefined = () => undefined,
) {
  let tint: Tint | undefined;
  const painter = createPainter({ ...options, tintOf: () => tint });
  let resting: NodeJS.Timeout | undefined;
  let last: string | undefined;
  let waiting: string | undefined;
  let isBlocked = false;
  let isResized = false;
  let isCaretComing = false;
  stdout.on('resize', () => {
    isResized = true;
  });

  function send(frame: string): void {
    last = frame;
    if (isBlocked) {
      waiting = frame;
      return;
    }
    put(painter.paint(frame, { columns: stdout.columns, rows: stdout.rows }, caretArea(), lateCells()));
    if (painter.isMoving()) waitForRest();
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
        painter.forget(true);
        last = undefined;
      }
      return Reflect.apply(stdout.write, stdout, [chunk, ...rest]);
    }
    // A frame that waits is drawn by `caretChanged`.
    if (isCaretComing) last = text;
    else send(text);
    isCaretComing = false;
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  }

  return {
    /** Frames that are written to it are painted, everything else is passed on. */
    stdout: withMember(stdout, 'write', write),
    /** Draws the last frame again where the window has changed and has the same size: its content may be lost. */
    windowChanged() {
      if (!isResized && last !== undefined) {
        painter.forget();
        send(last);
      }
      isResized = false;
    },
    /** Lets rows with these colours be tinted only when the screen rests, so that a held key does not pay for them. */
    tintAtRest: (colors: Tint | undefined) => {
      tint = colors;
    },
    /** From now on nothing is drawn by itself. */
    stop: () => clearTimeout(resting),
    /** Has the next frame wait for the input that comes with it, so that it is drawn once. */
    caretComes() {
      isCaretComing = true;
    },
    /** Has the cursor follow an input that has come. */
    caretChanged() {
      isCaretComing = false;
      if (last !== undefined) send(last);
    },
  };
}

/** Matches the bell and sequences that write and colour nothing; any other text is a whole frame. */
const isControl = /^(?:$|\x07|\x1b[\]P]|\x1b\[[<=>?]?[\d;]*[A-Za-ln-z])/;

/** A stream itself, but for one of its members. */
export const withMember = <S extends object>(stream: S, name: keyof S, member: unknown): S =>
  new Proxy(stream, {
    get: (target, key) => {
      if (key === name) return member;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
