import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, Change } from '../api/client.ts';
import { UsageError } from './rules.ts';

/** A file of JSON lines that only its owner can read. */
export interface Log {
  /** Appends one line at once. Never throws: a full disk must not end the program. */
  write(entry: Readonly<Record<string, unknown>>): void;
  /** Why lines are missing, as a sentence; undefined when none is. */
  readonly trouble: string | undefined;
  close(): void;
}

/**
 * Opens a file of JSON lines for appending, made with mode 0600.
 * Throws a UsageError when it cannot be written, is no file, or is an existing one that others may read.
 */
export function openLog(file: string): Log {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
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
  return {
    write(entry) {
      try {
        writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      } catch (error) {
        trouble ??= `The log ${file} lacks lines since ${new Date().toISOString()}: ${reasonOf(error)}.`;
      }
    },
    get trouble() {
      return trouble;
    },
    close: () => closeSync(descriptor),
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

/** Why the file system refused, in a few words. */
export const reasonOf = (error: unknown): string => {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
};

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

/** One line of the audit log for each change that was sent; the body comes without secrets. */
export const changeEntry = (profile: string, { method, path, body, status, error }: Change, now: number) => ({
  time: new Date(now).toISOString(),
  profile,
  method,
  path,
  body,
  status,
  error,
});

/** Opens the audit log in the directory of state, which is made with mode 0700. Throws a UsageError when that fails. */
export function openAuditLog(directory: string): Log {
  const file = join(directory, 'audit.jsonl');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openLog(file);
  } catch (error) {
    const why = error instanceof UsageError ? error.message : `${directory} cannot be made: ${reasonOf(error)}.`;
    throw new UsageError(`${why} Changes are not sent without an audit log; mend this, or start with --read-only.`);
  }
}
