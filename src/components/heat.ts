import type { Glyphs } from './format.ts';
import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

/** One step of a heat map: from which share on (0 to 1) a cell is drawn so. */
interface Shade {
  from: number;
  unicode: string;
  ascii: string;
  role: Role;
}

const shades: readonly Shade[] = [
  { from: 0, unicode: '·', ascii: '.', role: 'dim' },
  { from: 0.05, unicode: '░', ascii: ':', role: 'good' },
  { from: 0.2, unicode: '▒', ascii: '+', role: 'good' },
  { from: 0.4, unicode: '▓', ascii: '#', role: 'warn' },
  { from: 0.7, unicode: '█', ascii: '@', role: 'bad' },
];

const shadeOf = (share: number): Shade | undefined => shades.findLast(({ from }) => share >= from) ?? shades[0];

/** The colour of a share that is worth a look; undefined for the others. */
export function heatRole(share: number): Role | undefined {
  const role = shadeOf(share)?.role;
  return role === 'warn' || role === 'bad' ? role : undefined;
}

/**
 * Counts the cells of so many values within a width: each value as many as there is room for, else several values one.
 * 0 where not even eight values in one cell fit.
 */
export function heatColumns(values: number, width: number): number {
  if (width >= values) return values * Math.floor(width / values);
  const together = [2, 3, 4, 6, 8].find((count) => values % count === 0 && values / count <= width);
  return together === undefined ? 0 : values / together;
}

/**
 * One line of a heat map, told by shade and by colour: the values as shares (1 is full, NaN leaves a blank) in so many
 * columns as `heatColumns` says. Where several values share a cell the largest is drawn.
 */
export function heatCells(values: ArrayLike<number>, columns: number, glyphs: Glyphs): readonly Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < columns; column += 1) {
    const from = Math.floor((column * values.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / columns));
    const share = maxBetween(values, from, to);
    const shade = share === undefined ? undefined : shadeOf(share);
    const before = spans.at(-1);
    const text = shade?.[glyphs] ?? ' ';
    if (before && before.role === shade?.role) before.text += text;
    else spans.push({ text, role: shade?.role });
  }
  return spans;
}

function maxBetween(values: ArrayLike<number>, from: number, to: number): number | undefined {
  let largest: number | undefined;
  for (let index = from; index < to; index += 1) {
    const value = values[index];
    if (value !== undefined && !Number.isNaN(value)) largest = Math.max(largest ?? value, value);
  }
  return largest;
}

/**
 * Tells the share from which each shade is drawn, `░ 5`.
 * @param written how a share is written
 */
export const heatLegend = (glyphs: Glyphs, written: (share: number) => string): readonly Span[] =>
  shades.flatMap((shade): readonly Span[] => [
    { text: `${shade[glyphs]} `, role: shade.role },
    { text: `${written(shade.from)}  `, role: 'dim' },
  ]);
