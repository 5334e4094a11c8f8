import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPainter } from '../../src/terminal/painter.ts';

interface Size {
  columns: number;
  rows: number;
}

/** A terminal on the alternate screen, as the program uses it: there a resize does not wrap lines anew. */
function newTerminal({ columns, rows }: Size): xterm.Terminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  terminal.write('\x1b[?1049h');
  return terminal;
}

const written = (terminal: xterm.Terminal, bytes: string) => new Promise<void>((done) => terminal.write(bytes, done));

/** Every cell of a terminal: what it shows and how it looks; what does not show on a blank is left out. */
function cellsOf(terminal: xterm.Terminal): readonly string[] {
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
    return Array.from({ length: terminal.cols }, (_, column) => {
      const cell = line?.getCell(column);
      if (!cell) return '?';
      const shape = [
        cell.isInverse(),
        cell.isUnderline(),
        cell.isStrikethrough(),
        cell.getBgColorMode(),
        cell.getBgColor(),
      ];
      const text = cell.getWidth() === 0 ? '<' : cell.getChars() || ' ';
      const ink = [cell.getFgColorMode(), cell.getFgColor(), cell.isBold(), cell.isDim(), cell.isItalic()];
      return `${text}${shape.map(Number).join(',')}${text === ' ' ? '' : `|${ink.map(Number).join(',')}`}`;
    }).join(' ');
  });
}

