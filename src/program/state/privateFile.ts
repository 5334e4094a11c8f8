import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { modeText } from '../rules.ts';
import { StateError, stateError } from './failures.ts';

/** SQLite keeps these beside its file: what is written but not in it yet, and what sessions share of it. */
export const companions: readonly string[] = ['-wal', '-shm', '-journal'];

/** Makes directory and file for their owner alone. Throws a StateError where they are not the owner's alone. */
export function prepare(directory: string, file: string, owner: number | undefined): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const found = lstatSync(directory);
    if (found.isSymbolicLink()) throw refused(directory, 'is a symbolic link');
    checkOwner(directory, found, owner);
    if (owner !== undefined && found.mode & 0o022)
      throw refused(directory, `can be written by others (mode ${modeText(found.mode)})`, `run chmod 700 ${directory}`);
    // Nobody else could have put anything there.
    if (owner !== undefined && found.mode & 0o077) chmodSync(directory, 0o700);
    for (const name of ['', ...companions]) checkFile(`${file}${name}`, owner);
    const { O_CREAT, O_EXCL, O_RDWR } = constants;
    // SQLite itself would make it readable by others.
    if (!isThere(file)) closeSync(openSync(file, O_CREAT | O_EXCL | O_RDWR, 0o600));
  } catch (error) {
    if (error instanceof StateError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw stateError(file, 'opened', error);
    // Another session has made it at the same time.
    checkFile(file, owner);
  }
}

function checkFile(file: string, owner: number | undefined): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isFile()) throw refused(file, found.isSymbolicLink() ? 'is a symbolic link' : 'is not a regular file');
  checkOwner(file, found, owner);
  if (owner !== undefined && found.mode & 0o077)
    throw refused(file, `is open to others (mode ${modeText(found.mode)})`, `run chmod 600 ${file}`);
}

/** Larger files are not read. */
const maxBytes = 32 * 2 ** 20;

/** The text of a file that nobody else can have read or written. Throws a StateError for any other, and errors of the system. */
export function readPrivate(file: string, owner: number | undefined): string {
  checkFile(file, owner);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (fstatSync(descriptor).size > maxBytes) throw refused(file, 'is too large');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function checkOwner(path: string, { uid }: Stats, owner: number | undefined): void {
  if (owner !== undefined && uid !== owner) throw refused(path, 'belongs to somebody else');
}

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

const refused = (path: string, why: string, way = 'remove it'): StateError =>
  new StateError(`${path} ${why}, so nothing of it is believed; ${way}.`);
