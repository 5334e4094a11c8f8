import pty from '@lydell/node-pty';
import { Emulator, type Glass } from '../emulator.ts';
import { bytesOf, loneEscape, pasted } from '../keys.ts';

/** A program in a real pseudo-terminal. */
export interface Pty extends Glass {
  readonly pid: number;
  /** The end of the program: its exit code, and the number of the signal that ended it (0 when none did). */
  readonly exit: Promise<{ code: number; signal: number }>;
  /** Sends a signal; SIGHUP, as for a lost connection, when none is named. */
  kill(signal?: string): void;
  /** Takes the terminal away from all that run in it, as when its window is closed. */
  hangUp(): void;
}

export interface PtyOptions {
  columns?: number;
  rows?: number;
  cwd?: string;
  /** The whole environment of the program; that of the tests, with TERM set to xterm-256color, when left out. */
  env?: Record<string, string | undefined>;
  /** The terminal has the kitty keyboard protocol, and tells that its background is this one (`ffff/ffff/ffff`). */
  background?: string;
  /** The line is so slow that questions to the terminal are answered after so many milliseconds. */
  answerMs?: number;
}

/**
 * Starts `command` with `args` in a pseudo-terminal (100×30 when left out).
 * What comes right behind an escape belongs to it, here as on any terminal: a key is refused until
 * `waitFor` has seen what the escape did.
 */
export function openPty(command: string, args: string[], options: PtyOptions = {}): Pty {
  const { columns = 100, rows = 30, cwd, background, answerMs, env = { ...process.env, TERM: undefined } } = options;
  const emulator = new Emulator(columns, rows);
  const child = pty.spawn(command, args, { name: env.TERM ?? 'xterm-256color', cols: columns, rows, cwd, env });
  const { promise: exit, resolve } = Promise.withResolvers<{ code: number; signal: number }>();
  child.onData((chunk) => emulator.write(chunk));
  child.onExit(({ exitCode, signal = 0 }) => {
    const ended = emulator.end(`the program ended with code ${exitCode}, signal ${signal}`);
    void ended.then(() => resolve({ code: exitCode, signal }));
  });
  emulator.terminal.onData((answer) => {
    if (answerMs === undefined) child.write(answer);
    else setTimeout(() => child.write(answer), answerMs);
  });
  if (background) {
    emulator.terminal.parser.registerOscHandler(11, () => {
      child.write(`\x1b]11;rgb:${background}\x1b\\`);
      return true;
    });
    emulator.terminal.parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
      child.write('\x1b[?0u');
      return true;
    });
  }

  let isEscapeOpen = false;
  const send = async (chunk: string) => {
    if (isEscapeOpen) throw new Error('Wait for what the escape does before the next key.');
    child.write(chunk);
    await new Promise((done) => setImmediate(done));
  };

  return {
    pid: child.pid,
    exit,
    kill: (signal) => child.kill(signal),
    // It is there, but not in the types.
    hangUp: () => (child as pty.IPty & { destroy(): void }).destroy(),
    terminal: emulator.terminal,
    get bytes() {
      return emulator.bytes;
    },
    text: () => emulator.text(),
    line: (row) => emulator.line(row),
    styleAt: (row, column) => emulator.styleAt(row, column),
    waitFor: async (wanted, waiting) => {
      await emulator.waitFor(wanted, waiting);
      isEscapeOpen = false;
    },
    press: async (...keys) => {
      for (const key of keys) {
        await send(bytesOf(key));
        isEscapeOpen = bytesOf(key) === loneEscape;
      }
    },
    pressAtOnce: (...keys) => send(keys.map(bytesOf).join('')),
    type: async (text) => {
      for (const character of text) await send(character);
    },
    paste: (text) => send(pasted(text)),
    resize: (newColumns, newRows) => {
      emulator.terminal.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
  };
}