const sgr = [
  '1',
  '2',
  '3',
  '4',
  '7',
  '9',
  '22',
  '23',
  '24',
  '27',
  '29',
  '0',
  '31',
  '92',
  '39',
  '44',
  '103',
  '49',
  '38;5;9',
  '38;2;1;2;3',
  '48;5;200',
  '1;36',
];
const words = [
  'web-1',
  'running',
  ' ',
  '   ',
  'x',
  '中文',
  '●',
  '⚠️',
  'é',
  '👩‍👩‍👧',
  '𝅘𝅥𝅲',
  '│',
  '─────',
  'a b',
  '192.0.2.1',
  '한',
];
// Terminals differ in how wide these are, so what they show cannot be compared with what a line alone shows.
const composed = /[\u200d\ufe0f\u0301\u{1d165}]/u;
const lineFrom = (from: readonly string[]) => {
  const piece = fc.oneof(
    fc.constantFrom(...from),
    fc.constantFrom(...sgr).map((code) => `\x1b[${code}m`),
  );
  // As Ink writes them: every line ends in the default style.
  return fc.array(piece, { maxLength: 14 }).map((pieces) => `${pieces.join('')}\x1b[0m`);
};
const line = lineFrom(words);
const plainLine = lineFrom(words.filter((word) => !composed.test(word)));
const size = fc.record({ columns: fc.integer({ min: 8, max: 40 }), rows: fc.integer({ min: 3, max: 14 }) });

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), row: fc.nat(13), line }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('scroll' as const),
      by: fc.integer({ min: -5, max: 5 }),
      top: fc.nat(4),
      fresh: fc.array(line, { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      lines: fc.array(line, { minLength: 3, maxLength: 14 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize' as const), size }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The lines of the next frame. */
function after(lines: readonly string[], change: Step): readonly string[] {
  if (change.kind === 'change') return lines.map((text, row) => (row === change.row ? change.line : text));
  if (change.kind === 'replace') return change.lines;
  if (change.kind === 'resize') return lines;
  const band = lines.slice(change.top);
  const moved =
    change.by >= 0 ? [...band.slice(change.by), ...change.fresh] : [...change.fresh.slice(change.by), ...band];
  return [...lines.slice(0, change.top), ...moved].slice(0, lines.length);
}

describe('the screen writer', () => {
  test('shows after any frames what the last one shows alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        size,
        fc.array(line, { minLength: 3, maxLength: 14 }),
        fc.array(step, { maxLength: 12 }),
        async (first, start, steps) => {
          let now = first;
          let lines: readonly string[] = start;
          const painter = createPainter();
          const terminal = newTerminal(now);
          await written(terminal, painter.paint(lines.join('\n'), now));
          for (const change of steps) {
            if (change.kind === 'resize') {
              now = change.size;
              terminal.resize(now.columns, now.rows);
            }
            lines = after(lines, change);
            await written(terminal, painter.paint(lines.join('\n'), now));
            const alone = newTerminal(now);
            await written(alone, createPainter().paint(lines.join('\n'), now));
            expect(cellsOf(terminal)).toEqual(cellsOf(alone));
            alone.dispose();
          }
          terminal.dispose();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('shows a frame as a terminal shows its lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plainLine, { minLength: 3, maxLength: 10 }), async (lines) => {
        const wide = { columns: 120, rows: lines.length };
        const [painted, plain] = [newTerminal(wide), newTerminal(wide)];
        await written(painted, createPainter().paint(lines.join('\n'), wide));
        await written(plain, lines.join('\r\n'));
        expect(cellsOf(painted)).toEqual(cellsOf(plain));
      }),
      { numRuns: 100 },
    );
  });

  const size160 = { columns: 160, rows: 50 };
  const rowOf = (index: number, isCurrent = false) =>
    `${isCurrent ? '\x1b[36m❯\x1b[39m' : ' '}  \x1b[32m● running\x1b[39m  ${`web-${index}`.padEnd(20)}  192.0.2.${index % 250}  us-east  g6-standard-2  4 GiB`.padEnd(
      150,
    );
  const frameOf = (top: number, cursor: number) =>
    ['title', 'head', ...Array.from({ length: 47 }, (_, row) => rowOf(top + row, top + row === cursor)), 'footer'].join(
      '\n',
    );

  test('says nothing when nothing changed', () => {
    const painter = createPainter();
    painter.paint(frameOf(0, 3), size160);
    expect(painter.paint(frameOf(0, 3), size160)).toBe('');
  });

  test('moves the cursor of a list with a few bytes, and scrolls it with little more', () => {
    const painter = createPainter();
    painter.paint(frameOf(0, 46), size160);
    expect(painter.paint(frameOf(0, 45), size160).length).toBeLessThan(60);
    painter.paint(frameOf(0, 46), size160);
    expect(painter.paint(frameOf(1, 47), size160).length).toBeLessThan(240);
  });

  const tint = { foreground: '38;5;255', background: '48;5;237' };
  const tinted = (text: string) => `\x1b[48;5;237m\x1b[38;5;255m${text}\x1b[39m\x1b[49m`;
  /** The list with a tinted row under the cursor; its label is inverse. */
  const tintedFrame = (top: number, cursor: number) =>
    Array.from({ length: 48 }, (_, row) => {
      const [index, label] = [top + row, `web-${top + row}`.padEnd(12)];
      const rest = `  192.0.2.${index % 250}  us-east`.padEnd(145);
      return index === cursor
        ? `${tinted('❯  ')}\x1b[7m${label}\x1b[27m${tinted(rest)}`
        : `   ${label}${rest}`.trimEnd();
    }).join('\n');

  test('tints a row only when the screen rests, and the cursor costs as little as without', async () => {
    const painter = createPainter({ tintOf: () => tint });
    const terminal = newTerminal(size160);
    await written(terminal, painter.paint(tintedFrame(0, 3), size160) + painter.settle());
    for (const cursor of [4, 5, 4]) {
      const moved = painter.paint(tintedFrame(0, cursor), size160);
      expect(moved).not.toContain(tint.background);
      expect(moved.length).toBeLessThanOrEqual(46);
      expect(painter.isMoving()).toBe(true);
      await written(terminal, moved);
    }
    const settled = painter.settle();
    expect(settled.length).toBeLessThan(460);
    await written(terminal, settled);
    const alone = newTerminal(size160);
    await written(alone, createPainter().paint(tintedFrame(0, 4), size160));
    expect(cellsOf(terminal)).toEqual(cellsOf(alone));
    expect(painter.settle()).toBe('');
  });

  test('scrolls a resting list around the tinted row, so that nothing follows, and a held key with all rows', async () => {
    for (const [from, first] of [
      [0, 47],
      [10, 10],
    ] as const) {
      const by = first > from ? 1 : -1;
      const painter = createPainter({ tintOf: () => tint });
      const terminal = newTerminal(size160);
      await written(terminal, painter.paint(tintedFrame(from, first), size160) + painter.settle());
      const once = painter.paint(tintedFrame(from + by, first + by), size160);
      expect(once.length).toBeLessThan(110);
      expect(painter.isMoving()).toBe(true);
      await written(terminal, once);
      const alone = newTerminal(size160);
      await written(alone, createPainter().paint(tintedFrame(from + by, first + by), size160));
      expect(cellsOf(terminal)).toEqual(cellsOf(alone));
      const held = painter.paint(tintedFrame(from + 2 * by, first + 2 * by), size160);
      expect(held).not.toContain(tint.background);
      await written(terminal, held + painter.settle());
      expect(painter.settle()).toBe('');
      const end = newTerminal(size160);
      await written(end, createPainter().paint(tintedFrame(from + 2 * by, first + 2 * by), size160));
      expect(cellsOf(terminal)).toEqual(cellsOf(end));
    }
  });

  test('brings tints to where they belong after any moves and scrolls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 47 }), fc.boolean()), {
          minLength: 1,
          maxLength: 8,
        }),
        async (moves) => {
          const painter = createPainter({ tintOf: () => tint });
          const terminal = newTerminal(size160);
          for (const [top, row, rests] of moves) {
            await written(terminal, painter.paint(tintedFrame(top, top + row), size160));
            if (rests) await written(terminal, painter.settle());
          }
          await written(terminal, painter.settle());
          const [top = 0, row = 0] = moves.at(-1) ?? [];
          const alone = newTerminal(size160);
          await written(alone, createPainter().paint(tintedFrame(top, top + row), size160));
          expect(cellsOf(terminal)).toEqual(cellsOf(alone));
          terminal.dispose();
          alone.dispose();
        },
      ),
      { numRuns: 30 },
    );
  });

  test('keeps a tinted row tinted while its text changes', () => {
    const painter = createPainter({ tintOf: () => tint });
    const small = { columns: 40, rows: 2 };
    painter.paint(`${tinted('web-1  5 %')}\nfooter`, small);
    painter.settle();
    expect(painter.paint(`${tinted('web-1  7 %')}\nfooter`, small)).toBe('\x1b[3D\x1b[38;5;255;48;5;237m7');
    expect(painter.isMoving()).toBe(false);
  });

  test('draws labels and values below each other in turns, each colour but once a line', () => {
    const painter = createPainter();
    const facts = (value: string) =>
      Array.from({ length: 20 }, (_, row) => `\x1b[90m${value}label ${row}\x1b[39m          ${value} ${row}`).join(
        '\n',
      );
    painter.paint(facts('a'), size160);
    const bytes = painter.paint(facts('b'), size160);
    expect(bytes.match(/\x1b\[[\d;]*m/g)?.length).toBe(20);
    expect(bytes.length).toBeLessThan(20 * 16);
  });

  test('scrolls a list also where something beside it stays', () => {
    const beside = (top: number) =>
      frameOf(top, top + 46)
        .split('\n')
        .map((text, row) => (row > 1 && row < 49 ? `${text.slice(0, 110)}│ field ${row}` : text))
        .join('\n');
    const painter = createPainter();
    painter.paint(beside(0), size160);
    expect(painter.paint(beside(1), size160)).toContain('\x1b[S');
  });

  test('does not switch the colour of letters off for blanks, nor before the terminal scrolls or erases', () => {
    const painter = createPainter();
    const wide = { columns: 20, rows: 8 };
    const rows = (from: number) =>
      Array.from({ length: 8 }, (_, row) => `\x1b[32mrow ${from + row}\x1b[0m \x1b[32mup\x1b[0m`);
    painter.paint(rows(0).join('\n'), wide);
    const scrolled = painter.paint(rows(1).join('\n'), wide);
    expect(scrolled).toContain('row 8 up');
    expect(scrolled).not.toContain('\x1b[m');
    const shorter = painter.paint([...rows(1).slice(0, 7), '\x1b[32mro\x1b[0m'].join('\n'), wide);
    expect(shorter).not.toContain('\x1b[m');
  });

  test('switches off what shows on a blank', () => {
    const painter = createPainter();
    const wide = { columns: 20, rows: 3 };
    painter.paint('abcdefgh', wide);
    expect(painter.paint('\x1b[7mx\x1b[27m \x1b[44my\x1b[49m \x1b[4mz\x1b[24m h', wide)).toContain('\x1b[m \x1b[');
  });

  test('begins anew on another screen', () => {
    const painter = createPainter();
    const first = painter.paint(frameOf(0, 0), size160);
    painter.forget();
    expect(painter.paint(frameOf(0, 0), size160)).toBe(first);
  });
});

test('cells that come late are drawn once the screen rests, and with whatever else changes in their line', () => {
  const painter = createPainter();
  const size = { columns: 40, rows: 6 };
  const late = { row: 0, from: 8, to: 40 };
  const frame = (title: string, from: number) =>
    [title, ...Array.from({ length: 5 }, (_, nth) => `row number ${from + nth}`)].join('\n');
  painter.paint(frame(' Servers   1-5 of 40', 1), size, undefined, late);
  const scrolled = painter.paint(frame(' Servers   2-6 of 40', 2), size, undefined, late);
  expect(scrolled).toContain('\x1b[2;6r');
  expect(scrolled).not.toContain('\x1b[H');
  expect(painter.isMoving()).toBe(true);
  expect(painter.settle()).toBe('\x1b[;12H2-6');
  expect(painter.settle()).toBe('');
  expect(painter.paint(frame(' Domains   3-7 of 40', 2), size, undefined, late)).toContain('3-7');
  const moved = { ...late, from: 9 };
  expect(painter.paint(frame(' Domains   4-8 of 40', 2), size, undefined, moved)).toContain('4-8');
});
