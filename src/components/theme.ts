import { Chalk, type ChalkInstance } from 'chalk';
import { createContext, useContext } from 'react';

/** The meaning of a piece of text; the theme decides how that looks. */
export type Role =
  | 'plain'
  | 'good'
  | 'busy'
  | 'bad'
  | 'warn'
  | 'dim'
  | 'accent'
  | 'title'
  | 'cursor'
  | 'mark'
  | 'key'
  | 'series1'
  | 'series2'
  | 'series3'
  | 'series4'
  | 'series5'
  | 'series6';

export interface Theme {
  name: string;
  glyphs: 'unicode' | 'ascii';
  /** The text with the escape sequences of its role around it; unchanged where the theme has none. */
  paint(role: Role, text: string): string;
}

type Palette = Readonly<Partial<Record<Role, (chalk: ChalkInstance) => ChalkInstance>>>;

const dark: Palette = {
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
};

const light: Palette = {
  ...dark,
  busy: (c) => c.magenta,
  warn: (c) => c.magenta,
  accent: (c) => c.blue,
  mark: (c) => c.magenta,
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

/** The names of the themes. */
export const themeNames: readonly string[] = Object.keys(palettes);

/**
 * The theme of this name; only the 16 colours of the terminal are used, so that they follow its own palette.
 * @param color false leaves out colours and keeps bold, underline and inverse
 */
export function themeNamed(name: string, glyphs: Theme['glyphs'], color: boolean): Theme {
  const chalk = new Chalk({ level: 1 });
  const palette = (color ? palettes[name] : mono) ?? dark;
  const painters = new Map(Object.entries(palette).map(([role, style]) => [role, painterOf(style(chalk))]));
  return { name, glyphs, paint: (role, text) => painters.get(role)?.(text) ?? text };
}

/** Paints a text; a line under it leaves out the blanks around it, which are padding. */
function painterOf(style: ChalkInstance): (text: string) => string {
  if (!style(' ').includes('\x1b[4m')) return style;
  return (text) => text.replace(/\S(?:[\s\S]*\S)?/, (inner) => style(inner));
}

const marks = {
  unicode: {
    pointer: '❯',
    mark: '✓',
    good: '✓',
    bad: '✗',
    up: '↑',
    down: '↓',
    dash: '─',
    within: '›',
    secret: '•',
    busy: '◐',
    waiting: '○',
    bar: '▌',
  },
  ascii: {
    pointer: '>',
    mark: '*',
    good: '*',
    bad: 'x',
    up: '^',
    down: 'v',
    dash: '-',
    within: '>',
    secret: '*',
    busy: '~',
    waiting: 'o',
    bar: '!',
  },
} as const;

/** The marks that stand before and between texts, in the characters that a theme may use. */
export const marksOf = ({ glyphs }: Theme): Readonly<Record<keyof (typeof marks)['unicode'], string>> => marks[glyphs];

/** Stands before the line that the cursor is on; as wide before every other one. */
export const pointerOf = (theme: Theme, isCurrent: boolean): string =>
  isCurrent ? theme.paint('accent', marksOf(theme).pointer) : ' ';

/** Gives the theme to every component below. */
export const ThemeContext = createContext<Theme>(themeNamed('mono', 'unicode', false));

/** The current theme. */
export const useTheme = (): Theme => useContext(ThemeContext);
