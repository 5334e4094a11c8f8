import { constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateFile } from '../store/plans/planKeeper.ts';
import { reasonOf } from '../text/errno.ts';

/**
 * The file of a profile's plan in the state directory. Only its owner can read it; a write replaces it as a whole.
 */
export function openStateFile(directory: string, profile: string): StateFile & { path: string } {
  const file = join(directory, `plan-${encodeURIComponent(profile)}.json`);
  const { O_RDONLY, O_NOFOLLOW } = constants;
  return {
    path: file,
    read() {
      try {
        return readFileSync(file, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`${file} cannot be read: ${reasonOf(error)}.`);
      }
    },
    write(text) {
      try {
        replaceFile(file, text);
      } catch (error) {
        throw new Error(`${file} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}

/** Writes a file that only its owner can read, whole or not at all; makes its directory. Throws errors of the system. */
export function replaceFile(file: string, text: string): void {
  // Another session may write at the same time.
  const next = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
