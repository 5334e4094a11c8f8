import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../text/errno.ts';

/** Thrown where the state cannot be used; its message is one sentence. */
export class StateError extends Error {}

/** Thrown where the file was written by a later version. */
export class LaterVersion extends Error {}

/** Thrown where the file has what Skydeck has not made. */
export class ForeignSchema extends Error {}

/** Result codes of SQLite, https://sqlite.org/rescode.html. */
export const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  input: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  constraint: 19,
  mismatch: 20,
  notDatabase: 26,
} as const;

const reasons: ReadonlyMap<number | undefined, string> = new Map([
  [codes.busy, 'another Skydeck holds it'],
  [codes.locked, 'another Skydeck holds it'],
  [codes.readOnly, 'it cannot be written here'],
  [codes.input, 'the disk reports an error'],
  [codes.full, 'no space left on device'],
  [codes.cannotOpen, 'permission denied'],
  [codes.protocol, 'the file system cannot lock it'],
]);

const damage = new Set<number | undefined>([codes.corrupt, codes.notDatabase, codes.constraint, codes.mismatch]);

/** The first part of the code, which says what failed; undefined for errors that are not SQLite's. */
export function primaryCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

/** Why a file can never be used, as a predicate: statements that never differ fail only where tables or rows are not Skydeck's. */
export function whyUnusable(error: unknown): string | undefined {
  if (error instanceof LaterVersion) return 'was written by a later version';
  const { message } = error as Error;
  const code = primaryCode(error);
  const isOfTables = code === codes.error && !/^cannot (start|commit|rollback)/.test(message);
  const isDamaged = isOfTables || damage.has(code) || isOutOfRange(error) || error instanceof ForeignSchema;
  return isDamaged ? 'is damaged' : undefined;
}

/** A number that no session writes: it is not read exactly. */
export const isOutOfRange = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE';

/** A sentence of what cannot be done with the file, and why. */
export function stateError(file: string, what: 'opened' | 'read or written', error: unknown): StateError {
  const code = primaryCode(error);
  const why = whyUnusable(error) === undefined ? (readOnly(file, code) ?? reasons.get(code)) : 'it is damaged';
  return new StateError(`${file} cannot be ${what}: ${why ?? reasonOf(error)}.`);
}

/** Of a file system that is read-only, SQLite says that its memory for sessions cannot be made. */
function readOnly(file: string, code: number | undefined): string | undefined {
  if (code !== codes.input && code !== codes.cannotOpen) return undefined;
  try {
    accessSync(dirname(file), constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
