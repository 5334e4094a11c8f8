/**
 * Replaces Ink's own `Output`, the grid of cells of a frame. Most lines of a frame are those of the frame before, and
 * most others are texts one after the other, which need no grid. Any other line is drawn by Ink's own class. The bundler
 * and the tests use this instead of Ink's module; see scripts/ink/plugin.ts.
 */
import InkOutput from '../../node_modules/ink/build/output.js';
import { singleCell } from '../../src/text/cells.ts';

type Clip = Parameters<InkOutput['clip']>[0];
type Transformer = Parameters<InkOutput['write']>[3]['transformers'][number];

/** A text to be written on a line of the frame. */
interface Piece {
  x: number;
  /** The row of the text's first line, relative to this line: 0 or less. */
  y: number;
  text: string;
  clips: readonly Clip[];
  transformers: readonly Transformer[];
}

/** The cells of a line, which Ink itself keeps for one frame. */
interface InkCaches {
  getStyledChars(line: string): readonly unknown[];
}

/** A cache of two generations keeps at least so many results, and at most twice as many. */
const generationSize = 400;

/** A cache of recent results by their text. */
class RecentCache<T> {
  #recent = new Map<string, T>();
  #older = new Map<string, T>();

  /** Returns the result of a key, which is computed where it is not cached. */
  get(key: string, compute: (key: string) => T): T {
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const value = this.#older.get(key) ?? compute(key);
    if (this.#recent.size >= generationSize) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
    return value;
  }
}

const letters = `${singleCell.source}+`;
/** A foreground, and a background, of 16 colours, of 256 or of all. */
const colour = '\\x1b\\[(?:[39][0-7]|38;[\\d;]+)m';
const background = '\\x1b\\[48;[\\d;]+m';
/** Texts with one attribute, which ends and does not begin again at once. */
const emphasized = [
  ['[12]', '22'],
  ['7', '27'],
].map(([begin, end]) => `\\x1b\\[${begin}m${letters}\\x1b\\[${end}m(?!\\x1b\\[${begin}m)`);
/** Texts with an attribute and a colour, which end the other way round, with no other style right before or behind. */
const both = `(?<!\\x1b\\[[\\d;]+m)\\x1b\\[[12]m${colour}${letters}\\x1b\\[39m\\x1b\\[22m(?!\\x1b)`;
/** Texts of one colour each, of which the last ends; no colour begins twice, or again after the end. */
const coloured = `(?:(?<begin>${colour})${letters}(?!\\k<begin>))+\\x1b\\[39m(?!${colour}|${background})`;
/** Texts on one background, each of another colour than the one before, and then nothing coloured. */
const tinted = `${background}(?:(?<ink>${colour})${letters}(?!\\k<ink>))+\\x1b\\[39m\\x1b\\[49m(?!\\x1b\\[[349])`;
/** Texts on backgrounds that change each time. */
const shaded = `(?:(?<paper>${background})${letters}(?!\\k<paper>))+\\x1b\\[49m(?!\\x1b\\[4)`;
const lineOf = (...texts: readonly string[]) =>
  new RegExp(`^${singleCell.source}*(?:(?:${texts.join('|')})${singleCell.source}*)*$`);
/** A line that Ink does not change. */
const plain = lineOf(coloured, tinted, shaded, both, ...emphasized);
/** A line from which Ink only removes redundant colours: an end before another colour, and a repeated begin. */
const joinable = lineOf(`(?:${colour}${letters})+\\x1b\\[39m(?!${background})`, tinted, shaded, both, ...emphasized);
const endBeforeColour = new RegExp(`\\x1b\\[39m(?=${colour})`, 'g');
const sameColourAgain = new RegExp(`(?<=(${colour})[^\\x1b]*)\\1`, 'g');
const colours = /\x1b\[[\d;]+m/g;

const lines = new RecentCache<string>();
const cells = new RecentCache<readonly unknown[]>();
const widths = new RecentCache<number>();

/** The width of a plain or joinable text in cells; -1 for any other text. */
const simpleWidth = (text: string): number =>
  widths.get(text, () => (joinable.test(text) ? text.replace(colours, '').length : -1));

/** A line as Ink writes it by itself; undefined where it needs the grid. */
function asWritten(line: string): string | undefined {
  if (plain.test(line)) return line;
  return joinable.test(line) ? line.replace(endBeforeColour, '').replace(sameColourAgain, '') : undefined;
}

export default class Output {
  readonly width: number;
  readonly height: number;
  readonly #lines: Piece[][];
  readonly #clips: Clip[] = [];

  constructor({ width, height }: { width: number; height: number }) {
    this.width = width;
    this.height = height;
    this.#lines = Array.from({ length: height }, () => []);
  }

  write(x: number, y: number, text: string, { transformers }: { transformers: readonly Transformer[] }): void {
    if (text === '') return;
    const rows = text.includes('\n') ? text.split('\n') : [text];
    if (this.#clips.length === 0) {
      // Transformers get each line as Ink writes it, with styles that continue from the line before.
      const isAlone = transformers.length === 0 && rows.length === 1;
      const written = isAlone ? rows : rows.map(asWritten);
      if (written.every((row) => row !== undefined)) {
        for (const [index, row] of written.entries()) {
          const line = transformers.reduce((line, transformer) => transformer(line, index), row);
          if (row !== '') this.#lines[y + index]?.push({ x, y: 0, text: line, clips: [], transformers: [] });
        }
        return;
      }
    }
    const clips = [...this.#clips];
    for (const index of rows.keys()) this.#lines[y + index]?.push({ x, y: -index, text, clips, transformers });
  }

  clip(clip: Clip): void {
    this.#clips.push(clip);
  }

  unclip(): void {
    this.#clips.pop();
  }

  get(): { output: string; height: number } {
    const lines = this.#lines.map((pieces, row) => this.#lineOf(pieces, row));
    return { output: lines.join('\n'), height: this.height };
  }

  #lineOf(pieces: readonly Piece[], row: number): string {
    if (pieces.length === 0) return '';
    if (pieces.some(({ transformers }) => transformers.length > 0)) return this.#drawn(pieces, row);
    const key = pieces.reduce(
      (key, { x, y, text, clips }) =>
        `${key}\n\n${x} ${clips.length > 0 || y < 0 ? `${y} ${row} ${JSON.stringify(clips)}` : ''}\n${text}`,
      String(this.width),
    );
    return lines.get(key, () => joined(pieces, this.width) ?? this.#drawn(pieces, row));
  }

  /** The line drawn by Ink's own class, as a frame of one line. */
  #drawn(pieces: readonly Piece[], row: number): string {
    const output = new InkOutput({ width: this.width, height: 1 });
    const { caches } = output as unknown as { caches: InkCaches };
    const computed = caches.getStyledChars.bind(caches);
    caches.getStyledChars = (line) => cells.get(line, computed);
    for (const { x, y, text, clips, transformers } of pieces) {
      for (const clip of clips) output.clip(movedUp(clip, row));
      output.write(x, y, text, { transformers: [...transformers] });
      for (const _ of clips) output.unclip();
    }
    return output.get().output;
  }
}

const movedUp = ({ y1, y2, ...sides }: Clip, rows: number): Clip => ({
  ...sides,
  y1: y1 === undefined ? undefined : y1 - rows,
  y2: y2 === undefined ? undefined : y2 - rows,
});

/** Simple texts beside and upon each other, with blanks between them; undefined for any other line. */
function joined(pieces: readonly Piece[], width: number): string | undefined {
  let seen: readonly Simple[] = [];
  for (const { x, y, text, clips } of pieces) {
    const cells = simpleWidth(text);
    if (x < 0 || x > width || y < 0 || clips.length > 0 || cells < 0) return undefined;
    const end = x + cells;
    if (seen.some((other) => other.x < end && x < other.end)) seen = seen.flatMap((other) => besides(other, x, end));
    if (text.trim() !== '') seen = [...seen, { x, end, text }];
  }
  let line = '';
  let end = 0;
  for (const piece of seen.toSorted((one, other) => one.x - other.x)) {
    line += ' '.repeat(piece.x - end) + piece.text;
    ({ end } = piece);
  }
  return asWritten(line)?.trimEnd();
}

/** A simple text in its columns. */
interface Simple {
  x: number;
  /** The column behind its last. */
  end: number;
  text: string;
}

/** The parts of a text beside these columns, upon which another one stands. */
function besides(piece: Simple, from: number, to: number): readonly Simple[] {
  if (piece.end <= from || to <= piece.x) return [piece];
  const left = { ...piece, end: from, text: cut(piece.text, 0, from - piece.x) };
  const right = { ...piece, x: to, text: cut(piece.text, to - piece.x, piece.end - piece.x) };
  return [left, right].filter(({ x, end }) => x < end);
}

/** Some columns of a simple text, each of its styles begun and ended. */
function cut(text: string, from: number, to: number): string {
  const styles = new Map<string, string>();
  let column = 0;
  let part = '';
  for (const [token] of text.matchAll(/\x1b\[[\d;]+m|[^\x1b]+/g)) {
    if (token.startsWith('\x1b')) {
      const end = endOf(token);
      styles.delete(end);
      if (token !== end) styles.set(end, token);
      continue;
    }
    const letters = token.slice(Math.max(0, from - column), Math.max(0, to - column));
    column += token.length;
    if (letters !== '') part += [...styles.values()].join('') + letters + [...styles.keys()].reverse().join('');
  }
  return part;
}

/** The sequence that ends a style of simple texts; the sequence itself where it is one that ends. */
function endOf(sequence: string): string {
  if (/\[(?:[12]|22)m/.test(sequence)) return '\x1b[22m';
  if (/\[2?7m/.test(sequence)) return '\x1b[27m';
  return sequence.startsWith('\x1b[4') ? '\x1b[49m' : '\x1b[39m';
}
