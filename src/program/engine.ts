import { setFlagsFromString } from 'node:v8';

/**
 * Node has its own modules in compiled form, and what was compiled of the program is kept, but either is used only as
 * long as the flags of V8 are those by default; they are set when everything is loaded.
 */
const setFlags = (flags: readonly string[]): void => flags.forEach(setFlagsFromString);

const byDefault = [
  '--flush-bytecode',
  '--semi-space-growth-factor=2',
  '--no-optimize-for-size',
  '--wasm-tier-up',
  '--wasm-dynamic-tiering',
];

/** Room at once for all that comes before the first rows, instead of collecting garbage; what was compiled stays. */
export const makeRoom = (): void => setFlags(['--no-flush-bytecode', '--semi-space-growth-factor=8']);

/**
 * Memory is taken back early, rather than room kept for what may come: the rows of a large account change little. What is
 * WebAssembly here parses answers and lays out a few boxes, fast enough as it is first compiled; to optimize the one
 * function of the parser takes 20 MB, and a processor core in the moment in which the first rows arrive.
 */
export const saveMemory = (): void =>
  setFlags([
    '--flush-bytecode',
    '--semi-space-growth-factor=2',
    '--optimize-for-size',
    '--no-wasm-tier-up',
    '--no-wasm-dynamic-tiering',
  ]);

/** Keeps what was compiled, marked as what is good under the flags by default. */
export function keepCompiled(keep: () => void): void {
  setFlags(byDefault);
  keep();
  saveMemory();
}
