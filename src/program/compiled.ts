import { chmodSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** A script that is ready to run. */
export interface CompiledScript {
  /** Runs it, once, and answers what it exports. */
  run(): unknown;
  /** Keeps what V8 has compiled of it so far for the next time; absent where it is kept already or must not be. */
  saveCache?: () => Promise<void>;
}

/** The part of the process that a cache depends on; Windows knows no user ids. */
type Host = Pick<NodeJS.Process, 'version' | 'platform' | 'arch' | 'geteuid'>;

const checksumBytes = 4;
const writableByOthers = 0o022;

/**
 * A script with what V8 compiled of it before. Node's own compile cache leaves out the functions that are compiled
 * when they are first called, which are most of them. V8 checks neither who wrote the data nor whether it is whole: both
 * are checked here, and whatever is wrong is compiled again.
 * @param file `NAME-HASH.js`, of ASCII characters, which the build has wrapped in a function of CommonJS
 * @param directory where the data is kept, in a file for each NAME
 */
export function loadScript(file: string, directory: string, host: Host): CompiledScript {
  const build = `${basename(file, '.js')} ${host.version} ${host.platform} ${host.arch}`;
  const kept = join(directory, basename(file, '.js'));
  const owner = host.geteuid?.();
  const cachedData = readKept(kept, build, owner);
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
    return module.exports;
  };
  if (cachedData && !script.cachedDataRejected) return { run };
  return { run, saveCache: () => keep(kept, build, owner, script.createCachedData()) };
}

/** The data, followed by the checksum of its build and of itself. A checksum finds damage; the owner and the mode keep out forgeries. */
function readKept(file: string, build: string, owner: number | undefined): Buffer | undefined {
  try {
    const directory = lstatSync(dirname(file));
    if (!directory.isDirectory() || !isPrivate(directory, owner)) return undefined;
    const content = readPrivate(file, owner);
    const data = content?.subarray(0, -checksumBytes);
    return content && data && content.readUInt32LE(data.length) === checksumOf(data, build) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** A file that nobody else can have written; neither a symbolic link nor a pipe is followed. */
function readPrivate(file: string, owner: number | undefined): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() && isPrivate(stat, owner) ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

const isPrivate = ({ uid, mode }: { uid: number; mode: number }, owner: number | undefined): boolean =>
  owner === undefined || (uid === owner && (mode & writableByOthers) === 0);

const checksumOf = (data: Buffer, build: string): number => crc32(data, crc32(build));

/** Keeps what was compiled, in the place of what was compiled of other builds. What cannot be kept is compiled again. */
async function keep(file: string, build: string, owner: number | undefined, data: Buffer): Promise<void> {
  const directory = dirname(file);
  // Two programs may start at once; either finds a whole file or none.
  const unfinished = `${file}-${Math.random().toString(36).slice(2)}`;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stat = lstatSync(directory);
    // Nothing is changed in the directory of somebody else, nor where a symbolic link leads to.
    if (!stat.isDirectory() || (owner !== undefined && stat.uid !== owner)) return;
    if (!isPrivate(stat, owner)) chmodSync(directory, 0o700);
    await removeOthers(file);
    await write(unfinished, data, build);
    await rename(unfinished, file);
  } catch {
    // There is nobody to tell: it only takes longer the next time.
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

async function removeOthers(file: string): Promise<void> {
  const directory = dirname(file);
  const [name] = basename(file).split('-');
  for (const other of await readdir(directory)) {
    if (other.startsWith(`${name}-`)) await rm(join(directory, other), { force: true, recursive: true });
  }
}

async function write(file: string, data: Buffer, build: string): Promise<void> {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(checksumOf(data, build));
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writev([data, checksum]);
    // Else a power cut could leave the new name with none of the data.
    await handle.sync();
  } finally {
    await handle.close();
  }
}
