import { constants } from 'node:os';
import { join } from 'node:path';
import { loadProgram } from './program/compiled.ts';
import { cacheDirectory } from './program/directories.ts';

/** The oldest supported version of Node. */
const minNode = [22, 19] as const;

/** Modules of Node that every start needs, loaded while the child process starts. */
const modules = ['node:tty', 'node:timers/promises', 'node:fs/promises', 'node:http'];

// Without a listener Node would open a debugger, which any local process could use.
process.on('SIGUSR1', () => process.exit(128 + constants.signals.SIGUSR1));

// Node 22 warns of SQLite, in which state is kept, as an experiment; nobody at the screen can do anything about it.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};

// Set for this process alone.
delete process.env.MALLOC_MMAP_THRESHOLD_;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > minNode[0] || (major === minNode[0] && minor >= minNode[1])) {
  start(cacheDirectory(process.env))
    .catch(async (error) => (await import('./program/crash.ts')).reportCrash(process, error, []))
    .then(process.exit);
} else {
  process.stderr.write(
    `Skydeck needs Node ${minNode.join('.')} or newer, and this is ${process.versions.node}; install a newer one.\n`,
  );
  process.exitCode = 2;
}

async function start(cache: string): Promise<number> {
  // The demo API takes longer to load than the program.
  const child =
    process.argv.includes('--demo') && process.argv[2] !== 'complete'
      ? (await import('./program/demoProcess.ts')).loadDemoProcess(process.execPath, cache)
      : undefined;
  for (const name of modules) process.getBuiltinModule(name);
  const scriptOf = (name: string) => join(import.meta.dirname, name);
  const program = loadProgram(scriptOf(SKYDECK_PROGRAM), scriptOf(SKYDECK_REST), cache, process);
  const { run } = program.run() as typeof import('./program/run.ts');
  return run(process, { program: SKYDECK_PROGRAM, saveCache: program.saveCache, child });
}
