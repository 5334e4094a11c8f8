import type { StoreApi } from 'zustand/vanilla';
import type { AuditRow } from '../../resources/account/audit.ts';
import type { ChangeRecord } from '../../resources/changeRecord.ts';
import { isRow, type Row } from '../../resources/row.ts';
import { textOf } from '../../text/words.ts';

/** A change that was sent, by its name. */
export interface SentChange extends ChangeRecord {
  uid: string;
  /** It took another one back. */
  isBack: boolean;
}

/** The name of the change of a row of the audit log; older lines have only their number. */
export const uidOf = ({ uid, id }: Row): string => textOf(uid ?? id);

/** The change that a row of the audit log tells of; undefined where the row does not say what it was done to. */
export function recordIn(row: Row): SentChange | undefined {
  const { resource, action, params, label, body, before, isBack } = row;
  if (typeof resource !== 'string' || typeof action !== 'string' || !isRow(params)) return undefined;
  return {
    resource,
    action,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)])),
    label: typeof label === 'string' ? label : '',
    body,
    ...(isRow(before) && { before }),
    uid: uidOf(row),
    isBack: isBack === true,
  };
}

/** Whether a row tells of a file that went elsewhere than to the API. */
const isOfFile = ({ path = '/' }: AuditRow): boolean => !path.startsWith('/');

/**
 * The rows, that of a change that a file went along with and that of the file as one: the change, and what became of the file.
 * @param make completes a row that was put together
 */
export function withFiles(rows: readonly AuditRow[], make: (row: AuditRow) => AuditRow): readonly AuditRow[] {
  const files = new Map(rows.filter(isOfFile).map((row) => [uidOf(row), row]));
  if (files.size === 0) return rows;
  const asked = new Set(rows.filter((row) => !isOfFile(row)).map(uidOf));
  return rows.flatMap((row) => {
    const file = files.get(uidOf(row));
    if (!file || (isOfFile(row) && !asked.has(uidOf(row)))) return [row];
    const { id, at, method, path, params, body } = row;
    return isOfFile(row) ? [] : [make({ ...row, ...file, id, at, method, path, params, body })];
  });
}

/** Whose lines of the audit log are one's own: those of the same host and account, and those of this run. */
export interface AuditOwner {
  profile: string;
  /** Of the API, with its port where it has one. */
  host: string;
  /** Names this run of the program. */
  session: string;
  /** The account's euuid (document 1, 2.2), as soon as it is known. */
  account?: string;
}

/** The audit log as it is read back. A line is an object of any shape: other versions and people may have written it. */
export interface AuditSource {
  owner: StoreApi<AuditOwner>;
  /**
   * Reads what was written so far, without holding up a key.
   * @param take is given portions of lines, the newest first; in place of a line that cannot be read, why, as `damaged`. By
   *   false it ends the reading
   * Resolves with a sentence about what is left out, if anything is. Rejects with an Error of one sentence.
   */
  read(take: (lines: readonly Row[]) => unknown): Promise<string | undefined>;
  /** Writes that a change was done whose answer was lost: its name as `found`, the one that it has from now on, the `evidence`. */
  found(line: Row): void;
  /** Calls a function with each line that this account writes from now on; returns a function that ends it. */
  follow(listener: (line: Row) => void): () => void;
}
