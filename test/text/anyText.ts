import fc from 'fast-check';

/** The code points that are halves of a pair, which stand for nothing alone. */
const halves = { from: 0xd800, count: 0x800 };

/**
 * Any character. It is that of fast-check's unit `binary`, which makes a table of all of them when it is first used: 0.9 s
 * of processor time and 100 MB in each worker.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - halves.count })
  .map((place) => String.fromCodePoint(place < halves.from ? place : place + halves.count));

/** A text of any characters; some are words that mean something to the language, as `__proto__`, which `string` brings. */
export const anyText = (length: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.string({ ...length, unit: anyCharacter }) },
    { weight: 1, arbitrary: fc.string({ ...length, unit: 'grapheme-ascii' }) },
  );
