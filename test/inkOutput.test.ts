import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import InkOutput from '../node_modules/ink/build/output.js';
import Output from '../scripts/ink/output.ts';
import { marksOf, themeNamed } from '../src/components/theme.ts';
import { singleCell } from '../src/text/cells.ts';

const piece = fc.constantFrom(
  ...['web', ' ', '   ', '中', '●', 'é', '│', '👩‍🚀', '\u200b'],
  ...[
    '\x1b[32m',
    '\x1b[39m',
    '\x1b[7m',
    '\x1b[27m',
    '\x1b[90m',
    '\x1b[38;5;71m',
    '\x1b[1m',
    '\x1b[2m',
    '\x1b[22m',
    '\x1b[0m',
  ],
);
const colours = [
  ['\x1b[32m', '\x1b[39m'],
  ['\x1b[90m', '\x1b[39m'],
  ['\x1b[38;5;71m', '\x1b[39m'],
  ['\x1b[1m', '\x1b[22m'],
  ['\x1b[2m', '\x1b[22m'],
  ['\x1b[7m', '\x1b[27m'],
  ['\x1b[1m\x1b[32m', '\x1b[39m\x1b[22m'],
  ['\x1b[2m\x1b[90m', '\x1b[39m\x1b[22m'],
  ['\x1b[1m\x1b[38;5;71m', '\x1b[39m\x1b[22m'],
] as const;
/** As almost all texts of a screen are. */
const painted = fc
  .record({ text: fc.constantFrom('web', ' ', '│ ', '●'), colour: fc.constantFrom(...colours) })
  .map(({ text, colour: [begin, end] }) => `${begin}${text}${end}`);
/** A row with a background, and cells of a heat map. */
const tinted = fc
  .array(fc.constantFrom('\x1b[38;5;255mweb', '\x1b[38;2;1;2;3m● ', '\x1b[32mrunning', '\x1b[90m  '), {
    minLength: 1,
    maxLength: 5,
  })
  .map((pieces) => `\x1b[48;5;237m${pieces.join('')}\x1b[39m\x1b[49m`);
const shaded = fc
  .array(fc.constantFrom('\x1b[48;5;17m  ', '\x1b[48;5;18m ', '\x1b[48;2;9;8;7m   '), { minLength: 1, maxLength: 5 })
  .map((pieces) => `${pieces.join('')}\x1b[49m`);
const text = fc
  .array(fc.oneof(piece, painted, tinted, shaded), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''));
const lines = fc.array(text, { maxLength: 4 }).map((lines) => lines.join('\n'));
const edge = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined });
const clip = fc.record({ x1: edge(-2, 26), x2: edge(-2, 26), y1: edge(-2, 8), y2: edge(-2, 8) });

/** A text, or texts within a clip, in any nesting. */
type Step = Write | { clip: ReturnType<typeof clipOf>; steps: readonly Step[] };
type Write = { x: number; y: number; text: string; marks: number };
const clipOf = () => fc.sample(clip, 1)[0] as { x1?: number; x2?: number; y1?: number; y2?: number };

const write: fc.Arbitrary<Write> = fc.record({
  x: fc.integer({ min: -2, max: 25 }),
  y: fc.integer({ min: -2, max: 6 }),
  text: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: lines }),
  marks: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) }),
});
const { steps } = fc.letrec<{ step: Step; steps: readonly Step[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 10 }),
  step: fc.oneof(
    { weight: 12, arbitrary: write },
    { weight: 1, arbitrary: fc.record({ clip, steps: tie('steps') }) as fc.Arbitrary<Step> },
  ),
}));

const mark = (line: string, index: number) => `\x1b[1m${line}\x1b[22m${index}`;

function draw(output: InkOutput | Output, steps: readonly Step[]): void {
  for (const step of steps) {
    if ('clip' in step) {
      output.clip(step.clip as Parameters<InkOutput['clip']>[0]);
      draw(output, step.steps);
      output.unclip();
    } else {
      const { x, y, text, marks } = step;
      output.write(x, y, text, { transformers: Array.from({ length: marks }, () => mark) });
    }
  }
}

test('a frame is the one that Ink makes by itself, with any overlap, clip and nesting', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const size = { width: 24, height: 6 };
      const [own, ink] = [new Output(size), new InkOutput(size)];
      draw(own, steps);
      draw(ink, steps);
      expect(own.get()).toEqual(ink.get());
    }),
    { numRuns: 1000 },
  );
});

test('a frame is the same again when most of its lines are known', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 8 }), write, (writes, more) => {
      for (const steps of [writes, [...writes, more], writes]) {
        const [own, ink] = [new Output({ width: 24, height: 6 }), new InkOutput({ width: 24, height: 6 })];
        draw(own, steps);
        draw(ink, steps);
        expect(own.get()).toEqual(ink.get());
      }
    }),
    { numRuns: 300 },
  );
});

test('characters of one cell are measured as such', () => {
  const wide = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => singleCell.test(character) && stringWidth(character) !== 1,
  );
  expect(wide).toEqual([]);
});

test('all that the themes draw is measured without the tables of Unicode, which take 40 ms of a start to load', () => {
  const drawn = Object.values(marksOf(themeNamed('dark', 'unicode', true))).join('');
  expect(drawn).toContain('✓');
  expect(drawn.replaceAll(new RegExp(singleCell.source, 'g'), '')).toBe('');
});
