#!/usr/bin/env node
import { join } from 'node:path';
import { loadCompiled } from './program/compiled.ts';
import { cacheDirectory } from './program/directories.ts';

/** The oldest Node that has all that is used here. */
const oldestNode = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) {
  start(cacheDirectory(process.env)).then(process.exit);
} else {
  process.stderr.write(
    `Skydeck needs Node ${oldestNode.join('.')} or newer, and this is ${process.versions.node}; install a newer one.\n`,
  );
  process.exitCode = 2;
}

async function start(cache: string): Promise<number> {
  // What the demo API needs takes longer to load than the program.
  const child = process.argv.includes('--demo')
    ? (await import('./program/demoProcess.ts')).loadDemoProcess(process.execPath, cache)
    : undefined;
  // Node need not compile its own modules as long as the flags of V8 are those by default.
  for (const name of ['node:tty', 'node:timers/promises', 'node:http']) process.getBuiltinModule(name);
  const { exports, keep } = loadCompiled(join(import.meta.dirname, SKYDECK_PROGRAM), cache);
  const { run } = exports as typeof import('./program/run.ts');
  return run(process, { keep, child });
}
