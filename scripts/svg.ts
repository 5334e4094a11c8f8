import type { Glass, Style } from '../test/emulator.ts';

/** One styled cell of a terminal; the second cell of a wide character has no character. */
export type Cell = Style;

/** One cell in pixels. The font size gives letters of this width. */
const cell = { width: 8, height: 17, baseline: 13, font: 13.3 };
const margin = 12;
const background = '#16181d';
const foreground = '#d4d7dd';
/** The 16 ANSI colours of a dark terminal. */
const ansi = [
  ...['#16181d', '#e06c75', '#8cc570', '#e0b85c', '#61a8ef', '#c586d8', '#56b6c2', '#d4d7dd'],
  ...['#7a818e', '#f08891', '#a8d98f', '#f2cf80', '#86c1ff', '#dca5eb', '#7ccfda', '#ffffff'],
];

/** The levels of the 6×6×6 cube of the 256 colours. */
const levels = [0, 95, 135, 175, 215, 255];

/** The red, green and blue of one of the 256 colours above the first 16, each from 0 to 255. */
export function colorOf(index: number): readonly [number, number, number] {
  if (index >= 232) return [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)];
  const cube = index - 16;
  return [36, 6, 1].map((size) => levels[Math.floor(cube / size) % 6] ?? 0) as unknown as readonly [
    number,
    number,
    number,
  ];
}

interface Run {
  column: number;
  row: number;
  text: string;
  attributes: string;
}

/** The cells on the screen of a terminal, row by row. */
export const cellsOf = ({ terminal, styleAt }: Pick<Glass, 'terminal' | 'styleAt'>): Cell[][] =>
  Array.from({ length: terminal.rows }, (_, row) =>
    Array.from({ length: terminal.cols }, (_, column) => styleAt(row, column)),
  );

