import { takesProgress } from './progress.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The abilities of the terminal, as far as they can be known. */
export type Capabilities = ReturnType<typeof capabilitiesOf>;

/** The part of an output stream that tells of the terminal; a pipe has none of it. */
export interface TerminalOutput {
  columns?: number;
  rows?: number;
  getColorDepth?: (env: object) => number;
}

const consoles = /^(linux|vt\d+|cons25|wsvt25)/;

/** Reads the abilities of the terminal from the environment and the stream. */
export function capabilitiesOf(env: Environment, stdout: TerminalOutput) {
  return {
    /** No cursor movement at all: nothing full-screen is possible. */
    dumb: env.TERM === 'dumb',
    /**
     * A console or a hardware terminal: it has one screen and no clipboard, cannot scroll by a number of lines, and may
     * print sequences that it does not know.
     */
    console: consoles.test(env.TERM ?? ''),
    /** Bits of colour: 1 none, 4 sixteen colours, 8 256 colours, 24 all. */
    colorDepth: colorDepthOf(env, stdout.getColorDepth?.({ ...env }) ?? 1),
    glyphs: glyphsOf(env),
    multiplexer: env.TMUX ? 'tmux' : env.STY ? 'screen' : undefined,
    /** Shows the progress of work on its tab or in the task bar. */
    progress: env.TERM !== 'dumb' && !consoles.test(env.TERM ?? '') && takesProgress(env),
    columns: stdout.columns,
    rows: stdout.rows,
  };
}

/** Terminals of all colours whose names do not say so. */
const allColors = /-direct\b|truecolor|kitty|alacritty|foot|ghostty|wezterm|contour/;

/**
 * The bits of colour from what Node says and what it does not know: names of terminals, and what stands in between.
 * A multiplexer may pass on `COLORTERM` of a terminal that it was not started in; 256 colours it translates itself.
 */
function colorDepthOf({ TERM = '', TMUX, STY, NO_COLOR }: Environment, said: number): number {
  if (said < 4 && (NO_COLOR || TERM === '' || TERM === 'dumb')) return said;
  if (consoles.test(TERM)) return Math.min(said, 4);
  if (TMUX || TERM.startsWith('tmux')) return 8;
  if (STY || TERM.startsWith('screen')) return TERM.includes('256') ? 8 : 4;
  return Math.max(said, allColors.test(TERM) ? 24 : TERM.includes('-256color') ? 8 : 1);
}

/**
 * The first locale variable that is set names the character set (POSIX, environment variables).
 * Where none is set, as over many SSH connections, the terminal is most likely a modern one.
 * The fonts of the Linux console and of hardware terminals lack the characters that we draw with.
 */
function glyphsOf({ TERM = '', LC_ALL, LC_CTYPE, LANG }: Environment): 'unicode' | 'ascii' {
  if (TERM === 'dumb' || consoles.test(TERM)) return 'ascii';
  const locale = LC_ALL || LC_CTYPE || LANG;
  return !locale || /utf-?8/i.test(locale) ? 'unicode' : 'ascii';
}
