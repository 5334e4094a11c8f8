import { access, constants, open, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { reasonOf } from '../text/errno.ts';

/**
 * Local files by typed paths.
 * @param home the directory that `~` stands for; without it `~` is an ordinary name
 */
export function openFiles(home: string | undefined) {
  const absolute = (path: string) =>
    resolve(home !== undefined && /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : path);
  return {
    resolve: absolute,

    async complete(path: string) {
      const typed = path.slice(path.lastIndexOf(sep) + 1);
      const before = path.slice(0, path.length - typed.length);
      const entries = await readdir(absolute(before || '.'), { withFileTypes: true }).catch(() => []);
      // Hidden files are offered only after a dot was typed.
      const matching = entries.filter(({ name }) => name.startsWith(typed) && (typed !== '' || !name.startsWith('.')));
      const named = await Promise.all(
        matching.map(async ({ name }) => ((await isFolder(absolute(before + name))) ? name + sep : name)),
      );
      const names = named.sort();
      return { path: names.length === 0 ? path : before + commonPrefix(names), names };
    },

    async look(path: string, count = 0) {
      const file = absolute(path);
      const found = await stat(file).catch((error: NodeJS.ErrnoException) => error.code);
      if (found === 'ENOENT') return { kind: 'nothing' as const, free: await isWritable(dirname(file)) };
      if (found === undefined || typeof found === 'string') return { kind: 'unreadable' as const };
      if (!found.isFile()) return { kind: found.isDirectory() ? ('directory' as const) : ('other' as const) };
      const start = await firstBytes(file, count).catch(() => undefined);
      const link = await readlink(file).catch(() => undefined);
      if (!start) return { kind: 'unreadable' as const };
      return { kind: 'file' as const, bytes: found.size, start, ...(link !== undefined && { isLink: true as const }) };
    },

    async read(path: string) {
      return new Uint8Array(await readFile(absolute(path)).catch(told(path, 'read')));
    },

    async save(path: string, text: string, isOver = false) {
      const file = absolute(path);
      const make = (to: string) => writeFile(to, text, { flag: 'wx', mode: 0o600, flush: true });
      await madeWhole(file, make, isOver).catch(async (error) =>
        told(path, 'written', await folderTrouble(file, error))(error),
      );
    },
  };
}

/**
 * Makes a file; on a disk that is full none is left that is there already the next time.
 * @param isOver it is made beside another one and put in its place: a link is replaced, and what it leads to stays
 */
async function madeWhole(file: string, make: (to: string) => Promise<void>, isOver: boolean): Promise<void> {
  const to = isOver ? `${file}.${Math.random().toString(36).slice(2)}.new` : file;
  try {
    await make(to);
    if (isOver) await rename(to, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isOver) await rm(to, { force: true }).catch(() => {});
    throw error;
  }
}

/** The first bytes of a file. Rejects when it cannot be read. */
async function firstBytes(file: string, count: number): Promise<readonly number[]> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
  return [...buffer.subarray(0, bytesRead)];
}

const isWritable = async (directory: string) => (await access(directory, constants.W_OK).catch(String)) === undefined;

function commonPrefix([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Why a file cannot be written where that is due to folders, as the end of a sentence. */
async function folderTrouble(file: string, { code }: NodeJS.ErrnoException): Promise<string | undefined> {
  if (code === 'EEXIST' && (await isFolder(file))) return 'it is a folder; name a file in it';
  let missing = dirname(file);
  if (code !== 'ENOENT' || (await isFolder(missing))) return undefined;
  while (!(await isFolder(dirname(missing)))) missing = dirname(missing);
  return `there is no folder ${missing}`;
}

const told = (path: string, done: 'read' | 'written', why?: string) => (error: unknown) => {
  throw new Error(`${path} cannot be ${done}: ${why ?? reasonOf(error)}.`);
};
