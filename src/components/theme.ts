import { Chalk, type ChalkInstance } from 'chalk';
import { createContext, useContext } from 'react';
import { widthOf } from '../text/cells.ts';

/** The colours of texts. */
const inkNames = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'gray'] as const;
type Inks = Readonly<Record<(typeof inkNames)[number], ChalkInstance>>;
type Painter = (inks: Inks, chalk: ChalkInstance) => ChalkInstance;

const dark = {
  good: ({ green }) => green,
  busy: ({ yellow }) => yellow,
  bad: ({ red }) => red,
  warn: ({ yellow }) => yellow,
  dim: ({ gray }) => gray,
  accent: ({ cyan }) => cyan,
  title: (_, c) => c.bold,
  cursor: (_, c) => c.inverse,
  mark: ({ magenta }) => magenta,
  key: ({ cyan }) => cyan,
  series1: ({ cyan }) => cyan,
  series2: ({ magenta }) => magenta,
  series3: ({ green }) => green,
  series4: ({ yellow }) => yellow,
  series5: ({ blue }) => blue,
  series6: ({ red }) => red,
} satisfies Record<string, Painter>;

/** The meaning of a piece of text; the theme decides how that looks. */
export type Role = 'plain' | keyof typeof dark;

/** The numbers of colours that a terminal has, in bits: 16, 256 or all. */
export type ColorDepth = 4 | 8 | 24;

/** A colour that the user has chosen for something. */
export type Hue = Exclude<keyof Inks, 'gray'>;

/** Colours of a whole row, as SGR parameters: `48;5;237`. */
interface RowColors {
  /** Of texts without a colour of their own: a terminal's own may be too near to the background. */
  foreground: string;
  background: string;
}

export interface Theme {
  name: string;
  glyphs: 'unicode' | 'ascii';
  /** The colours for ramps and backgrounds; undefined where 16 have to do. */
  depth: Exclude<ColorDepth, 4> | undefined;
  /** Backgrounds of the row under the cursor and of marked rows; absent where 16 colours have to do. */
  rows: Readonly<Partial<Record<RowState, RowColors>>>;
  /** The text with the escape sequences of its role around it; unchanged without a role, and where the theme has none. */
  paint(role: Role | undefined, text: string): string;
  /** The colour of the frame around a loss, as Ink takes it; undefined where there are none. */
  lossFrame: string | undefined;
  /** The text in a colour that the user has chosen, where there are colours. */
  hue(hue: Hue, text: string): string;
}

type Palette = Readonly<Partial<Record<Role, Painter>>>;

const light: Palette = {
  ...dark,
  accent: ({ blue }) => blue,
  key: ({ blue }) => blue,
  series1: ({ blue }) => blue,
  // Magenta stands for yellow among the 16.
  series4: ({ yellow }, c) => (c.level > 1 ? yellow : c.black),
  series5: ({ cyan }) => cyan,
};

const { dim: _, ...undimmed } = dark;
const highContrast: Palette = { ...undimmed, title: (_, c) => c.bold.underline, cursor: (_, c) => c.inverse.bold };

const mono: Palette = {
  bad: (_, c) => c.bold,
  title: (_, c) => c.bold,
  cursor: (_, c) => c.inverse,
  mark: (_, c) => c.bold,
  key: (_, c) => c.bold,
  accent: (_, c) => c.underline,
};

const palettes: Readonly<Record<string, Palette>> = { dark, light, 'high-contrast': highContrast, mono };

/** Why a row has a background. */
type RowState = 'current' | 'marked';

/**
 * Texts have the 16 colours of the terminal, so that they follow its palette, and each takes 5 bytes less. On white many of
 * these cannot be read, and none promises a high contrast: where there are 256, those themes have others.
 */
const inkShades: Readonly<Record<string, { of16: readonly number[]; of256?: readonly number[] }>> = {
  dark: { of16: [1, 2, 3, 4, 5, 6, 8] },
  light: { of16: [1, 2, 5, 4, 5, 6, 8], of256: [124, 22, 94, 26, 127, 23, 241] },
  'high-contrast': { of16: [9, 10, 11, 12, 13, 14, 15], of256: [210, 120, 227, 117, 213, 87, 255] },
};

/** A colour among the 256, and among all. */
type Shades = readonly [number, `${number};${number};${number}`];

/** The plain text of rows, and their backgrounds. */
const rowShades: Readonly<Record<string, Readonly<Record<RowState | 'text', Shades>>>> = {
  dark: { text: [255, '240;242;246'], current: [236, '42;48;60'], marked: [17, '45;34;72'] },
  light: { text: [234, '24;28;36'], current: [254, '219;230;244'], marked: [225, '240;224;248'] },
  'high-contrast': { text: [231, '255;255;255'], current: [237, '52;58;76'], marked: [17, '66;28;96'] },
};

/** The names of the themes. */
export const themeNames: readonly string[] = Object.keys(palettes);

/**
 * The theme of this name.
 * @param color false leaves out colours and keeps bold, underline and inverse
 * @param colorDepth bits of colour
 */
