import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { reasonOf } from '../text/errno.ts';
import { modeText, UsageError } from './rules.ts';

/** Thrown where somebody else may have written or read a file; its message is a sentence that ends with the command that mends it. */
export class UnsafeFileError extends UsageError {
  /** Why, as a predicate: `belongs to another user (uid 1000)`. */
  readonly why: string;
  constructor(message: string, why: string) {
    super(message);
    this.why = why;
  }
}

/** A file that is trusted where its owner alone can have written it. */
export interface Trusted {
  /** Begins sentences: `The configuration`. */
  called: string;
  /** Follows what is wrong: `and it may name a program to run`. */
  because?: string;
  /** Nobody else may read it either. */
  isSecret?: boolean;
  /**
   * The user keeps it wherever they like: it may be a link, and root may be its owner, as in /etc. Any other file is the
   * program's, in a directory of its own.
   */
  isUsers?: boolean;
}

/** A reason not to trust a path, as a predicate, and the command that mends it. */
interface Flaw {
  why: string;
  mend: string;
}

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NONBLOCK, O_NOFOLLOW } = constants;
const writableByOthers = 0o022;
const openToOthers = 0o077;
/** Others may write in such a directory, but replace only what is theirs. */
const sticky = 0o1000;
const root = 0;

/** The user whose files are trusted; undefined on Windows, where nothing is checked. */
function ownUser(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid < 0 ? undefined : uid;
  } catch {
    // In containers a user may have no entry.
    return statSync('/proc/self', { throwIfNoEntry: false })?.uid;
  }
}

/**
 * Opens a file and checks owner, mode and directory, without waiting where it is a pipe.
 * Throws an UnsafeFileError, or the error of the system.
 * @param flags for opening; one that is made gets mode 0600
 * @param owner the user who runs the program
 */
export function openPrivate(file: string, trusted: Trusted, flags = O_RDONLY, owner = ownUser()): number {
  const descriptor = openSync(file, flags | O_NONBLOCK | (trusted.isUsers ? 0 : O_NOFOLLOW), 0o600);
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!stat.isFile()) throw new UnsafeFileError(`${trusted.called} ${file} is not a file.`, 'is not a regular file');
    if (owner !== undefined) checkOwned(file, stat, trusted, owner);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Opens a file for writing as `openPrivate` does, though none behind a link. Throws a UsageError where it cannot be written.
 * @param isNew there must be none yet; else what is written is appended
 */
export function openToWrite(file: string, trusted: Trusted, isNew: boolean): number {
  try {
    return openPrivate(file, trusted, O_CREAT | O_RDWR | O_NOFOLLOW | (isNew ? O_EXCL : O_APPEND));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = isThere ? 'the file is there already; name another one, or remove it' : reasonOf(error);
    throw new UsageError(`${trusted.called} ${file} cannot be written: ${why}.`);
  }
}

/**
 * Checks a file, where there is one, and its directory without opening it: closing it would end the locks that SQLite has
 * on it. Throws an UnsafeFileError.
 */
export function checkPrivate(file: string, trusted: Trusted, owner = ownUser()): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) {
    const why = stat.isSymbolicLink() ? 'is a symbolic link' : 'is not a file';
    refuse(file, trusted, { why, mend: `mv ${file} ${file}.aside` });
  }
  if (owner === undefined || !lstatSync(dirname(file), { throwIfNoEntry: false })) return;
  const own = stat && flawOf(file, stat, trusted, owner);
  refuse(file, trusted, own ?? folderFlaw(dirname(file), trusted.isUsers, owner));
}

/**
 * The content of a file that is opened by `openPrivate`, with the same errors.
 * @param room memory that it is read into, where that is enough
 */
export const readPrivate = (file: string, trusted: Trusted, owner?: number, room?: Buffer): Buffer =>
  readAndClose(openPrivate(file, trusted, O_RDONLY, owner), room);

