import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Call } from '../api/request.ts';
import { reasonOf } from '../text/errno.ts';
import { UsageError } from './rules.ts';

/** One line of a log. */
export type LogEntry = Readonly<Record<string, unknown>>;

/** A file of JSON lines that only its owner can read. */
export interface Log {
  /** Appends one line. Never throws: a full disk must not end the program. */
  write(entry: LogEntry): void;
  /** Appends one line and waits until it is on the disk. Rejects with an Error, whose message is a clause. */
  commit(entry: LogEntry): Promise<void>;
  /** The reason why lines are missing, as a sentence. */
  readonly failure: string | undefined;
  close(): void;
}

/**
 * Opens a file for appending; a new one has mode 0600.
 * Throws a UsageError when it cannot be written, is not a regular file, or can be read by others.
 */
export function openForLines(file: string): number {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UsageError(`The log ${file} cannot be written: ${reasonOf(error)}.`);
  }
  const stat = fstatSync(descriptor);
  if (stat.isFile() && !(stat.mode & 0o077)) return descriptor;
  closeSync(descriptor);
  throw new UsageError(
    stat.isFile()
      ? `The log ${file} can be read by others; run chmod 600 ${file}, or name another file.`
      : `The log ${file} is not a regular file; name one.`,
  );
}

/**
 * Opens a file of JSON lines, as `openForLines` does.
 * @param onFailure told, as a sentence, when `write` fails for the first time
 * @param fileFor called before each line with the open file and the bytes to come, names the open file that takes them
 */
export function openLog(
  file: string,
  onFailure: (says: string) => void = () => {},
  fileFor: (descriptor: number, bytes: number) => number = (descriptor) => descriptor,
): Log {
  let descriptor = openForLines(file);
  let failure: string | undefined;
  /** The number of lines that are not on the disk yet, by file. */
  const waiting = new Map<number, number>();
  // After a line that was cut off, in this run or before, the next one begins with a newline.
  let isCut = !endsWithLine(descriptor);

  function append(entry: LogEntry): void {
    const text = `${JSON.stringify(entry)}\n`;
    const next = fileFor(descriptor, Buffer.byteLength(text));
    if (next !== descriptor) {
      const before = descriptor;
      descriptor = next;
      isCut = !endsWithLine(next);
      if (!waiting.get(before)) closeSync(before);
    }
    const line = Buffer.from(`${isCut ? '\n' : ''}${text}`);
    // On a disk that fills, a write takes what fits, and the next one fails.
    for (let written = 0; written < line.length; ) {
      written += writeSync(descriptor, line, written);
      isCut = written < line.length;
    }
  }

  /** Waits until all lines of the file are on the disk; one that was left meanwhile is closed by the last to wait. */
  async function synchronize(): Promise<void> {
    const own = descriptor;
    waiting.set(own, (waiting.get(own) ?? 0) + 1);
    try {
      await synchronized(own);
    } finally {
      const others = (waiting.get(own) ?? 1) - 1;
      if (others > 0) waiting.set(own, others);
      else {
        waiting.delete(own);
        if (own !== descriptor) closeSync(own);
      }
    }
  }

  function noteFailure(error: unknown): string {
    failure ??= `The log ${file} lacks lines since ${new Date().toISOString()}: ${reasonOf(error)}.`;
    return failure;
  }

  return {
    write(entry) {
      try {
        append(entry);
      } catch (error) {
        const isFirst = failure === undefined;
        const says = noteFailure(error);
        if (isFirst) onFailure(says);
      }
    },
    async commit(entry) {
      try {
        append(entry);
        await synchronize();
      } catch (error) {
        noteFailure(error);
        throw new Error(`${file} cannot be written: ${reasonOf(error)}`);
      }
    },
    get failure() {
      return failure;
    },
    close: () => closeSync(descriptor),
  };
}

const synchronized = promisify(fdatasync);

/** Whether a file is empty or ends with a newline. */
function endsWithLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() === '\n');
}

/** The line of the log for a call of the API, without its body. */
export const callEntry = ({ at, method, path, status, ms, attempt, error }: Call) => ({
  time: new Date(at).toISOString(),
  method,
  path,
  status,
  ms: Math.round(ms),
  attempt,
  error,
});
