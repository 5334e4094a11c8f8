import { Chalk, type ChalkInstance } from 'chalk';
import { createContext, useContext } from 'react';
import { widthOf } from '../text/cells.ts';

type Painter = (chalk: ChalkInstance) => ChalkInstance;

const dark = {
  good: (c) => c.green,
  busy: (c) => c.yellow,
  bad: (c) => c.red,
  warn: (c) => c.yellow,
  dim: (c) => c.gray,
  accent: (c) => c.cyan,
  title: (c) => c.bold,
  cursor: (c) => c.inverse,
  mark: (c) => c.magenta,
  key: (c) => c.cyan,
  series1: (c) => c.cyan,
  series2: (c) => c.magenta,
  series3: (c) => c.green,
  series4: (c) => c.yellow,
  series5: (c) => c.blue,
  series6: (c) => c.red,
} satisfies Record<string, Painter>;

/** The meaning of a piece of text; the theme decides how that looks. */
export type Role = 'plain' | keyof typeof dark;

/** The numbers of colours that a terminal has, in bits: 16, 256 or all. */
export type ColorDepth = 4 | 8 | 24;

/** A colour that the user has chosen for something. */
export type Hue = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** Colours of a whole row, as SGR parameters: `48;5;237`. */
interface RowColors {
  /** Of texts without a colour of their own: a terminal's own may be too near to the background. */
  foreground: string;
  background: string;
}

export interface Theme {
  name: string;
  glyphs: 'unicode' | 'ascii';
  isMono: boolean;
  /** The colours for ramps and backgrounds; undefined where 16 have to do. */
  depth: Exclude<ColorDepth, 4> | undefined;
  /** Backgrounds of the row under the cursor and of marked rows; absent where 16 colours have to do. */
  rows: Readonly<Partial<Record<RowState, RowColors>>>;
  /** The text with the escape sequences of its role around it; unchanged without a role, and where the theme has none. */
  paint(role: Role | undefined, text: string): string;
  /** The text in a colour that the user has chosen, where there are colours. */
  hue(hue: Hue, text: string): string;
}

type Palette = Readonly<Partial<Record<Role, Painter>>>;

const light: Palette = {
  ...dark,
  busy: (c) => c.magenta,
  // Yellow is hard to read on white; 16 colours have no orange.
  warn: (c) => (c.level > 1 ? c.ansi256(166) : c.magenta),
  accent: (c) => c.blue,
  key: (c) => c.blue,
  series1: (c) => c.blue,
  series4: (c) => c.black,
  series5: (c) => c.cyan,
};

const highContrast: Palette = {
  good: (c) => c.greenBright.bold,
  busy: (c) => c.yellowBright.bold,
  bad: (c) => c.redBright.bold,
  warn: (c) => c.yellowBright.bold,
  accent: (c) => c.cyanBright.bold,
  title: (c) => c.bold.underline,
  cursor: (c) => c.inverse.bold,
  mark: (c) => c.magentaBright.bold,
  key: (c) => c.cyanBright.bold,
  series1: (c) => c.cyanBright,
  series2: (c) => c.magentaBright,
  series3: (c) => c.greenBright,
  series4: (c) => c.yellowBright,
  series5: (c) => c.blueBright,
  series6: (c) => c.redBright,
};

const mono: Palette = {
  bad: (c) => c.bold,
  title: (c) => c.bold,
  cursor: (c) => c.inverse,
  mark: (c) => c.bold,
  key: (c) => c.bold,
  accent: (c) => c.underline,
};

const palettes: Readonly<Record<string, Palette>> = { dark, light, 'high-contrast': highContrast, mono };

/** Why a row has a background. */
type RowState = 'current' | 'marked';

/** A colour among the 256, and among all. */
type Shades = readonly [number, `${number};${number};${number}`];

/** The plain text of rows, and their backgrounds. */
const rowShades: Readonly<Record<string, Readonly<Record<RowState | 'text', Shades>>>> = {
  dark: { text: [255, '240;242;246'], current: [237, '44;50;64'], marked: [17, '45;34;72'] },
  light: { text: [234, '24;28;36'], current: [254, '219;230;244'], marked: [225, '240;224;248'] },
  'high-contrast': { text: [231, '255;255;255'], current: [238, '62;70;92'], marked: [17, '66;28;96'] },
};

/** The names of the themes. */
export const themeNames: readonly string[] = Object.keys(palettes);

/**
 * The theme of this name. Texts have the 16 colours of the terminal, so that they follow its own palette; only
 * backgrounds and the warnings of the light theme have others.
 * @param color false leaves out colours and keeps bold, underline and inverse
 * @param colorDepth bits of colour
 */
export function themeNamed(name: string, glyphs: Theme['glyphs'], color: boolean, colorDepth = 4): Theme {
  const chalk = new Chalk({ level: colorDepth < 8 ? 1 : 2 });
  const palette = (color ? palettes[name] : mono) ?? dark;
  const painters = new Map(Object.entries(palette).map(([role, style]) => [role, painterOf(style(chalk))]));
  const depth = colorDepth < 8 || palette === mono ? undefined : colorDepth < 24 ? 8 : 24;
  return {
    name,
    glyphs,
    isMono: palette === mono,
    depth,
    rows: depth ? rowColors(depth, rowShades[name] ?? rowShades.dark) : {},
    paint: (role, text) => painters.get(role ?? 'plain')?.(text) ?? text,
    hue: (hue, text) => (palette === mono ? text : chalk.bold[hue](text)),
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

/** Paints a text; a line under it leaves out the blanks around it, which are padding. */
const painterOf = (style: ChalkInstance): ((text: string) => string) =>
  style(' ').includes('\x1b[4m') ? (text) => text.replace(/\S(?:[\s\S]*\S)?/, (inner) => style(inner)) : style;

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
