import { closeSync, fdatasync, fstatSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Call } from '../api/request.ts';
import { reasonOf } from '../text/errno.ts';
import { visibleJson } from '../text/escapes.ts';
import { openToWrite, type Trusted } from './privateFile.ts';

/** One line of a log. */
export type LogEntry = Readonly<Record<string, unknown>>;

/** A file of JSON lines that only its owner can read. */
export type Log = ReturnType<typeof openLog>;

/** A file that the user names for lines. */
const ownLog: Trusted = { called: 'The log', isSecret: true, isUsers: true };

/**
 * Opens a file of JSON lines, though none behind a link; a new one has mode 0600. Throws a UsageError when it cannot be
 * written, or others may read or write it.
 * @param onFailure told, as a sentence, when `write` fails for the first time
 * @param fileFor called before each line with the open file and the bytes to come, names the open file that takes them
 * @param trusted how it is called, and what is asked of it
 */
export function openLog(
  file: string,
  onFailure: (says: string) => void = () => {},
  fileFor: (descriptor: number, bytes: number) => number = (descriptor) => descriptor,
  trusted = ownLog,
) {
  let descriptor = openToWrite(file, trusted, false);
  let failure: string | undefined;
  /** The number of lines that are not on the disk yet, by file. */
  const waiting = new Map<number, number>();
  // After a line that was cut off, in this run or before, the next one begins with a newline.
  let isCut = !endsWithLine(descriptor);

  function append(entry: LogEntry): void {
    const text = `${visibleJson(entry)}\n`;
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
    /** Appends one line. Never throws: a full disk must not end the program. */
    write(entry: LogEntry) {
      try {
        append(entry);
      } catch (error) {
        const isFirst = failure === undefined;
        const says = noteFailure(error);
        if (isFirst) onFailure(says);
      }
    },
    /** Appends one line and waits until it is on the disk. Rejects with an Error, whose message is a clause. */
    async commit(entry: LogEntry) {
      try {
        append(entry);
        await synchronize();
      } catch (error) {
        noteFailure(error);
        throw new Error(`${file} cannot be written: ${reasonOf(error)}`);
      }
    },
    /** The reason why lines are missing, as a sentence. */
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
