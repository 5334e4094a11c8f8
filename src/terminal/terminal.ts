import type { ReadStream, WriteStream } from 'node:tty';
import { focusOff, focusOn } from './focus.ts';
import { keyByKey } from './keys.ts';
import { screenWriter } from './screenWriter.ts';

/** The user's terminal: what is switched on there is switched off again on every way out. */
export interface Terminal {
  /** Hands over one key a turn. */
  readonly stdin: ReadStream;
  /** Give this to whatever draws: after the terminal is restored, what is written to it goes nowhere. */
  readonly stdout: WriteStream;
  /** From now on there is something to restore; the terminal tells when it gets and loses the focus. */
  begin(): void;
  /** Tells from now on when the terminal gets and loses the focus, where it says so. */
  watchFocus(listener: (hasFocus: boolean) => void): void;
  /** Brings the terminal back to how a shell expects it. Doing it again does nothing; never throws. */
  restore(): void;
  /**
   * Runs something that uses the terminal itself, like an editor, with nothing of ours switched on.
   * The drawing must be suspended around it.
   */
  lend<T>(run: () => Promise<T>): Promise<T>;
  /** Whether it is lent: an interrupt from the keyboard is then not for us. */
  readonly lent: boolean;
}

/** In an order that ends on the main screen with a visible cursor and nothing coloured. */
const leaving = [
  '\x1b[?2026l', // whatever was being drawn at once is shown
  focusOff,
  '\x1b[?2004l', // bracketed paste
  '\x1b[<u', // keyboard protocol
  '\x1b[?1l\x1b>', // application keys
  '\x1b7\x1b[r\x1b8', // scroll region, which moves the cursor
  '\x1b[?7h', // wrapping
  '\x1b[?1049l', // alternate screen
  '\x1b[0m',
  '\x1b[?25h', // cursor
].join('');

/** Takes charge of a terminal. Nothing is written before `begin`. */
export function openTerminal(stdin: ReadStream, stdout: WriteStream): Terminal {
  let begun = false;
  let over = false;
  let lent = false;
  let onFocus: (hasFocus: boolean) => void = () => {};
  // The terminal may be gone; there is nobody left to tell.
  stdout.on('error', () => {});
  const write = (sequence: string) => {
    try {
      stdout.write(sequence);
    } catch {
      // As above.
    }
  };
  return {
    stdin: keyByKey(stdin, (hasFocus) => onFocus(hasFocus)),
    stdout: silencedAfter(() => over, screenWriter(stdout)),
    get lent() {
      return lent;
    },
    begin() {
      if (begun) return;
      begun = true;
      write(focusOn);
    },
    watchFocus(listener) {
      onFocus = listener;
    },
    restore() {
      if (!begun || over) return;
      over = true;
      leaveRawMode(stdin);
      write(leaving);
    },
    async lend(run) {
      lent = true;
      write(focusOff);
      try {
        return await run();
      } finally {
        lent = false;
        if (!over) write(focusOn);
      }
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

/** The stream itself, but for writes once it is over: a last frame would land on the user's main screen. */
function silencedAfter(over: () => boolean, stdout: WriteStream): WriteStream {
  const write = (...args: unknown[]): boolean => {
    if (!over()) return Reflect.apply(stdout.write, stdout, args);
    const done = args.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  return new Proxy(stdout, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target)),
  });
}
