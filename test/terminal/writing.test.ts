import { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:tty';
import { describe, expect, test } from 'vitest';
import { createPainter } from '../../src/terminal/painter.ts';
import { screenWriter } from '../../src/terminal/screenWriter.ts';
import { Emulator } from '../emulator.ts';

const columns = 30;
const rows = 8;
const size = { columns, rows };

/** Every row of a terminal of this size after these bytes. */
async function shownBy(...bytes: readonly string[]): Promise<string> {
  const glass = new Emulator(columns, rows);
  for (const chunk of bytes) glass.write(chunk);
  await glass.shown();
  return glass.text();
}

const frameOf = (lines: readonly string[]) => lines.join('\n');
const numbered = (from: number) =>
  Array.from({ length: rows }, (_, row) => `\x1b[32mrow ${from + row}\x1b[0m of a long list`);
const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\x1b\[\d*m/g, '')).join('\n');

describe('a frame in which lines moved and others changed', () => {
  const shifts = [-3, -2, -1, 1, 2, 3];
  const changed = Array.from({ length: rows }, (_, row) => row);

  test.each(shifts)('is painted whole where they moved by %i, whichever line changed', async (by) => {
    for (const row of changed) {
      const painter = createPainter();
      const first = painter.paint(frameOf(numbered(10)), size);
      const next = numbered(10 + by).with(row, '\x1b[31mchanged\x1b[0m');
      const second = painter.paint(frameOf(next), size);
      const again = next.with((row + 3) % rows, 'last');
      const third = painter.paint(frameOf(again), size);
      expect(await shownBy(first, second), `row ${row}`).toBe(plain(next));
      expect(await shownBy(first, second, third), `row ${row}`).toBe(plain(again));
    }
  });

  test.each(shifts)('is painted whole where they moved by %i, but for one that stayed', async (by) => {
    for (const row of changed) {
      const painter = createPainter();
      const before = numbered(10);
      const first = painter.paint(frameOf(before), size);
      const next = numbered(10 + by).with(row, before[row] ?? '');
      expect(await shownBy(first, painter.paint(frameOf(next), size)), `row ${row}`).toBe(plain(next));
    }
  });

  test('leaves the terminal able to move all of its lines', async () => {
    const list = (from: number) =>
      numbered(from).map((line, row) => (row % 7 === 0 ? 'edge' : `${from + row} ${line} ${from + row}`));
    const painter = createPainter();
    const first = painter.paint(frameOf(list(10)), size);
    const second = painter.paint(frameOf(list(11)), size);
    expect(second).toContain('\x1b[S');
    const lineFeedAtTheEnd = `\x1b[${rows};1H\n`;
    expect(await shownBy(first, second, lineFeedAtTheEnd)).toBe(plain([...list(11).slice(1), '']));
  });

  test('is painted whole where only a band moved, between lines that changed and beside some that did', async () => {
    const list = (from: number) => numbered(from).map((line, row) => (row % 7 === 0 ? `edge ${from}` : line));
    for (const by of shifts) {
      const painter = createPainter();
      const first = painter.paint(frameOf(list(10)), size);
      const next = list(10 + by).map((line, row) => (row === 4 ? `${line}!` : line));
      expect(await shownBy(first, painter.paint(frameOf(next), size)), `by ${by}`).toBe(plain(next));
    }
  });

  test('lets the terminal move what moved', () => {
    const painter = createPainter();
    painter.paint(frameOf(numbered(10)), size);
    const bytes = painter.paint(frameOf(numbered(11).with(3, 'changed')), size);
    expect(bytes).toContain('\x1b[S');
    expect(bytes).toContain('changed');
    expect(bytes).not.toContain('row 12');
  });
});

/** A terminal on a slow line: takes everything, and says when it wants no more for now. */
class SlowTerminal extends EventEmitter {
  readonly isTTY = true;
  columns = columns;
  rows = rows;
  isFull = false;
  readonly taken: string[] = [];

  write(chunk: string): boolean {
    this.taken.push(chunk);
    return !this.isFull;
  }

