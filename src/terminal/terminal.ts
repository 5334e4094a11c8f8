import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { focusOff, focusOn } from './focus.ts';
import { keyByKey } from './keys.ts';
import { screenWriter } from './screenWriter.ts';

/** Takes the drawing off the terminal; `resume` puts it back, drawn anew: Ink's `suspendTerminal`. */
export type Suspend = () => Promise<{ resume(): Promise<void> }>;

/** Who is told what becomes of a terminal. */
export interface TerminalListener {
  /** It got or lost the focus, where it says so. */
  onFocus(hasFocus: boolean): void;
  /** The drawing is off it, as nobody can see it, or is back. */
  onHidden(isAway: boolean): void;
  suspend: Suspend;
}

/** The user's terminal: what is switched on there is switched off again on every way out. */
export interface Terminal {
  /** Hands over one key a turn. */
  readonly stdin: ReadStream;
  /** Give this to whatever draws: after the terminal is restored, what is written to it goes nowhere. */
  readonly stdout: WriteStream;
  /** From now on there is something to restore; where keys are read, the terminal tells when it gets and loses the focus. */
  begin(): void;
  /** Told from now on. */
  listen(onlooker: TerminalListener): void;
  /** Brings the terminal back to how a shell expects it. Doing it again does nothing; never throws. */
  restore(): void;
  /**
   * Runs something that uses the terminal itself, like an editor, with nothing of ours switched on.
   * @param run is to end soon when the signal says so
   */
  runChild<T>(run: (recalled: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether it is lent: an interrupt from the keyboard is then not for us. */
  readonly hasChild: boolean;
  /** Recalls it from who it is lent to and resolves when that has ended. The drawing does not come back. */
  endChild(): Promise<void>;
  /** Leaves it to the shell, for the process is about to be stopped. */
  suspend(): void;
  /** Takes it from the shell again, after the process was stopped, and draws everything anew. */
  resume(): void;
  /** The window was changed; its size may be the same again, but what was on it may be gone. */
  windowChanged(): void;
}

/** Nothing that was on the screen stays there: a console has no other one, and a secret is to be on none. */
const blank = '\x1b[m\x1b[H\x1b[J';
const fullScreen = /\x1b\[\?1049([hl])/;

/** In an order that ends on the main screen with a visible cursor and nothing coloured. */
const leaving = (console: boolean, isFull: boolean) =>
  [
    '\x1b[?2026l', // whatever was being drawn at once is shown
    focusOff,
    '\x1b[?2004l', // bracketed paste
    isFull && !console ? '\x1b[<u' : '', // keyboard protocol, of which a shell may have its own on the main screen
    '\x1b[?1l\x1b>', // application keys
    '\x1b7\x1b[r\x1b8', // scroll region, which moves the cursor
    '\x1b[?7h', // wrapping
    '\x1b[0m',
    isFull ? blank : '',
    '\x1b[?1049l', // alternate screen
    '\x1b[?25h', // cursor
  ].join('');

/**
 * Takes charge of a terminal. Nothing is written before `begin`.
 * @param console whether it is a console or a hardware terminal, which can do less
 */
export function openTerminal(stdin: ReadStream, stdout: WriteStream, { console = false } = {}): Terminal {
  let begun = false;
  let over = false;
  let isFull = false;
  let lending: { recall: AbortController; ended: Promise<void> } | undefined;
  let left: ReturnType<Suspend> | undefined;
  let onlooker: TerminalListener = { onFocus() {}, onHidden() {}, suspend: async () => ({ resume: async () => {} }) };
  const screen = screenWriter(stdout, !console);
  // The terminal may be gone; there is nobody left to tell.
  stdout.on('error', () => {});
  const write = (sequence: string) => {
    try {
      stdout.write(sequence);
    } catch {
      // As above.
    }
  };
  // Its answers would be echoed where nobody reads them.
  const focusWanted = stdin.isTTY ? focusOn : '';
  /** Takes the drawing off. What is typed from then on is for others, so nothing waits for it. */
  const takeOff = async (): ReturnType<Suspend> => {
    const suspended = onlooker.suspend();
    write(leaving(console, isFull));
    onlooker.onHidden(true);
    return suspended;
  };
  const putBack = async (suspended: ReturnType<Suspend>) => {
    await (await suspended).resume();
    // Ink hides the cursor only once.
    write(`\x1b[?25l${focusWanted}`);
    onlooker.onHidden(false);
  };
  return {
    stdin: keyByKey(stdin, (hasFocus) => onlooker.onFocus(hasFocus)),
    stdout: writingThrough(screen.stdout, (text) => {
      const [, full] = fullScreen.exec(text) ?? [];
      if (full === 'l' && isFull && !over) write(blank);
      if (full !== undefined) isFull = full === 'h';
      return !over;
    }),
    get hasChild() {
      return lending !== undefined;
    },
    begin() {
      if (begun) return;
      begun = true;
      write(focusWanted);
    },
    listen(given) {
      onlooker = given;
    },
    restore() {
      if (!begun || over) return;
      over = true;
      leaveRawMode(stdin);
      write(leaving(console, isFull));
    },
    async runChild(run) {
      const recall = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      lending = { recall, ended };
      const suspended = takeOff();
      try {
        await suspended;
        // Else the first line typed would still be read here; a stream pauses only a turn after its last reader has left.
        await nextTurn();
        stdin.pause();
        return await run(recall.signal);
      } finally {
        if (!over && !recall.signal.aborted) {
          lending = undefined;
          await putBack(suspended);
        }
        resolve();
      }
    },
    async endChild() {
      lending?.recall.abort();
      await lending?.ended;
    },
    suspend() {
      if (begun && !over && !lending) left ??= takeOff();
    },
    resume() {
      if (!left || over) return;
      const suspended = left;
      left = undefined;
      void putBack(suspended);
    },
    windowChanged() {
      if (isFull) screen.windowChanged();
    },
  };
}

function leaveRawMode(stdin: ReadStream): void {
  try {
    if (stdin.isTTY && stdin.isRaw) stdin.setRawMode(false);
  } catch {
    // A terminal that is gone has no mode.
  }
}

/**
 * The stream itself, but for writes.
 * @param mayPass told what is to be written; where it says no, that goes nowhere: a last frame would land on the user's main screen
 */
function writingThrough(stdout: WriteStream, mayPass: (text: string) => boolean): WriteStream {
  const write = (...args: unknown[]): boolean => {
    if (mayPass(String(args[0]))) return Reflect.apply(stdout.write, stdout, args);
    const done = args.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  return new Proxy(stdout, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target)),
  });
}
