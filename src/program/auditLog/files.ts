import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../text/errno.ts';
import type { Trusted } from '../privateFile.ts';

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
export function nextOlderName(directory: string, now: number): string {
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

/** The file at a path, which is no link; undefined where there is none. */
export function statAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
