import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { foundOrMade } from '../resources/memoize.ts';
import { attempt } from '../text/errno.ts';
import { isExecutable, openPart } from './parts.ts';
import { preparePrivate, readPrivate, type Trusted } from './privateFile.ts';

/** A script that is ready to run. */
export type CompiledScript = ReturnType<typeof loadScript>;

/**
 * The kinds of runs, by the functions that they need: one that prints a snapshot, a session that ends soon after its first
 * frame, and one that goes on. The last has all functions of the second.
 */
export type RunKind = 'printed' | 'short' | 'long';

/** The bits of the runs of which the compiled code is in a cache. */
const kindBits: Readonly<Record<RunKind, number>> = { printed: 0b001, short: 0b010, long: 0b110 };

/** The part of `process` that a cache depends on; on Windows there are no user ids. */
type Runtime = Pick<NodeJS.Process, 'version' | 'platform' | 'arch' | 'geteuid'>;

const checksumBytes = 4;

/** New memory costs a start more than what is read into it: the script and its compiled code share so many bytes, one after the other. */
const roomBytes = 2 ** 23;

/**
 * Loads a script with V8's code cache. Node's own compile cache leaves out functions that are compiled at their first
 * call, which are most of them. V8 checks neither the owner nor the integrity of the data: both are checked here, and an
 * invalid cache is ignored.
 * @param file `NAME-HASH.js`, of ASCII characters, which the build has wrapped in a function of CommonJS
 * @param directory of the cache, which has a file for each NAME
 * @param read of the file, where it is open already
 */
export function loadScript(file: string, directory: string, runtime: Runtime, read = openPart(file)) {
  const build = `${basename(file, '.js')} ${runtime.version} ${runtime.platform} ${runtime.arch}`;
  const cacheFile = join(directory, basename(file, '.js'));
  const owner = runtime.geteuid?.();
  const room = Buffer.allocUnsafeSlow(roomBytes);
  const source = read(room).toString('latin1');
  // The last byte tells of which runs it is.
  const cached = readCache(cacheFile, build, owner, room);
  const cachedData = cached?.subarray(0, -1);
  const script = new Script(source, {
    filename: file,
    cachedData: cachedData ?? (isExecutable ? openPart(`${file}.compiled`)() : undefined),
  });
  /** Runs it, once, and returns its exports; what it requires is first asked for here. */
  const run = (required: (id: string) => object | undefined = () => undefined) => {
    const module = { exports: {} };
    const others = createRequire(file);
    const require = (id: string) => required(id) ?? others(id);
    script.runInThisContext()(module.exports, require, module, file, dirname(file));
    return module.exports;
  };
  let saved = script.cachedDataRejected ? 0 : (cached?.at(-1) ?? 0);
  let saving: Promise<void> = Promise.resolve();
  let isEnding = false;
  return {
    run,
    /** Whether the cache has what runs of this kind need. */
    isSaved: (kind: RunKind) => (saved | kindBits[kind]) === saved,
    /**
     * Saves the code that V8 has compiled so far for the next start, where the cache lacks what runs of this kind need.
     * Resolves when nothing is being written any more, nor will be where the kind is one that ends; never rejects.
     */
    saveCache(kind: RunKind) {
      const all = saved | kindBits[kind];
      if (all !== saved && !isEnding) {
        saved = all;
        const data = Buffer.concat([script.createCachedData(), Buffer.of(all)]);
        saving = saving.then(() => saveCache(cacheFile, build, owner, data));
      }
      isEnding ||= kind !== 'long';
      return saving;
    },
  };
}

/** The exports of a module, by their names. */
type Exports = Record<PropertyKey, unknown>;

/**
 * Loads the program, which is two scripts: a start needs the first one, and the rest is loaded when something of it is first
 * taken. Where the first one imports a module of the rest it gets an object that is filled when a property is first read;
 * it fills the objects of its own modules, when the rest imports them, by the functions of its export `shared`.
 */