/** Reads an open file to its end, into memory that is there already where that is enough. */
export function readAndClose(descriptor: number, room?: Buffer): Buffer {
  try {
    if (!room || fstatSync(descriptor).size > room.length) return readFileSync(descriptor);
    let length = 0;
    for (let more = 1; more > 0; length += more) more = readSync(descriptor, room, { offset: length });
    return room.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** Conditions on a file that a person names. */
interface NamedFile extends Omit<Trusted, 'isUsers'> {
  /** Anybody may have written it, as nothing follows from it that is not seen. */
  isAnybodys?: boolean;
  /** It must be UTF-8 as a whole; otherwise what is broken in it is replaced. */
  isStrict?: boolean;
  maxBytes?: number;
}

/** The text of a file that a person names. Throws a UsageError of one sentence, of which one about its owner tells what mends it. */
export function readNamed(file: string, { isAnybodys, isStrict, maxBytes, ...trusted }: NamedFile): string {
  const refusal = (why: string) => new UsageError(`${trusted.called} ${file} ${why}.`);
  try {
    const named = { ...trusted, isUsers: true };
    // With O_NONBLOCK a pipe opens at once, and is refused.
    const descriptor = isAnybodys ? openSync(file, O_RDONLY | O_NONBLOCK) : openPrivate(file, named);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) throw refusal('is not a file');
      if (maxBytes !== undefined && stat.size > maxBytes) throw refusal(`is larger than ${maxBytes / 2 ** 20} MiB`);
      return new TextDecoder('utf-8', { fatal: isStrict ?? false }).decode(readFileSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refusal(error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read: ${reasonOf(error)}`);
  }
}

function checkOwned(file: string, stat: Stats, trusted: Trusted, owner: number): void {
  const { isUsers } = trusted;
  refuse(file, trusted, flawOf(file, stat, trusted, owner) ?? folderFlaw(dirname(file), isUsers, owner));
  // Behind its links it lies in another directory.
  const real = isUsers ? realpathSync(file) : file;
  if (real !== file) refuse(file, trusted, folderFlaw(dirname(real), isUsers, owner));
}

/** Throws an UnsafeFileError where there is a flaw. */
function refuse(file: string, { called, because }: Trusted, flaw: Flaw | undefined): void {
  if (!flaw) return;
  const why = because === undefined ? flaw.why : `${flaw.why}, ${because}`;
  throw new UnsafeFileError(`${called} ${file} ${why}; run: ${flaw.mend}`, flaw.why);
}

/** A reason not to trust a file or a directory by itself. */
function flawOf(path: string, stat: Stats, { isSecret, isUsers }: Partial<Trusted>, owner: number): Flaw | undefined {
  const { uid, mode } = stat;
  if (uid !== owner && !(isUsers && uid === root))
    return { why: `belongs to another user (uid ${uid})`, mend: `chown ${owner} ${path}` };
  if (isSecret && mode & openToOthers)
    return { why: `can be read by others (mode ${modeText(mode)})`, mend: `chmod 600 ${path}` };
  if (mode & writableByOthers && !(isUsers && stat.isDirectory() && mode & sticky))
    return { why: `can be changed by others (mode ${modeText(mode)})`, mend: `chmod go-w ${path}` };
  return undefined;
}

/** A reason not to trust a directory: others could put another file in the place of one there. */
function folderFlaw(folder: string, isUsers: boolean | undefined, owner: number): Flaw | undefined {
  const stat = isUsers ? statSync(folder) : lstatSync(folder);
  const flaw = stat.isDirectory() ? flawOf(folder, stat, { isUsers }, owner) : linkFlaw(folder);
  return flaw && { ...flaw, why: `lies in ${folder}, which ${flaw.why}` };
}

const linkFlaw = (folder: string): Flaw => ({ why: 'is a symbolic link', mend: `rm ${folder}` });

/**
 * Makes a directory of the program for its owner alone, and closes one that others may look into.
 * Throws an error of the system, or an UnsafeFileError where it is a link or another user's.
 */
export function preparePrivate(folder: string, owner = ownUser()): void {
  makeFolder(folder);
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) refuse(folder, ownFolder, linkFlaw(folder));
  if (owner === undefined) return;
  if (stat.uid !== owner) refuse(folder, ownFolder, flawOf(folder, stat, ownFolder, owner));
  if (stat.mode & openToOthers) chmodSync(folder, 0o700);
}

/** Makes a directory for its owner alone, where there is none. Throws an error of the system. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isFile ? Object.assign(new Error(), { code: 'ENOTDIR' }) : error;
  }
}

const ownFolder: Trusted = { called: 'The directory' };
