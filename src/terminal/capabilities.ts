import { clean } from '../text/cells.ts';

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
export const capabilitiesOf = (env: Environment, stdout: TerminalOutput) => ({
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
  /** Its background as rxvt and Konsole tell it, text and background by number; white and the bright colours are light. */
  isLight: /;(?:7|9|1[0-5])$/.test(env.COLORFGBG ?? ''),
  /** Shows the progress of work on its tab or in the task bar. */
  progress: env.TERM !== 'dumb' && !consoles.test(env.TERM ?? '') && takesProgress(env),
  columns: stdout.columns,
  rows: stdout.rows,
});

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

/** The progress of work: percent, `busy` where that is unknown, `failed`; undefined for none. */
export type TerminalProgress = number | 'busy' | 'failed' | undefined;

/** The sequence that shows progress on a tab or in the task bar (OSC 9;4 of ConEmu). */
export function progressSequence(progress: TerminalProgress): string {
  if (progress === undefined) return '\x1b]9;4;0\x1b\\';
  if (progress === 'busy') return '\x1b]9;4;3\x1b\\';
  return progress === 'failed' ? '\x1b]9;4;2;100\x1b\\' : `\x1b]9;4;1;${progress}\x1b\\`;
}

/** The first versions that show progress; others have none, or show a notification of this text instead. */
const firstVersions: Readonly<Record<string, readonly number[]>> = {
  'iTerm.app': [3, 6, 6],
  mintty: [3, 4, 2],
  // The date of a build, as in 20250209-182623-44866cc1.
  WezTerm: [20_250_209],
};

/** Versions of Konsole and of VTE, which give theirs as one number. */
const numbered = { KONSOLE_VERSION: 241_200, VTE_VERSION: 8000 } as const;

/** Whether the terminal is known to show progress. A multiplexer would not pass it on, and hides which terminal it is. */
export function takesProgress(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.TMUX || env.STY) return false;
  if (env.ConEmuANSI === 'ON' || env.WT_SESSION || env.TERM === 'xterm-ghostty') return true;
  const { TERM_PROGRAM = '', TERM_PROGRAM_VERSION = '' } = env;
  if (TERM_PROGRAM === 'ghostty') return true;
  const first = firstVersions[TERM_PROGRAM];
  if (first) return isFrom(TERM_PROGRAM_VERSION.split(/[.-]/).map(Number), first);
  return Object.entries(numbered).some(([name, version]) => Number(env[name] ?? 0) >= version);
}

/** Whether a version is this one or later. */
function isFrom(version: readonly number[], first: readonly number[]): boolean {
  const at = first.findIndex((part, index) => part !== version[index]);
  return at < 0 || (version[at] ?? 0) > (first[at] ?? 0);
}

/** Wraps a sequence so that tmux (with `allow-passthrough`) or screen passes it through; unchanged without them. */
export function wrapped(sequence: string, multiplexer: Capabilities['multiplexer']): string {
  if (multiplexer === 'tmux') return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  // screen cuts off longer strings that it passes through.
  return multiplexer === 'screen' ? sequence.replace(/.{1,240}/gs, (part) => `\x1bP${part}\x1b\\`) : sequence;
}

/** The longest text that a terminal copies; some cut off or refuse longer ones. */
export const maxCopyBytes = 74_994;

/**
 * The sequence that copies a text to the terminal's clipboard (OSC 52), also over SSH and inside tmux and screen.
 * Throws a RangeError with a sentence for the user when the text is too long, or when the terminal has no clipboard.
 */
export function copySequence(text: string, env: Environment): string {
  const { multiplexer, console } = capabilitiesOf(env, {});
  if (console) throw new RangeError(`A ${env.TERM} terminal has no clipboard, so nothing was copied.`);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxCopyBytes) {
    throw new RangeError(
      `This text has ${bytes.length} bytes, and a terminal copies at most ${maxCopyBytes}; save it to a file instead.`,
    );
  }
  const copy = `\x1b]52;c;${bytes.toString('base64')}\x07`;
  // tmux obeys one or the other, by its options set-clipboard and allow-passthrough.
  return `${multiplexer === 'tmux' ? copy : ''}${wrapped(copy, multiplexer)}`;
}

/** Rings the bell. */
export const bell = '\x07';

/** More than any notification shows, in UTF-16 units. */
const maxUnits = 240;

/**
 * The sequences that show a desktop notification: OSC 9 and OSC 777, of which each terminal knows one or none, also over
 * SSH and inside tmux and screen. Empty on a console, which would print them.
 */
export function notificationSequence(title: string, text: string, env: Environment): string {
  const { multiplexer, console } = capabilitiesOf(env, {});
  if (console) return '';
  // A semicolon separates parameters.
  const [head, body] = [title, text].map((part) => clean(part, maxUnits).replaceAll(';', ','));
  return [`\x1b]9;${head}: ${body}\x07`, `\x1b]777;notify;${head};${body}\x07`]
    .map((sequence) => wrapped(sequence, multiplexer))
    .join('');
}
