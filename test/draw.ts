/**
 * The seed of everything that tests draw at random, which `SKYDECK_SEED` sets; `SKYDECK_ALL=1` takes all where a part is drawn.
 * It is the same in all files of a run and stands in the names of those tests.
 */
export const seed = Number(process.env.SKYDECK_SEED);

/** Numbers from 0 to 1 (mulberry32), begun by the seed of the run and the name of what is drawn. */
export function drawing(name: string, from = seed): () => number {
  let state = from >>> 0;
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these values. */
export function drawn<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to draw from.');
  return value;
}

/**
 * One of so many equal parts of these values, another one by each seed, and never none of several; all of them where
 * `SKYDECK_ALL` is set. For what is dear, and proved of each value by itself.
 */
export function someOf<T>(name: string, values: readonly T[], parts: number): readonly T[] {
  if (process.env.SKYDECK_ALL) return values;
  const part = Math.floor(drawing(name)() * Math.min(parts, values.length));
  return values.filter((_value, index) => index % parts === part);
}
