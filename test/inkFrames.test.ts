import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inkFrames } from '../scripts/inkFrames.ts';
import { singleCell } from '../src/components/cells.ts';

interface Output {
  write(x: number, y: number, text: string, options: { transformers: readonly ((line: string) => string)[] }): void;
  clip(clip: { x1: number; x2: number }): void;
  unclip(): void;
  get(): { output: string; height: number };
}

type OutputClass = new (size: { width: number; height: number }) => Output;

const folder = join(dirname(fileURLToPath(import.meta.resolve('ink'))));

/** Ink measures texts with it. */
const widestLine = createRequire(join(folder, 'index.js')).resolve('widest-line');

/** The default export of a module of this source, as if it lay there. */
async function defaultOf(source: string, resolveDir: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).default;
}

const piece = fc.constantFrom(
  'web',
  ' ',
  '   ',
  '中',
  '●',
  'é',
  '\x1b[32m',
  '\x1b[39m',
  '\x1b[7m',
  '\x1b[27m',
  '\x1b[90m',
  '\x1b[1m',
  '\x1b[2m',
  '\x1b[22m',
  '\x1b[0m',
  '│',
);
const colours = [
  ['\x1b[32m', '\x1b[39m'],
  ['\x1b[90m', '\x1b[39m'],
  ['\x1b[1m', '\x1b[22m'],
  ['\x1b[2m', '\x1b[22m'],
  ['\x1b[7m', '\x1b[27m'],
] as const;
/** As almost all texts of a screen are. */
const painted = fc
  .record({ text: fc.constantFrom('web', ' ', '│ ', '●'), colour: fc.constantFrom(...colours) })
  .map(({ text, colour: [begin, end] }) => `${begin}${text}${end}`);
const text = fc.array(fc.oneof(piece, painted), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
const write = fc.record({
  x: fc.integer({ min: -2, max: 25 }),
  y: fc.integer({ min: -1, max: 6 }),
  text: fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 1, arbitrary: fc.array(text).map((lines) => lines.join('\n')) },
  ),
  isMarked: fc.boolean(),
  isClipped: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** The default exports of a file: by itself, and with what is changed in it. */
async function bothOf(file: string): Promise<readonly unknown[]> {
  const source = await readFile(file, 'utf8');
  const patch = inkFrames.find((one) => one.file.test(file));
  return Promise.all([source, patch?.apply(source) ?? ''].map((text) => defaultOf(text, dirname(file))));
}

test('a frame of remembered lines is the frame that Ink makes by itself', async () => {
  const [Ink, Patched] = (await bothOf(join(folder, 'output.js'))) as readonly [OutputClass, OutputClass];
  fc.assert(
    fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
      const frames = [new Ink({ width: 24, height: 6 }), new Patched({ width: 24, height: 6 })].map((output) => {
        for (const { x, y, text, isMarked, isClipped } of writes) {
          if (isClipped) output.clip({ x1: 2, x2: 12 });
          output.write(x, y, text, { transformers: isMarked ? [(line) => `\x1b[1m${line}\x1b[22m`] : [] });
          if (isClipped) output.unclip();
        }
        return output.get();
      });
      expect(frames[1]).toEqual(frames[0]);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['cleans it', join(folder, 'sanitize-ansi.js')],
  ['measures it', widestLine],
])('what has a shorter way with simple text %s as before', async (_, file) => {
  const [long, short] = (await bothOf(file)) as readonly ((text: string) => unknown)[];
  const more = fc.constantFrom(
    '\n',
    '\t',
    '\x1b',
    '\x1b[2J',
    '\x1b[m',
    '\x1b[1;31m',
    '\u200b',
    '\u0301',
    '👩‍🚀',
    '\x07',
    '\x9b',
  );
  const any = fc.oneof(
    { weight: 5, arbitrary: piece },
    { weight: 1, arbitrary: more },
    { weight: 1, arbitrary: fc.string() },
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), (pieces) => {
      const written = pieces.join('');
      expect(short?.(written)).toEqual(long?.(written));
    }),
    { numRuns: 2000 },
  );
});

test('characters of one cell are measured as such', async () => {
  const [measure] = (await bothOf(widestLine)) as readonly ((text: string) => number)[];
  const wide = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => singleCell.test(character) && measure?.(character) !== 1,
  );
  expect(wide).toEqual([]);
});
