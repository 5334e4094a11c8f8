import { joinSpans, painted, type Span } from './spans.ts';
import type { Role, Theme } from './theme.ts';

type Rgb = readonly [number, number, number];

/** Dark is little and bright is much, after the map `inferno` of matplotlib, without its ends. */
const onDark = ['#1b0c41', '#4a0c6b', '#781c6d', '#a52c60', '#cf4446', '#ed6925', '#fb9b06', '#f7d13d'];
/** Light is little and dark is much, after `OrRd` of ColorBrewer, without what is lost on white. */
const onLight = ['#fde0bd', '#fdd49e', '#fdbb84', '#fc8d59', '#ef6548', '#d7301f', '#b30000', '#7f0000'];

/**
 * The same of the 256 colours, chosen by eye: those that are nearest to the mixed ones have greyish ones among them,
 * which look calmer than the ones below.
 */
const onDark256 = [17, 17, 53, 53, 89, 89, 125, 125, 161, 161, 202, 202, 208, 214, 214, 220];
const onLight256 = [224, 224, 223, 223, 223, 223, 216, 216, 209, 209, 202, 202, 196, 160, 124, 88];

/** The number of colours of a ramp: few, so that neighbours in a row are often the same. */
const rampSteps = 16;

const ramps = new Map<string, readonly string[]>();

/** The backgrounds from little to much, as SGR parameters; undefined where 16 colours have to do. */
export function rampOf({ depth, name }: Theme): readonly string[] | undefined {
  if (!depth) return undefined;
  const key = `${depth} ${name}`;
  const isLight = name === 'light';
  const ramp =
    ramps.get(key) ??
    (depth === 8
      ? (isLight ? onLight256 : onDark256).map((index) => `48;5;${index}`)
      : backgrounds(isLight ? onLight : onDark));
  ramps.set(key, ramp);
  return ramp;
}

function backgrounds(anchors: readonly string[]): readonly string[] {
  const stops = anchors.map((hex) => toOklab(rgbOf(hex)));
  return Array.from({ length: rampSteps }, (_, step) => {
    const at = (step / (rampSteps - 1)) * (stops.length - 1);
    const [before, after] = [stops[Math.floor(at)], stops[Math.ceil(at)]] as [Rgb, Rgb];
    const mixed = before.map((value, axis) => value + ((after[axis] ?? 0) - value) * (at % 1)) as unknown as Rgb;
    return `48;2;${toRgb(mixed).join(';')}`;
  });
}

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

// Oklab, where equal distances look alike: https://bottosson.github.io/posts/oklab

function toOklab(color: Rgb): Rgb {
  const [r, g, b] = color.map((value) => linear(value / 255)) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toRgb([lightness, a, b]: Rgb): readonly number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return parts.map((value) => Math.round(255 * Math.min(1, Math.max(0, gamma(value)))));
}

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const gamma = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

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

const heatSpans = (shares: ArrayLike<number>, glyphs: Theme['glyphs'], at?: number): readonly Span[] =>
  joinSpans(
    Array.from(shares, (share, column) => {
      const shade = Number.isNaN(share) ? undefined : shadeOf(share);
      return { text: shade?.[glyphs] ?? ' ', role: column === at ? 'cursor' : shade?.role };
    }),
  );

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
