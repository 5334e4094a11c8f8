import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../text/errno.ts';
import { freeName } from '../text/words.ts';
import { checkPrivate, makeFolder, readPrivate, type Trusted } from './privateFile.ts';
import { UsageError } from './rules.ts';

/** A path at which nothing is yet: this one, or else with a number behind it. */
export const freePath = (file: string): string =>
  freeName(file, (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/** Writes a file that only its owner can read, whole or not at all, also where the power fails; makes its directory. Throws errors of the system. */
export const replacePrivate = (file: string, text: string, mode = 0o600): void =>
  replaceBy(file, (next) => {
    writeFileSync(next, text, { mode: 0o600, flag: 'wx', flush: true });
    if (mode !== 0o600) chmodSync(next, mode);
  });

/** Gives a file its name once it is written whole under another one; makes its directory. Throws what `write` throws, and errors of the system. */
export function replaceBy(file: string, write: (next: string) => void): void {
  // Another session may write at the same time.
  const next = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    makeFolder(dirname(file));
    write(next);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Writes a file as `replacePrivate` does; a link stays one, and a mode what it is. Throws a UsageError.
 * @param check throws for a file that is not to be replaced, or not to be made
 */
export function replaceNamed(file: string, text: string, check: (before?: Stats) => void = () => {}): void {
  try {
    const real = behindLinks(file);
    const before = statSync(real, { throwIfNoEntry: false });
    check(before);
    replacePrivate(real, text, before && before.mode & 0o777);
  } catch (error) {
    throw notWritten(file, error);
  }
}

/** The path of a file, or that to which it leads as a link. Throws a UsageError where it leads nowhere. */
function behindLinks(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })) return file;
  if (statSync(file, { throwIfNoEntry: false })) return realpathSync(file);
  throw new UsageError(`${file} cannot be written: it is a link that leads nowhere.`);
}

/** An error of the system as a sentence; any other as it is. */
const notWritten = (file: string, error: unknown): unknown =>
  error instanceof Error && 'code' in error ? new UsageError(`${file} cannot be written: ${reasonOf(error)}.`) : error;

const beingWritten = (file: string) =>
  new UsageError(`${file} cannot be written: something else writes it at this moment; do it again.`);

/** A session that writes is done, or dead, within so many milliseconds; a later time is of before the clock was set back. */
const longestWrite = 60_000;

/** Whether a session that died has left what it wrote. */
function isLeft(next: string): boolean {
  const { mtimeMs } = lstatSync(next, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) > longestWrite;
}

/**
 * Changes a file of the user, whole or not at all; mode and link stay. Sessions do so one after the other. Makes the file,
 * for its owner alone, and its directory. Throws a UsageError, also what `changed` throws; then nothing is written.
 * @param changed the text, by what stands there; the same one is not written
 */
export function changeNamed(file: string, trusted: Trusted, changed: (before: string) => string): void {
  try {
    makeFolder(dirname(file));
    const stat = lstatSync(file, { throwIfNoEntry: false });
    const real = behindLinks(file);
    const next = `${real}.skydeck-writes`;
    if (isLeft(next)) {
      // Of two sessions that find it so, the second may get what the first has made by then.
      const aside = freePath(`${next}.aside`);
      renameSync(next, aside);
      const isDead = isLeft(aside);
      rmSync(aside);
      if (!isDead) throw beingWritten(file);
    }
    const descriptor = openSync(next, 'wx', 0o600);
    const isOwn = () => lstatSync(next, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;
    let isDone = false;
    try {
      if (stat) accessSync(real, constants.W_OK);
      else checkPrivate(file, trusted);
      const read = () => (stat ? readPrivate(file, trusted) : Buffer.alloc(0));
      const before = read();
      const now = before.toString();
      if (!Buffer.from(now).equals(before)) throw new UsageError(`${file} is not UTF-8 text, so it stays as it is.`);
      const text = changed(now);
      if (text === now) return;
      writeFileSync(descriptor, text, { flush: true });
      fchmodSync(descriptor, stat ? statSync(real).mode & 0o777 : 0o600);
      const isOther = !before.equals(read()) || (!stat && lstatSync(file, { throwIfNoEntry: false }));
      if (isOther || !isOwn()) throw beingWritten(file);
      renameSync(next, real);
      isDone = true;
    } finally {
      // Once it has its name, the next session may have begun.
      if (!isDone && isOwn()) rmSync(next);
      closeSync(descriptor);
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isFaster = code === 'EEXIST' || (code === 'ENOENT' && syscall === 'rename');
    throw isFaster ? beingWritten(file) : notWritten(file, error);
  }
}