export function themeNamed(name: string, glyphs: Theme['glyphs'], color: boolean, colorDepth = 4): Theme {
  const chalk = new Chalk({ level: colorDepth < 8 ? 1 : 2 });
  const palette = (color ? palettes[name] : mono) ?? dark;
  const { of16 = [], of256 = of16 } = inkShades[name] ?? inkShades.dark ?? {};
  const shades = colorDepth < 8 ? of16 : of256;
  const ink = shades === of16 ? new Chalk({ level: 1 }) : chalk;
  const own = name === 'high-contrast' ? ink.bold : ink;
  const inks = Object.fromEntries(inkNames.map((one, nth) => [one, own.ansi256(shades[nth] ?? 0)])) as unknown as Inks;
  const painters = new Map(Object.entries(palette).map(([role, style]) => [role, painterOf(style(inks, chalk))]));
  const depth = colorDepth < 8 || palette === mono ? undefined : colorDepth < 24 ? 8 : 24;
  return {
    name: palette === mono ? 'mono' : name,
    glyphs,
    depth,
    rows: depth ? rowColors(depth, rowShades[name] ?? rowShades.dark) : {},
    paint: (role, text) => painters.get(role ?? 'plain')?.(text) ?? text,
    lossFrame: palette === mono ? undefined : `ansi256(${shades[0]})`,
    hue: (hue, text) => (palette === mono ? text : inks[hue].bold(text)),
  };
}

function rowColors(depth: 8 | 24, shades: (typeof rowShades)[string] | undefined): Theme['rows'] {
  if (!shades) return {};
  const { text, current, marked } = shades;
  const code = (ground: 38 | 48, [near, exact]: Shades) =>
    depth === 8 ? `${ground};5;${near}` : `${ground};2;${exact}`;
  const on = (background: Shades): RowColors => ({ background: code(48, background), foreground: code(38, text) });
  return { current: on(current), marked: on(marked) };
}

/** Paints a text; a line under it leaves out the blanks around it, which are padding, and marks that are no words. */
const painterOf = (style: ChalkInstance): ((text: string) => string) =>
  style(' ').includes('\x1b[4m')
    ? (text) => (/[\p{L}\p{N}]/u.test(text) ? text.replace(/\S(?:[\s\S]*\S)?/, (inner) => style(inner)) : text)
    : style;

/** The marks in Unicode and in ASCII. */
const marks = {
  pointer: ['❯', '>'],
  mark: ['✓', '*'],
  good: ['✓', '*'],
  bad: ['✗', 'x'],
  up: ['↑', '^'],
  down: ['↓', 'v'],
  dash: ['─', '-'],
  within: ['›', '>'],
  secret: ['•', '*'],
  busy: ['◐', '~'],
  waiting: ['○', 'o'],
  bar: ['▌', '!'],
  changed: ['Δ', '~'],
  lock: ['⚿', '#'],
} as const;

type Marks = Readonly<Record<keyof typeof marks, string>>;

const [unicode, ascii] = [0, 1].map((nth) =>
  Object.fromEntries(Object.entries(marks).map(([name, both]) => [name, both[nth]])),
) as [Marks, Marks];

/** The marks that stand before and between texts, in the characters that a theme may use. */
export const marksOf = ({ glyphs }: Theme): Marks => (glyphs === 'ascii' ? ascii : unicode);

/** Stands before the line that the cursor is on; as wide before every other one. */
export const pointerOf = (theme: Theme, isCurrent: boolean): string =>
  isCurrent ? theme.paint('accent', marksOf(theme).pointer) : ' ';

/** Gives the theme to every component below. */
export const ThemeContext = createContext<Theme>(themeNamed('mono', 'unicode', false));

/** The current theme. */
export const useTheme = (): Theme => useContext(ThemeContext);

/** Texts with a background of their own: inverse ones, and cells of a heat map. */
const ownBackground = /(\x1b\[7m.*?\x1b\[27m|\x1b\[48;[\d;]+m.*?\x1b\[49m)/;
const sgr = /\x1b\[[\d;]*m/g;
const endOfColor = /\x1b\[39m/g;

/**
 * A finished line with the background of its state over the whole width; unchanged where it has none. The colours of
 * its texts stay, and so do texts with a background of their own.
 * @param width cells of the whole line
 */
export function rowTinted(
  { rows }: Theme,
  { isCurrent, isMarked }: { isCurrent: boolean; isMarked: boolean },
  line: string,
  width: number,
): string {
  const colors = isMarked ? rows.marked : isCurrent ? rows.current : undefined;
  if (!colors) return line;
  const padding = ' '.repeat(Math.max(0, width - widthOf(line.replace(sgr, ''))));
  return `${line}${padding}`
    .split(ownBackground)
    .map((part, index) => (index % 2 === 1 || part === '' ? part : tinted(part, colors)))
    .join('');
}

/** No colour begins where another does: Ink would leave it out again. */
function tinted(text: string, { foreground, background }: RowColors): string {
  const own = `\x1b[${foreground}m`;
  const inner = `${own}${text.replace(endOfColor, own)}`.replaceAll(own, (_, at: number, whole: string) =>
    /^(?:\x1b\[[39]\d|$)/.test(whole.slice(at + own.length)) ? '' : own,
  );
  return `\x1b[${background}m${inner}\x1b[39m\x1b[49m`;
}