export function loadProgram(startFile: string, restFile: string, ...given: [directory: string, NodeJS.Process]) {
  const readRest = openPart(restFile);
  const start = loadScript(startFile, ...given);
  let fillShared: readonly (() => void)[] = [];
  let rest: { script: CompiledScript; modules: readonly (() => Exports)[] } | undefined;
  const known = new Map<string, Exports>();
  /** The prototype of the modules of the rest that are not filled yet. */
  const filling = new Proxy<Exports>({}, { get: (_, name, module: Exports) => fill(module)[name] });

  const moduleOf = (id: string): Exports =>
    foundOrMade(known, id, () => (id.startsWith('rest:') ? Object.create(filling) : { __esModule: true }));

  function fill(module: Exports): Exports {
    const [id = ''] = [...known].find(([, one]) => one === module) ?? [];
    // Modules may import one another.
    Object.setPrototypeOf(module, null);
    return Object.assign(module, restModule(id));
  }

  const restModule = (id: string) => loadRest().modules[placeIn(id)]?.();

  function loadRest() {
    if (rest) return rest;
    const script = loadScript(restFile, ...given, readRest);
    const modules = script.run((id) => {
      if (!id.startsWith('start:')) return undefined;
      fillShared[placeIn(id)]?.();
      return moduleOf(id);
    });
    rest = { script, modules: modules as readonly (() => Exports)[] };
    return rest;
  }

  return {
    /** Runs the first script, once, and returns its exports. */
    run() {
      const exports = start.run((id) => {
        if (id.startsWith('rest now:')) return restModule(id);
        return /^(?:rest|start):/.test(id) ? moduleOf(id) : undefined;
      });
      fillShared = (exports as { shared: typeof fillShared }).shared;
      return exports;
    },
    /** Saves the compiled code of both scripts, as `loadScript` does. A session that goes on has the rest from then on. */
    async saveCache(kind: RunKind): Promise<void> {
      if (kind === 'long' || !start.isSaved(kind)) loadRest();
      await Promise.all([start.saveCache(kind), rest?.script.saveCache(kind)]);
    },
  };
}

/** The place that ends an id, as in `rest:12`. */
const placeIn = (id: string): number => Number(id.slice(id.indexOf(':') + 1));

/** Its code is run. */
const trustedCache: Trusted = { called: 'The compiled code' };

/** Reads a cache by its file and all that it depends on; undefined where it is missing or invalid. The data is followed by the checksum of its build and of itself. Owner and mode keep out forgeries. */
export const readCache = (file: string, build: string, owner: number | undefined, room?: Buffer): Buffer | undefined =>
  attempt(() => {
    const content = readPrivate(file, trustedCache, owner, room);
    const data = content.subarray(0, -checksumBytes);
    return content.readUInt32LE(data.length) === checksumOf(data, build) ? data : undefined;
  });

const checksumOf = (data: Buffer, build: string): number => crc32(data, crc32(build));

/** Saves the cache and removes that of other builds. Never rejects. */
export async function saveCache(file: string, build: string, owner: number | undefined, data: Buffer): Promise<void> {
  const directory = dirname(file);
  // Renamed when it is complete: two programs may start at once.
  const unfinished = `${file}-${Math.random().toString(36).slice(2)}`;
  try {
    preparePrivate(directory, owner);
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(checksumOf(data, build));
    // Not flushed, a power cut could leave an empty file under the new name.
    await writeFile(unfinished, [data, checksum], { mode: 0o600, flag: 'wx', flush: true });
    await rename(unfinished, file);
    const [name] = basename(file).split('-');
    for (const other of await readdir(directory)) {
      const isOld = other.startsWith(`${name}-`) && other !== basename(file);
      if (isOld) await rm(join(directory, other), { force: true, recursive: true });
    }
  } catch {
    // Without a cache the next start only takes longer.
    await rm(unfinished, { force: true }).catch(() => {});
  }
}
