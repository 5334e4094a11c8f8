import { closeSync, constants, fdatasync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EndedChange, OutgoingChange } from '../api/changeRecord.ts';
import type { Call } from '../api/request.ts';
import { reasonOf } from '../text/errno.ts';
import { UsageError } from './rules.ts';

/** One line of a log. */
type LogEntry = Readonly<Record<string, unknown>>;

/** A file of JSON lines that only its owner can read. */
export interface Log {
  /** Appends one line at once. Never throws: a full disk must not end the program. */
  write(entry: LogEntry): void;
  /** Appends one line and waits until it is on the disk. Rejects with an Error whose message says why it is not, as a clause. */
  commit(entry: LogEntry): Promise<void>;
  /** Why lines are missing, as a sentence; undefined when none is. */
  readonly failure: string | undefined;
  close(): void;
}

/**
 * Opens a file of JSON lines for appending, made with mode 0600.
 * Throws a UsageError when it cannot be written, is no file, or is an existing one that others may read.
 * @param onTrouble told, as a sentence, when a first line is missing that nobody waits for
 */
export function openLog(file: string, onTrouble: (says: string) => void = () => {}): Log {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UsageError(`The log ${file} cannot be written: ${reasonOf(error)}.`);
  }
  const stat = fstatSync(descriptor);
  if (!stat.isFile() || stat.mode & 0o077) {
    closeSync(descriptor);
    throw new UsageError(
      stat.isFile()
        ? `The log ${file} may be read by others; close it with chmod 600 ${file}, or name another file.`
        : `The log ${file} is not a file; name one.`,
    );
  }
  let trouble: string | undefined;
  // A line that was cut off, then or now, must not take the next one with it.
  let isCut = !endsWithLine(descriptor, stat.size);

  function append(entry: LogEntry): void {
    const line = Buffer.from(`${isCut ? '\n' : ''}${JSON.stringify(entry)}\n`);
    // A disk that fills takes the beginning, and refuses the rest only when that is tried.
    for (let written = 0; written < line.length; ) {
      written += writeSync(descriptor, line, written);
      isCut = written < line.length;
    }
  }

  function noteTrouble(error: unknown): string {
    trouble ??= `The log ${file} lacks lines since ${new Date().toISOString()}: ${reasonOf(error)}.`;
    return trouble;
  }

  return {
    write(entry) {
      try {
        append(entry);
      } catch (error) {
        const isFirst = trouble === undefined;
        const says = noteTrouble(error);
        if (isFirst) onTrouble(says);
      }
    },
    async commit(entry) {
      try {
        append(entry);
        await synchronized(descriptor);
      } catch (error) {
        noteTrouble(error);
        throw new Error(`${file} cannot be written: ${reasonOf(error)}`);
      }
    },
    get failure() {
      return trouble;
    },
    close: () => closeSync(descriptor),
  };
}

const synchronized = promisify(fdatasync);

/** Whether a file is empty or its last line has its end. */
function endsWithLine(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() === '\n');
}

/** One line of the log for each call of the API; never its body. */
export const callEntry = ({ at, method, path, status, ms, attempt, error }: Call) => ({
  time: new Date(at).toISOString(),
  method,
  path,
  status,
  ms: Math.round(ms),
  attempt,
  error,
});

/** The audit log as the client is given it: a line before a change leaves, and one about what became of it. */
export function auditHooks(log: Log, profile: string, now: () => number) {
  // Tells the changes of one run from those of any other that writes into the same file.
  // No secret, and loading node:crypto for it would slow each start.
  const run = Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  const begun = ({ number, method, path }: OutgoingChange) => ({
    time: new Date(now()).toISOString(),
    profile,
    change: `${run}-${number}`,
    method,
    path,
  });
  return {
    /**
     * Waits until the line is on the disk: a file system that notices only then that it is full must not let the change
     * go. What became of it is not waited for.
     */
    beforeChange: async (change: OutgoingChange): Promise<void> => {
      try {
        await log.commit({ ...begun(change), body: change.body, outcome: 'pending' });
      } catch (error) {
        throw new Error(
          `Nothing was sent, as the audit log ${(error as Error).message}; mend that and send it again, or set XDG_STATE_HOME to another directory and start again.`,
        );
      }
    },
    onChange: (change: EndedChange): void => {
      const { outcome, status, error } = change;
      log.write({ ...begun(change), outcome, status, error });
    },
  };
}

/** Opens the audit log in the directory of state, which is made with mode 0700. Throws a UsageError when that fails. */
export function openAuditLog(directory: string, onTrouble?: (says: string) => void): Log {
  const file = join(directory, 'audit.jsonl');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openLog(file, onTrouble);
  } catch (error) {
    const why = error instanceof UsageError ? error.message : `${directory} cannot be made: ${reasonOf(error)}.`;
    throw new UsageError(`${why} Changes are not sent without an audit log; mend this, or start with --read-only.`);
  }
}
