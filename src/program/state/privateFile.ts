import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkPrivate, preparePrivate, type Trusted, UnsafeFileError } from '../privateFile.ts';
import { StateError, stateError } from './failures.ts';

/** SQLite keeps these beside its file: what is written but not in it yet, and what sessions share of it. */
export const companions: readonly string[] = ['-wal', '-shm', '-journal'];

/** Its plans would be sent, and its rows shown. */
export const trustedState: Trusted = { called: 'The state', because: 'so nothing of it is used', isSecret: true };

/** Makes directory and file for their owner alone. Throws a StateError where they are not the owner's alone. */
export function prepare(file: string, owner: number | undefined): void {
  try {
    for (const name of ['', ...companions]) checkPrivate(`${file}${name}`, trustedState, owner);
    preparePrivate(dirname(file), owner);
    const { O_CREAT, O_EXCL, O_RDWR } = constants;
    // SQLite itself would make it readable by others.
    if (!lstatSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, O_CREAT | O_EXCL | O_RDWR, 0o600));
  } catch (error) {
    if (error instanceof UnsafeFileError) throw new StateError(error.message);
    // Another session may have made it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !lstatSync(file, { throwIfNoEntry: false })?.isFile())
      throw stateError(file, 'opened', error);
  }
}
