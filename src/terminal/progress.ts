/** The progress of work: percent, `busy` where that is unknown, `failed`; undefined for none. */
export type TerminalProgress = number | 'busy' | 'failed' | undefined;

/** The sequence that shows progress on a tab or in the task bar (OSC 9;4 of ConEmu). */
export function progressSequence(progress: TerminalProgress): string {
  if (progress === undefined) return '\x1b]9;4;0\x1b\\';
  if (progress === 'busy') return '\x1b]9;4;3\x1b\\';
  if (progress === 'failed') return '\x1b]9;4;2;100\x1b\\';
  return `\x1b]9;4;1;${progress}\x1b\\`;
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
