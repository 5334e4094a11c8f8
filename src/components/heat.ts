import { rampOf, rampSteps } from './ramp.ts';
import { painted, type Span } from './spans.ts';
import type { Role, Theme } from './theme.ts';

/** One step of a heat map in 16 colours: from which share on (0 to 1) a cell is drawn so. */
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

/** The shares at equal distances on the ramp: most servers do little, and there it matters how little. */
const stops = [0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1];

const shadeOf = (share: number): Shade | undefined => shades.findLast(({ from }) => share >= from) ?? shades[0];

/** The step of a share on the ramp. */
export function rampStep(share: number): number {
  const index = Math.max(
    0,
    stops.findLastIndex((stop) => share >= stop),
  );
  const [from = 0, to = 1] = [stops[index], stops[index + 1]];
  const within = index === stops.length - 1 ? 0 : Math.max(0, (share - from) / (to - from));
  return Math.min(rampSteps - 1, Math.floor(((index + within) / (stops.length - 1)) * rampSteps));
}

/** The colour of a share that is worth a look; undefined for the others. */
export function heatRole(share: number): Role | undefined {
  const role = shadeOf(share)?.role;
  return role === 'warn' || role === 'bad' ? role : undefined;
}

/** The colour of a percentage of what there is. */
export const loadRole = (percent: number): Role => heatRole(percent / 100) ?? 'good';

/** The numbers of cells in which so many values can be drawn, the most first: several cells a value, or several values a cell. */
export const heatWidths = (values: number): readonly number[] => [
  ...[4, 3, 2, 1].map((cells) => values * cells),
  ...[2, 3, 4, 6, 12, 18, 24, 36, 48].filter((count) => values % count === 0).map((count) => values / count),
];

/** Counts the cells of so many values within a width; 0 where not even 48 values in one cell fit. */
export const heatColumns = (values: number, width: number): number =>
  heatWidths(values).find((cells) => cells <= width) ?? 0;

/**
 * One line of a heat map: the shares of its cells (1 is full, NaN leaves a blank). Told by background where the theme
 * has a ramp, else by shade and by colour.
 * @param at the cell that is marked, if there is one
 */
export function heatLine(shares: ArrayLike<number>, theme: Theme, at?: number): string {
  const ramp = rampOf(theme);
  return ramp ? shaded(shares, ramp, theme, at) : painted(theme, heatSpans(shares, theme.glyphs, at));
}

/** The sign of the marked cell; the background tells its value. */
const sign = '┃';

function shaded(shares: ArrayLike<number>, ramp: readonly string[], theme: Theme, at?: number): string {
  let line = '';
  let before: string | undefined;
  for (let column = 0; column < shares.length; column += 1) {
    const share = shares[column] ?? Number.NaN;
    const color = Number.isNaN(share) ? undefined : ramp[rampStep(share)];
    if (color !== before) line += color === undefined ? '\x1b[49m' : `\x1b[${color}m`;
    before = color;
    line += column === at ? marked(theme, color) : ' ';
  }
  return before === undefined ? line : `${line}\x1b[49m`;
}

/** White or black on the marked cell would be lost on half of the ramp; the cell is inverse beside its neighbours. */
const marked = (theme: Theme, color: string | undefined): string =>
  theme.glyphs === 'ascii' ? '|' : color === undefined ? sign : `\x1b[7m${sign}\x1b[27m`;

function heatSpans(shares: ArrayLike<number>, glyphs: Theme['glyphs'], at?: number): readonly Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < shares.length; column += 1) {
    const share = shares[column] ?? Number.NaN;
    const shade = Number.isNaN(share) ? undefined : shadeOf(share);
    const role = column === at ? 'cursor' : shade?.role;
    const before = spans.at(-1);
    const text = shade?.[glyphs] ?? ' ';
    if (before && before.role === role) before.text += text;
    else spans.push({ text, role });
  }
  return spans;
}

/**
 * Tells the share from which each colour or shade is drawn, `░ 5`: one text for each, with its cells.
 * @param written how a share is written
 */
export function heatLegend(
  theme: Theme,
  written: (share: number) => string,
): readonly { text: string; cells: number }[] {
  const ramp = rampOf(theme);
  const entry = (sign: string, signCells: number, share: number) => {
    const says = ` ${written(share)}  `;
    return { text: sign + theme.paint('dim', says), cells: signCells + says.length };
  };
  return ramp
    ? stops.slice(0, -1).map((stop) => entry(`\x1b[${ramp[rampStep(stop)]}m  \x1b[49m`, 2, stop))
    : shades.map((shade) => entry(theme.paint(shade.role, shade[theme.glyphs]), 1, shade.from));
}
