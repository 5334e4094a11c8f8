import { closeSync, fstatSync, lstatSync, readdirSync, renameSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigFile } from '../../config/schema.ts';
import { attempt, reasonOf } from '../../text/errno.ts';
import { type Log, openLog } from '../log.ts';
import { makeFolder, openToWrite, type Trusted } from '../privateFile.ts';
import { UsageError } from '../rules.ts';

/** It is the program's, and says what was changed. */
export const trustedAudit: Trusted = { called: 'The audit log', isSecret: true };

/** The current file, in the state directory. */
export const auditFile = (directory: string): string => join(directory, 'audit.jsonl');

/** An older file has in its name when it was left, so that the order of names is that of time. */
const olderName = /^audit-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[0-9a-f]{8}\.jsonl$/;

/** The names of the older files, the newest first; none where there is no directory. */
export function olderFiles(directory: string): readonly string[] {
  const names = attempt(() => readdirSync(directory)) ?? [];
  return names
    .filter((name) => olderName.test(name))
    .sort()
    .reverse();
}

/** The name for a file that is left now: after all names before, also where the clock was set back, and like none. */
function nextOlderName(directory: string, now: number): string {
  const [newest = ''] = olderFiles(directory);
  const [, day, hours, minutes, seconds] = olderName.exec(newest) ?? [];
  const last = day === undefined ? 0 : Date.parse(`${day}T${hours}:${minutes}:${seconds}`);
  const time = new Date(Math.max(now, last + 1)).toISOString().replaceAll(':', '-');
  return `audit-${time}-${randomWord()}.jsonl`;
}

/** Eight hexadecimal digits, which are no secret: loading node:crypto for them would slow each start. */
export const randomWord = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

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
  const currentStat = () => lstatSync(file, { throwIfNoEntry: false });
  let isTold = false;
  const complain = (error: unknown) => {
    if (!isTold) onFailure(`The audit log ${file} grows on, because no new file can be begun: ${reasonOf(error)}.`);
    isTold = true;
  };

  /** Deletes older files; one that cannot be deleted stays. */
  const forget = (names: readonly string[]) => {
    for (const name of names) attempt(() => rmSync(join(directory, name), { force: true }));
  };

  const fits = (size: number, bytes: number) => size === 0 || size + bytes <= maxBytes;

  return (descriptor: number, bytes: number): number => {
    let open = descriptor;
    try {
      // The file that another session has begun may be full as well.
      for (
        let own = fstatSync(open), current = currentStat();
        !current || !isSameFile(own, current) || !fits(own.size, bytes);
      ) {
        if (current && isSameFile(own, current))
          renameSync(file, join(directory, nextOlderName(directory, Date.now())));
        const next = openToWrite(file, trustedAudit, false);
        if (open !== descriptor) closeSync(open);
        open = next;
        [own, current] = [fstatSync(open), currentStat()];
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
