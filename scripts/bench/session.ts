import pty from '@lydell/node-pty';
import { Emulator, type Wanted } from '../../test/emulator.ts';
import { bytesOf } from '../../test/keys.ts';

/** The output of a program after a key. */
export interface Reply {
  bytes: number;
  /** The time to the first byte; undefined when nothing came. */
  firstMs: number | undefined;
}

/** A program in a pseudo-terminal, with the time of each piece of its output. */
export interface Session {
  readonly pid: number;
  /** `performance.now()` before it was started. */
  readonly startedAt: number;
  /** The time of the first byte; undefined before it. */
  readonly firstByteAt: number | undefined;
  /** The number of bytes so far. */
  readonly bytes: number;
  text(): string;
  waitFor(wanted: Wanted, timeoutMs?: number): Promise<void>;
  /** Resolves when nothing has come for so long, in milliseconds. */
  quiet(ms: number): Promise<void>;
  /** Sends a key and waits until nothing has come for `quietMs`. */
  ask(key: string, quietMs: number): Promise<Reply>;
  /** Sends a key without waiting. */
  send(key: string): void;
  /** The time of each piece of output, from the n-th byte on. */
  piecesFrom(byte: number): readonly { at: number; bytes: number }[];
  /** Ends it and waits until it is gone. */
  close(): Promise<void>;
}

/** Starts a command at 160×50 unless other sizes are given. */
export function openSession(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { columns, rows } = { columns: 160, rows: 50 },
): Session {
  const emulator = new Emulator(columns, rows);
  const pieces: { at: number; bytes: number; total: number }[] = [];
  const startedAt = performance.now();
  const child = pty.spawn(command, [...args], { name: 'xterm-256color', cols: columns, rows, env });
  const exit = Promise.withResolvers<void>();
  let total = 0;
  child.onData((chunk) => {
    const bytes = Buffer.byteLength(chunk);
    total += bytes;
    pieces.push({ at: performance.now(), bytes, total });
    emulator.write(chunk);
  });
  child.onExit(() => {
    void emulator.end('the program has ended');
    exit.resolve();
  });
  emulator.terminal.onData((answer) => child.write(answer));
  const piecesFrom = (byte: number) => pieces.filter((piece) => piece.total > byte);

  async function quiet(ms: number): Promise<void> {
    for (;;) {
      const left = (pieces.at(-1)?.at ?? startedAt) + ms - performance.now();
      if (left <= 0) return;
      await pause(left);
    }
  }

  return {
    pid: child.pid,
    startedAt,
    get firstByteAt() {
      return pieces[0]?.at;
    },
    get bytes() {
      return total;
    },
    text: () => emulator.text(),
    waitFor: (wanted, timeoutMs = 60_000) => emulator.waitFor(wanted, { timeoutMs }),
    quiet,
    send: (key) => child.write(bytesOf(key)),
    ask: async (key, quietMs) => {
      const before = total;
      const sentAt = performance.now();
      child.write(bytesOf(key));
      await pause(quietMs);
      await quiet(quietMs);
      const first = piecesFrom(before)[0];
      return { bytes: total - before, firstMs: first && first.at - sentAt };
    },
    piecesFrom,
    close: async () => {
      child.kill('SIGTERM');
      await exit.promise;
    },
  };
}

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
