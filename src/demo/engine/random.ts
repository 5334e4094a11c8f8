/** Mixes a whole number into one of 32 bits, well spread. */
function stirred(before: number, number: number): number {
  const first = Math.imul(before ^ (number | 0), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return second ^ (second >>> 16);
}

/** A number from 0 up to, but not including, 1 that depends on these only; graphs ask for so many that no list is made. */
export function noise(first: number, second: number, third?: number): number {
  const state = stirred(stirred(0x9e3779b9, first), second);
  return ((third === undefined ? state : stirred(state, third)) >>> 0) / 4294967296;
}

/** A source of chance that can be repeated: these whole numbers determine it. */
export function randomFrom(...numbers: readonly number[]) {
  let state = numbers.reduce(stirred, 0x9e3779b9) >>> 0;
  /** A number from 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    /** A whole number from `min` to `max`, both included. */
    integer: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    pick: <T>(choices: readonly [T, ...T[]]): T => choices[Math.floor(next() * choices.length)] ?? choices[0],
    /** True in this share of cases. */
    chance: (share: number) => next() < share,
  };
}

export type Random = ReturnType<typeof randomFrom>;

/** An identifier of the form 8-4-4-4-12 that the numbers determine. */
export function uuidFrom(...numbers: readonly number[]): string {
  const random = randomFrom(...numbers);
  return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => random.integer(0, 15).toString(16));
}