/** A frame of a terminal as SVG: text stays text; blocks, lines and braille dots are drawn, as fonts may lack them. */
export function svgOf(rows: readonly (readonly Cell[])[], title: string): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const [width, height] = [columns * cell.width + 2 * margin, rows.length * cell.height + 2 * margin];
  const backgrounds = new Map<string, string>();
  const shapes = new Map<string, string>();
  const runs: Run[] = [];
  rows.forEach((cells, row) => {
    cells.forEach((style, column) => {
      const { ink, paper } = coloursOf(style);
      const [x, y] = [column * cell.width, row * cell.height];
      if (paper !== background) append(backgrounds, `fill="${paper}"`, wholeCell(x, y));
      const shape = shapeOf(style.char, x, y);
      const shade = shades[style.char];
      if (shape !== undefined) append(shapes, `fill="${ink}"`, shape);
      else if (shade !== undefined) append(shapes, `fill="${ink}" opacity="${shade}"`, wholeCell(x, y));
      else if (style.char.trim() !== '') appendLetter(runs, row, column, style.char, attributesOf(style, ink));
    });
  });
  const paths = (byLook: ReadonlyMap<string, string>) =>
    [...byLook].map(([look, data]) => `<path ${look} d="${joined(data)}"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-margin} ${-margin} ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${-margin}" y="${-margin}" width="${width}" height="${height}" rx="8" fill="${background}"/>`,
    ...paths(backgrounds),
    ...paths(shapes),
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,monospace" font-size="${cell.font}" fill="${foreground}" xml:space="preserve">`,
    ...runs.map(textOf),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const append = (map: Map<string, string>, key: string, text: string) => map.set(key, (map.get(key) ?? '') + text);

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function coloursOf({ fg, bg, inverse }: Cell): { ink: string; paper: string } {
  const front = colourOf(fg, foreground);
  const back = colourOf(bg, background);
  return inverse ? { ink: back, paper: front } : { ink: front, paper: back };
}

const colourOf = (colour: Cell['fg'], fallback: string): string =>
  typeof colour === 'number' ? (ansi[colour] ?? hexOf(colorOf(colour))) : colour === 'default' ? fallback : colour;

const hexOf = (colour: readonly number[]): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const attributesOf = ({ bold, dim, underline }: Cell, ink: string): string =>
  [
    ink === foreground ? '' : ` fill="${ink}"`,
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity=".6"' : '',
    underline ? ' text-decoration="underline"' : '',
  ].join('');

/** Appends a letter to the last run, where it follows at once or after one space and has the same style. */
function appendLetter(runs: Run[], row: number, column: number, char: string, attributes: string): void {
  const last = runs.at(-1);
  const gap = last && last.row === row ? column - (last.column + [...last.text].length) : Number.POSITIVE_INFINITY;
  // A character outside ASCII may come from another font with another width; in its own run it shifts nothing.
  const joins = last && gap <= 1 && last.attributes === attributes && isAscii(last.text + char);
  if (joins) last.text += ' '.repeat(gap) + char;
  else runs.push({ row, column, text: char, attributes });
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

function textOf({ row, column, text, attributes }: Run): string {
  const length = text.length > 1 ? ` textLength="${text.length * cell.width}"` : '';
  const [x, y] = [column * cell.width, row * cell.height + cell.baseline];
  return `<text x="${x}" y="${y}"${length}${attributes}>${escaped(text)}</text>`;
}

const rectangle = (x: number, y: number, width: number, height: number) => `M${x} ${y}h${width}v${height}h${-width}z`;

const wholeCell = (x: number, y: number) => rectangle(x, y, cell.width, cell.height);

const wholeWidth = new RegExp(`^M(\\d+) (\\d+)h${cell.width}v(\\d+)h-${cell.width}z$`);

/** A path in which rectangles as wide as a cell are one where they stand side by side. */
function joined(data: string): string {
  let before: { x: number; y: number; width: number; height: number } | undefined;
  const parts: string[] = [];
  for (const part of data.split(/(?=M)/)) {
    const numbers = wholeWidth.exec(part)?.slice(1).map(Number);
    const [x = 0, y = 0, height = 0] = numbers ?? [];
    if (numbers && before && before.y === y && before.height === height && before.x + before.width === x) {
      before.width += cell.width;
      parts[parts.length - 1] = rectangle(before.x, y, before.width, height);
    } else {
      before = numbers && { x, y, width: cell.width, height };
      parts.push(part);
    }
  }
  return parts.join('');
}

/** A shade covers so much of its cell. */
const shades: Readonly<Record<string, number>> = { '░': 0.25, '▒': 0.5, '▓': 0.75 };

/** A block element, a line or a braille pattern as a path; undefined for a letter. */
function shapeOf(char: string, x: number, y: number): string | undefined {
  const point = char.codePointAt(0) ?? 0;
  if (point > 0x2800 && point <= 0x28ff) return braille(point - 0x2800, x, y);
  if (point >= 0x2581 && point <= 0x2588) {
    const height = Math.round(((point - 0x2580) / 8) * (cell.height - 2));
    return rectangle(x, y + cell.height - 1 - height, cell.width, height);
  }
  if (point >= 0x2589 && point <= 0x258f) return rectangle(x, y + 1, 0x2590 - point, cell.height - 2);
  const lines = boxLines[char];
  return lines?.map(([left, top, width, height]) => rectangle(x + left, y + top, width, height)).join('');
}

/** Left, top, width and height of the lines in a cell of 8×17. */
const boxLines: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> = {
  '─': [[0, 8, 8, 1]],
  '┈': [[2, 8, 4, 1]],
  '╌': [[1, 8, 6, 1]],
  '│': [[4, 0, 1, 17]],
  '┌': [
    [4, 8, 4, 1],
    [4, 8, 1, 9],
  ],
  '┐': [
    [0, 8, 5, 1],
    [4, 8, 1, 9],
  ],
  '└': [
    [4, 8, 4, 1],
    [4, 0, 1, 9],
  ],
  '┘': [
    [0, 8, 5, 1],
    [4, 0, 1, 9],
  ],
  '├': [
    [4, 0, 1, 17],
    [4, 8, 4, 1],
  ],
  '┤': [
    [4, 0, 1, 17],
    [0, 8, 5, 1],
  ],
  '┬': [
    [0, 8, 8, 1],
    [4, 8, 1, 9],
  ],
  '┴': [
    [0, 8, 8, 1],
    [4, 0, 1, 9],
  ],
  '┼': [
    [0, 8, 8, 1],
    [4, 0, 1, 17],
  ],
};

/** The dots of a braille pattern, by the bits that Unicode gives them. */
function braille(bits: number, x: number, y: number): string {
  const dots = [...[0, 1, 2].map((row) => [0, row]), ...[0, 1, 2].map((row) => [1, row]), [0, 3], [1, 3]];
  return dots
    .filter((_, bit) => bits & (1 << bit))
    .map(([column = 0, row = 0]) => rectangle(x + 1 + column * 4, y + 1 + row * 4, 2, 2))
    .join('');
}
