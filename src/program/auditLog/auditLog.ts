import { closeSync, fstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigFile } from '../../config/schema.ts';
import { reasonOf } from '../../text/errno.ts';
import { type Log, openLog } from '../log.ts';
import { makeFolder, openToWrite } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import { auditFile, nextOlderName, olderFiles, statAt, trustedAudit } from './files.ts';

/** The size of the audit log. */
interface AuditLimits {
  /** No line makes a file larger, unless it is its only one. */
  maxBytes: number;
  /** So many older files stay. */
  keep: number;
}

/** The size that the configuration gives the audit log; by default 16 MiB, and 8 older files. */
export const auditLimits = ({ audit }: Pick<ConfigFile, 'audit'> = {}): AuditLimits => ({
  maxBytes: (audit?.max_mib ?? 16) * 2 ** 20,
  keep: audit?.keep ?? 8,
});

/**
 * Opens the audit log in the state directory, which is made with mode 0700. A file that is full is left under another name,
 * and a new one begun; other sessions go on in that one. Throws a UsageError when it cannot be opened.
 * @param onFailure told, as a sentence, when a line cannot be written or a file not be left for the first time
 */
export function openAuditLog(
  directory: string,
  onFailure: (says: string) => void = () => {},
  limits: AuditLimits = auditLimits(),
): Log {
  const file = auditFile(directory);
  try {
    makeFolder(dirname(file));
    return openLog(file, onFailure, rotation(directory, limits, onFailure), trustedAudit);
  } catch (error) {
    const says = error instanceof UsageError ? error.message : `${directory} cannot be made: ${reasonOf(error)}.`;
    const why = says.endsWith('.') ? says : `${says}.`;
    throw new UsageError(`${why} Changes are not sent without an audit log; fix this, or start with --read-only.`);
  }
}

/**
 * Names the open file for the next line: the current one, which another session may have begun, or a new one.
 * No lock is needed: a file is only ever renamed to a name like no other, so that two sessions that leave a file at once
 * lose no line, and a line for a file that was left a moment before is in that file.
 */
function rotation(directory: string, { maxBytes, keep }: AuditLimits, onFailure: (says: string) => void) {
  const file = auditFile(directory);
  let isTold = false;
  const complain = (error: unknown) => {
    if (!isTold) onFailure(`The audit log ${file} grows on, because no new file can be begun: ${reasonOf(error)}.`);
    isTold = true;
  };

  /** Deletes older files; one that cannot be deleted stays. */
  const forget = (names: readonly string[]) => {
    for (const name of names) {
      try {
        rmSync(join(directory, name), { force: true });
      } catch {}
    }
  };

  const fits = (size: number, bytes: number) => size === 0 || size + bytes <= maxBytes;

  return (descriptor: number, bytes: number): number => {
    let open = descriptor;
    try {
      // The file that another session has begun may be full as well.
      for (
        let own = fstatSync(open), current = statAt(file);
        !current || !isSameFile(own, current) || !fits(own.size, bytes);
      ) {
        if (current && isSameFile(own, current))
          renameSync(file, join(directory, nextOlderName(directory, Date.now())));
        const next = openToWrite(file, trustedAudit, false);
        if (open !== descriptor) closeSync(open);
        open = next;
        [own, current] = [fstatSync(open), statAt(file)];
        forget(olderFiles(directory).slice(keep));
        isTold = false;
      }
    } catch (error) {
      // The line goes into the file that is open, unless that was deleted.
      if (fstatSync(open).nlink === 0) throw error;
      complain(error);
    }
    return open;
  };
}

const isSameFile = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;
