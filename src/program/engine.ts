import { setFlagsFromString } from 'node:v8';

type Flags = Readonly<Record<string, boolean | number>>;

/**
 * The flags that are changed below, as V8 has them by default. Node has its own modules in compiled form, and what was compiled of
 * the program is kept, but either is used only under these: they are changed when that is loaded.
 */
const usual: Flags = {
  'flush-bytecode': true,
  'semi-space-growth-factor': 2,
  'optimize-for-size': false,
  'heap-growing-percent': 0,
  turbofan: true,
  'wasm-tier-up': true,
  'wasm-dynamic-tiering': true,
};

/**
 * Room for what a start makes, at once: it is filled bit by bit otherwise, emptied each time, and when little was found
 * to be waste, all that was made is looked through before the first frame.
 */
const hasty: Flags = { 'semi-space-growth-factor': 4 };

/**
 * Memory is taken back early, rather than room kept for what may come: the rows of a large account change little. To
 * optimize a function once more takes memory for good, and a processor core in the moment in which rows arrive; the code
 * of the compilers below that, and of WebAssembly as it is first compiled, is fast enough to answer every key. Garbage may
 * be half as much as what is in use before all of that is looked through: with less, a small account costs more processor
 * time for that than for all else.
 */
const thrifty: Flags = {
  'optimize-for-size': true,
  'heap-growing-percent': 50,
  'semi-space-growth-factor': 1,
  turbofan: false,
  'wasm-tier-up': false,
  'wasm-dynamic-tiering': false,
};

function setFlags(flags: Flags): void {
  for (const [name, value] of Object.entries({ ...usual, ...flags })) {
    const isSwitch = typeof value === 'boolean';
    setFlagsFromString(isSwitch ? `--${value ? '' : 'no-'}${name}` : `--${name}=${value}`);
  }
}

/** Until further notice, speed is worth more than memory. Whatever was kept in compiled form is to be loaded by now. */
export const startFast = (): void => setFlags(hasty);

/** Nothing that was compiled is thrown away before it is kept. */
export const retainCompiled = (): void => setFlags({ 'flush-bytecode': false });

/** From now on, memory is worth more than speed. */
export const saveMemory = (): void => setFlags(thrifty);

/** Keeps what was compiled, marked as what is good under the flags by default. */
export function keepCompiled(keep: () => Promise<void>): void {
  setFlags({});
  // The data is made at once; only the disk is waited for.
  void keep();
  saveMemory();
}
