import { constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFile } from '../store/problems/acknowledgements.ts';
import { reasonOf } from '../text/errno.ts';

/**
 * The file of a profile's acknowledged problems in the state directory. Only its owner can read it; a write replaces it
 * as a whole.
 */
export function openStateFile(directory: string, profile: string): StateFile {
  const file = join(directory, `acknowledged-${encodeURIComponent(profile)}.json`);
  const { O_RDONLY, O_NOFOLLOW } = constants;
  return {
    read() {
      try {
        return readFileSync(file, { encoding: 'utf8', flag: O_RDONLY | O_NOFOLLOW });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`${file} cannot be read: ${reasonOf(error)}.`);
      }
    },
    write(text) {
      // Another session may write at the same time.
      const next = `${file}.${Math.random().toString(36).slice(2)}`;
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
        renameSync(next, file);
      } catch (error) {
        rmSync(next, { force: true });
        throw new Error(`${file} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}
