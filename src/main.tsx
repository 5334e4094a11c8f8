#!/usr/bin/env node
import nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { cacheDirectory } from './program/directories.ts';

/** The oldest Node that has all that is used here. */
const oldestNode = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) {
  // Memory is taken back early, rather than room kept for what may come: the rows of a large account change little.
  setFlagsFromString('--optimize-for-size');
  // What is WebAssembly here parses answers and lays out a few boxes, fast enough as it is first compiled; to optimize the
  // one function of the parser takes 20 MB, and a processor core in the moment in which the first rows arrive.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  // What V8 compiled is kept for the next start. Only what is imported from now on has a part in it, hence so little here.
  nodeModule.enableCompileCache(cacheDirectory(process.env));
  const { run } = await import('./program/run.ts');
  process.exit(await run(process));
}
process.stderr.write(
  `Skydeck needs Node ${oldestNode.join('.')} or newer, and this is ${process.versions.node}; install a newer one.\n`,
);
process.exit(2);
