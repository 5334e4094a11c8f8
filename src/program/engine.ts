import { setFlagsFromString } from 'node:v8';

/**
 * Memory is taken back early, rather than room kept for what may come: the rows of a large account change little. To
 * optimize a function once more takes memory for good, and a processor core in the moment in which rows arrive; the code
 * of the compilers below that, and of WebAssembly as it is first compiled, is fast enough to answer every key.
 */
const thrifty: Readonly<Record<string, boolean>> = {
  'optimize-for-size': true,
  turbofan: false,
  'wasm-tier-up': false,
  'wasm-dynamic-tiering': false,
};

const setFlag = (name: string, isOn: boolean): void => setFlagsFromString(isOn ? `--${name}` : `--no-${name}`);

/**
 * Node has its own modules in compiled form, and what was compiled of the program is kept, but either is used only as
 * long as the flags of V8 are those by default; they are turned round when everything is loaded.
 */
function setFlags(isThrifty: boolean): void {
  setFlag('flush-bytecode', true);
  for (const [name, isOn] of Object.entries(thrifty)) setFlag(name, isOn === isThrifty);
}

/** Nothing that was compiled is thrown away before it is kept. */
export const retainCompiled = (): void => setFlag('flush-bytecode', false);

/** From now on, memory is worth more than speed. */
export const saveMemory = (): void => setFlags(true);

/** Keeps what was compiled, marked as what is good under the flags by default. */
export function keepCompiled(keep: () => void): void {
  setFlags(false);
  keep();
  saveMemory();
}
