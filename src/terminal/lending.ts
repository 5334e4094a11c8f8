import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';

/** Takes the drawing off the terminal; `resume` draws it again: Ink's `suspendTerminal`. */
export type Suspend = () => Promise<{ resume(): Promise<void> }>;

interface LendingParts {
  /** Takes the drawing off, beginning at once. */
  hide: Suspend;
  write: (bytes: string) => void;
  /** The bytes that end what such a program has left on the keyboard. */
  afterChild: () => string;
  /** Resolves once the terminal has answered, which it would echo while others have it; undefined where nothing is open. */
  answered: () => Promise<void> | undefined;
  /** Whether the terminal was restored: nothing is written then. */
  isOver: () => boolean;
}

/** Ends what a program may have left switched on that had the terminal. */
const childLeft = [
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l', // mouse
  '\x0f\x1b(B', // character set
  '\x1b[?1l\x1b>\x1b[?2004l\x1b7\x1b[r\x1b8\x1b[?7h\x1b[0m\x1b[?25h', // scroll region, wrapping, colours, cursor
].join('');

/**
 * Leaves the terminal to another program, or to the shell.
 * @param stdin what is typed on it meanwhile is not read here
 */
export function createLending(stdin: ReadStream, { hide, write, afterChild, answered, isOver }: LendingParts) {
  let child: { abort: AbortController; ended: Promise<void> } | undefined;
  let suspended: ReturnType<Suspend> | undefined;
  return {
    /** Whether a program has the terminal: an interrupt from the keyboard is then meant for it. */
    hasChild: () => child !== undefined,
    /**
     * Runs a program that uses the terminal itself, like an editor, with all our modes switched off.
     * @param run must end soon after the signal is aborted
     */
    async runChild<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const abort = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      child = { abort, ended };
      const open = answered();
      if (open) await Promise.race([open, once(abort.signal, 'abort')]);
      const hidden = hide();
      try {
        await hidden;
        // A stream pauses only a turn after its last reader has left; before, the first line typed would be read here.
        await nextTurn();
        stdin.pause();
        return await run(abort.signal);
      } finally {
        if (!isOver()) write(childLeft + afterChild());
        if (!isOver() && !abort.signal.aborted) {
          child = undefined;
          await (await hidden).resume();
        }
        resolve();
      }
    },
    /** Aborts that program and resolves when it has ended. The drawing does not come back. */
    async endChild() {
      child?.abort.abort();
      await child?.ended;
    },
    /** Leaves the terminal to the shell, before the process is stopped. */
    suspend() {
      if (!isOver() && !child) suspended ??= hide();
    },
    /** Takes it back after the process was stopped, and draws everything again. */
    resume() {
      if (isOver()) return;
      void suspended?.then((hidden) => hidden.resume());
      suspended = undefined;
    },
  };
}
