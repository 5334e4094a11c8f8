import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** A script that is ready to run. */
export interface Compiled {
  /** Runs it, once, and answers what it exports. */
  run(): unknown;
  /** Keeps what V8 has compiled of it so far for the next time; absent where that is kept already. */
  keep?: () => void;
}

/**
 * A script with what V8 compiled of it before. Node's own compile cache leaves out the functions that are compiled
 * when they are first called, which are most of them.
 * @param file `NAME-HASH.js`, of ASCII characters, which the build has wrapped in a function of CommonJS
 * @param directory where that is kept: the user's own, because what lies there is run. Other Nodes ignore it
 */
export function loadCompiled(file: string, directory: string): Compiled {
  const kept = join(directory, basename(file, '.js'));
  const cachedData = contentOf(kept);
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
    return module.exports;
  };
  if (cachedData && !script.cachedDataRejected) return { run };
  return { run, keep: () => keep(kept, script.createCachedData()) };
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps what was compiled, in the place of what was compiled of other builds. What cannot be kept is compiled again. */
function keep(file: string, compiled: Buffer): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceOthers(file, compiled);
  } catch {
    // There is nobody to tell: it only takes longer the next time.
  }
}

function replaceOthers(file: string, compiled: Buffer): void {
  const directory = dirname(file);
  const [name] = basename(file).split('-');
  for (const other of readdirSync(directory)) {
    if (other.startsWith(`${name}-`)) rmSync(join(directory, other), { force: true });
  }
  // Two programs may start at once; either finds a whole file or none.
  const unfinished = `${file}-${Math.random().toString(36).slice(2)}`;
  writeFileSync(unfinished, compiled, { mode: 0o600 });
  renameSync(unfinished, file);
}