  ready(): void {
    this.isFull = false;
    this.emit('drain');
  }
}

function open() {
  const terminal = new SlowTerminal();
  const { stdout, windowChanged } = screenWriter(terminal as unknown as WriteStream);
  const draw = (...lines: readonly string[]) =>
    stdout.write(frameOf(Array.from({ length: rows }, (_, row) => lines[row] ?? '')));
  return { terminal, stdout, windowChanged, draw };
}

describe('a terminal that cannot keep up', () => {
  test('gets the newest frame when it is ready, and none of those in between', async () => {
    const { terminal, draw } = open();
    draw('first');
    terminal.isFull = true;
    draw('second');
    const { length } = terminal.taken;
    for (const line of ['third', 'fourth', 'fifth']) draw(line, 'below');
    expect(terminal.taken).toHaveLength(length);
    terminal.ready();
    expect(terminal.taken).toHaveLength(length + 1);
    expect(terminal.taken.join('')).not.toMatch(/third|fourth/);
    expect((await shownBy(...terminal.taken)).trimEnd()).toBe('fifth\nbelow');
  });

  test('is written to at once again afterwards', async () => {
    const { terminal, draw } = open();
    terminal.isFull = true;
    draw('first');
    terminal.ready();
    const { length } = terminal.taken;
    draw('second');
    expect(terminal.taken).toHaveLength(length + 1);
    expect((await shownBy(...terminal.taken)).trimEnd()).toBe('second');
    expect(terminal.listenerCount('drain')).toBe(0);
  });

  test('never gets a frame again that it had long before', async () => {
    const { terminal, draw } = open();
    terminal.isFull = true;
    draw('first');
    draw('second');
    terminal.ready();
    terminal.isFull = true;
    draw('third');
    terminal.ready();
    expect((await shownBy(...terminal.taken)).trimEnd()).toBe('third');
  });

  test('may be full again at once, and waits for one thing only', async () => {
    const { terminal, draw } = open();
    terminal.isFull = true;
    draw('first');
    draw('second');
    draw('third');
    expect(terminal.listenerCount('drain')).toBe(1);
    terminal.emit('drain');
    draw('fourth');
    expect(terminal.listenerCount('drain')).toBe(1);
    expect((await shownBy(...terminal.taken)).trimEnd()).toBe('third');
    terminal.ready();
    expect((await shownBy(...terminal.taken)).trimEnd()).toBe('fourth');
  });

  test('gets a frame in the size that it has by then', async () => {
    const { terminal, draw } = open();
    terminal.isFull = true;
    draw('first');
    draw('a line that is longer than half');
    terminal.columns = 12;
    terminal.emit('resize');
    terminal.ready();
    expect(terminal.taken.at(-1)).toContain('a line that');
    expect(terminal.taken.at(-1)).not.toContain('longer');
  });

  test('gets everything that is no frame, in its turn', () => {
    const { terminal, stdout, draw } = open();
    terminal.isFull = true;
    draw('first');
    stdout.write('\x07');
    expect(terminal.taken.at(-1)).toBe('\x07');
  });
});

test('the first frame of an input waits for its place, and is drawn once with the cursor there', async () => {
  const terminal = new SlowTerminal();
  const writer = screenWriter(terminal as unknown as WriteStream, {}, () => ({
    top: 0,
    left: 8,
    width: 10,
    height: 1,
  }));
  const frame = frameOf(Array.from({ length: rows }, (_, row) => (row === 0 ? 'filter: \x1b[7m \x1b[27m' : 'below')));
  writer.caretComes();
  writer.stdout.write(frame);
  expect(terminal.taken).toEqual([]);
  writer.caretChanged();
  expect(terminal.taken).toHaveLength(1);
  expect(terminal.taken[0]).not.toContain('\x1b[7m');
  expect(terminal.taken[0]).toContain('\x1b[?25h');
  writer.stdout.write(frame.replace('below', 'other'));
  expect(terminal.taken).toHaveLength(2);
});
