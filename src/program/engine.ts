import { setFlagsFromString } from 'node:v8';

/**
 * Node has its own modules in compiled form, and what was compiled of the program is kept, but either is used only as
 * long as the flags of V8 are those by default; others are set when everything is loaded.
 */
function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

/** Nothing that was compiled is thrown away before it is kept. */
export const retainCompiled = (): void => setFlags(['--no-flush-bytecode']);

/**
 * Memory is taken back early, rather than room kept for what may come: the rows of a large account change little. To
 * optimize a function once more takes memory for good, and a processor core in the moment in which rows arrive; the code
 * of the compilers below that, and of WebAssembly as it is first compiled, is fast enough to answer every key.
 */
export const saveMemory = (): void =>
  setFlags([
    '--flush-bytecode',
    '--optimize-for-size',
    '--no-turbofan',
    '--no-wasm-tier-up',
    '--no-wasm-dynamic-tiering',
  ]);

/** Keeps what was compiled, marked as what is good under the flags by default. */
export function keepCompiled(keep: () => void): void {
  setFlags(['--flush-bytecode', '--no-optimize-for-size', '--turbofan', '--wasm-tier-up', '--wasm-dynamic-tiering']);
  keep();
  saveMemory();
}
