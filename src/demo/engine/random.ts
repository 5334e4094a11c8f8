/** A repeatable source of chance. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** True in this share of cases. */
  chance(share: number): boolean;
}

/** Mixes whole numbers into one of 32 bits, well spread. */
function mixed(...numbers: readonly number[]): number {
  let state = 0x9e3779b9;
  for (let place = 0; place < numbers.length; place++) {
    state = Math.imul(state ^ ((numbers[place] ?? 0) | 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

/** A number from 0 up to, but not including, 1 that depends on these whole numbers only. */
export const noise = (...numbers: readonly number[]): number => mixed(...numbers) / 4294967296;

/** A source of chance that these whole numbers determine. */
export function randomFrom(...numbers: readonly number[]): Random {
  let state = mixed(...numbers);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    chance: (share) => next() < share,
  };
}
