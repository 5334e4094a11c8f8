import { closeSync, constants, fdatasync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EndedChange, OutgoingChange } from '../api/changeAudit.ts';
import type { Call } from '../api/request.ts';
import type { RecordedProgram } from '../store/programs.ts';
import type { ShellEntry } from '../store/ssh.ts';
import { reasonOf } from '../text/errno.ts';
import { UsageError } from './rules.ts';

/** One line of a log. */
type LogEntry = Readonly<Record<string, unknown>>;

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
 * Opens a file of JSON lines for appending; a new one has mode 0600.
 * Throws a UsageError when it cannot be written, is not a regular file, or can be read by others.
 * @param onFailure told, as a sentence, when `write` fails for the first time
 */
export function openLog(file: string, onFailure: (says: string) => void = () => {}): Log {
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
        ? `The log ${file} can be read by others; run chmod 600 ${file}, or name another file.`
        : `The log ${file} is not a regular file; name one.`,
    );
  }
  let failure: string | undefined;
  // After a line that was cut off, in this run or before, the next one begins with a newline.
  let isCut = !endsWithLine(descriptor, stat.size);

  function append(entry: LogEntry): void {
    const line = Buffer.from(`${isCut ? '\n' : ''}${JSON.stringify(entry)}\n`);
    // On a disk that fills, a write takes what fits, and the next one fails.
    for (let written = 0; written < line.length; ) {
      written += writeSync(descriptor, line, written);
      isCut = written < line.length;
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
        await synchronized(descriptor);
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
function endsWithLine(descriptor: number, size: number): boolean {
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

/** The client's hooks for the audit log: a line before a change is sent, and one with its outcome. */
export function auditHooks(log: Log, profile: string, now: () => number) {
  // Distinguishes the changes of one run from those of others in the same file.
  // It is no secret, and loading node:crypto for it would slow each start.
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
    /** Waits until the line is on the disk: some file systems notice only then that they are full. */
    beforeChange: async (change: OutgoingChange): Promise<void> => {
      try {
        const { number: _, ...recorded } = change;
        await log.commit({ ...begun(change), ...recorded, outcome: 'pending' });
      } catch (error) {
        throw new Error(
          `Nothing was sent, because the audit log ${(error as Error).message}; fix that and send it again, or set XDG_STATE_HOME to another directory and start again.`,
        );
      }
    },
    onChange: (change: EndedChange): void => {
      const { outcome, status, error } = change;
      log.write({ ...begun(change), outcome, status, error });
    },
  };
}

/** Writes the line of the audit log about a program or a shell, before it is run. Rejects with an Error of one sentence. */
export const programRecord =
  (log: Log, profile: string, now: () => number) =>
  async (entry: RecordedProgram | ShellEntry): Promise<void> => {
    try {
      await log.commit({ time: new Date(now()).toISOString(), profile, ...entry });
    } catch (error) {
      throw new Error(
        `Nothing was run, because the audit log ${(error as Error).message}; fix that and try again, or set XDG_STATE_HOME to another directory and start again.`,
      );
    }
  };

/** Opens the audit log in the state directory, which is made with mode 0700. Throws a UsageError when that fails. */
export function openAuditLog(directory: string, onFailure?: (says: string) => void): Log {
  const file = join(directory, 'audit.jsonl');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openLog(file, onFailure);
  } catch (error) {
    const why = error instanceof UsageError ? error.message : `${directory} cannot be made: ${reasonOf(error)}.`;
    throw new UsageError(`${why} Changes are not sent without an audit log; fix this, or start with --read-only.`);
  }
}
