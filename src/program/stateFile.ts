import { join } from 'node:path';
import type { StateFile } from '../store/plans/planKeeper.ts';
import { reasonOf } from '../text/errno.ts';
import { readPrivate, replacePrivate, type Trusted, UnsafeFileError } from './privateFile.ts';

/** It is the program's, and its steps would be sent. */
const trustedPlan: Trusted = { called: 'The plan', because: 'and its steps would be sent', isSecret: true };

/**
 * The file of a profile's plan in the state directory. Only its owner can read it; a write replaces it as a whole.
 */
export function openStateFile(directory: string, profile: string): StateFile & { path: string } {
  const file = join(directory, `plan-${encodeURIComponent(profile)}.json`);
  return {
    path: file,
    read() {
      try {
        return readPrivate(file, trustedPlan).toString();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        if (error instanceof UnsafeFileError) throw error;
        throw new Error(`${file} cannot be read: ${reasonOf(error)}.`);
      }
    },
    write(text) {
      try {
        replacePrivate(file, text);
      } catch (error) {
        throw new Error(`${file} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}
