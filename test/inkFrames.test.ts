import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inkFrames } from '../scripts/inkFrames.ts';

interface Output {
  write(x: number, y: number, text: string, options: { transformers: readonly ((line: string) => string)[] }): void;
  clip(clip: { x1: number; x2: number }): void;
  unclip(): void;
  get(): { output: string; height: number };
}

const folder = join(dirname(fileURLToPath(import.meta.resolve('ink'))));

/** Ink's own class that makes a frame of what is written, from this source. */
async function outputFrom(source: string): Promise<new (size: { width: number; height: number }) => Output> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
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
  '\x1b[0m',
  '│',
);
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
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

test('a frame of remembered lines is the frame that Ink makes by itself', async () => {
  const source = await readFile(join(folder, 'output.js'), 'utf8');
  const patch = inkFrames.find(({ file }) => file.test(join(folder, 'output.js')));
  const [Ink, Patched] = await Promise.all([outputFrom(source), outputFrom(patch?.apply(source) ?? '')]);
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
