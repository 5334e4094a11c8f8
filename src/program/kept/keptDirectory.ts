import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment } from '../../terminal/capabilities.ts';
import { hour } from '../../text/times.ts';
import { stateDirectory } from '../directories.ts';

/** The directory of the kept lists: like the audit log they tell of an account. */
export const keptDirectory = (env: Environment): string => join(stateDirectory(env), 'kept');

/** Of the kept lists of all accounts. */
const maxTotalBytes = 32 * 2 ** 20;

/** An unfinished file that is older was left by a session that was ended. */
const maxUnfinishedMs = hour;

const suffix = '.kept';

/** A file of the directory. */
export interface DirectoryFile {
  file: string;
  bytes: number;
  writtenAt: number;
}

/** Replaces a file of kept lists as a whole; the oldest ones go where all are too large. Rejects with errors of the system. */
export async function writeKept(file: string, owner: number | undefined, content: readonly Buffer[]): Promise<void> {
  const directory = dirname(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  // Nothing is written in another user's directory, or behind a symbolic link.
  if (!found.isDirectory() || (owner !== undefined && found.uid !== owner)) return;
  if (found.mode & 0o077) chmodSync(directory, 0o700);
  // Renamed when it is complete: several sessions may write at once.
  const unfinished = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      // Without it a power cut could leave an empty file under the new name.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await removeOldest(directory, file);
}

/** Removes a file of kept lists, where there is one and it can be. */
export const removeKept = (file: string): Promise<void> => rm(file, { force: true }).catch(() => {});

async function removeOldest(directory: string, latest: string): Promise<void> {
  let left = maxTotalBytes;
  const files = await filesIn(directory, () => true);
  for (const { file, bytes, writtenAt } of files.toSorted((one, other) => other.writtenAt - one.writtenAt)) {
    const isLeftover = !file.endsWith(suffix) && Date.now() - writtenAt > maxUnfinishedMs;
    left -= bytes;
    if (file !== latest && (isLeftover || left < 0)) await rm(file, { force: true });
  }
}

/** The files of kept lists. Rejects with errors of the system. */
export const keptFiles = (directory: string): Promise<readonly DirectoryFile[]> =>
  filesIn(directory, (name) => name.endsWith(suffix));

async function filesIn(directory: string, isWanted: (name: string) => boolean): Promise<readonly DirectoryFile[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    names.filter(isWanted).map(async (name) => {
      const file = join(directory, name);
      const stats = await stat(file).catch(() => undefined);
      return stats ? [{ file, bytes: stats.size, writtenAt: stats.mtimeMs }] : [];
    }),
  );
  return found.flat();
}
