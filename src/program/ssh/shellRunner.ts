import { noShell, type Shell, type ShellEnd, type ShellEntry, shellEntry } from '../../store/ssh.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { endingText, isGoodEnd, runOnTerminal, runProgram } from '../../terminal/childProgram.ts';
import { cut } from '../../text/cells.ts';

interface ShellRunnerOptions {
  /** The environment of programs, without tokens. */
  env: () => Environment;
  /** The variables that hold tokens: the server of tmux may have them, too. */
  withheld: () => readonly string[];
  /** Leaves the terminal to what it runs. */
  onTerminal: <T>(run: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Writes on the terminal that was left. */
  print: (text: string) => void;
  /** Writes a line into the audit log; rejects where that fails. */
  record: (entry: ShellEntry, profile: string) => Promise<void>;
  isDemo: boolean;
}

/** A tmux command that hangs is given up after so long. */
const tmuxMs = 5_000;

/**
 * Returns the function that opens shells: within tmux a window for each of several, else one after the other on this
 * terminal. It rejects with a sentence in the demo, whose servers nobody can log in to, and where the audit log fails.
 */
export function shellRunner({ env, withheld, onTerminal, print, record, isDemo }: ShellRunnerOptions) {
  return async (shells: readonly Shell[], profile: string): Promise<readonly ShellEnd[]> => {
    if (isDemo) throw new Error(noShell.demo);
    const windows = shells.length > 1 && env().TMUX;
    for (const shell of shells) await record(shellEntry(shell), profile);
    if (windows) return inWindows(await Promise.all(shells.map((shell) => openWindow(shell, env(), withheld()))));
    return onTerminal(async (signal) => {
      const ends: ShellEnd[] = [];
      for (const [index, { argv, label }] of shells.entries()) {
        if (signal.aborted) break;
        if (shells.length > 1)
          print(`${cut(label, 60)} (${index + 1} of ${shells.length}): ${cut(argv.join(' '), 200)}\r\n`);
        const ending = await runOnTerminal(argv, { env: env(), signal, stays: 'failed' });
        ends.push({ isGood: isGoodEnd(ending), says: `Shell on ${label}: ${endingText(argv[0] ?? '', ending)}` });
        if (ending.error !== undefined) break;
      }
      return ends;
    });
  };
}

/** One notice for all windows that were opened, where a shell may have failed since, and one for each that is not. */
function inWindows(ends: readonly ShellEnd[]): readonly ShellEnd[] {
  const failed = ends.filter(({ isGood }) => !isGood);
  const open = ends.length - failed.length;
  if (open === 0) return failed;
  const says = open === 1 ? 'A window of tmux was opened.' : `${open} windows of tmux were opened.`;
  return [{ isGood: true, says }, ...failed];
}

/** A word that tmux does not take for the end of a command. */
const tmuxWord = (word: string): string => word.replace(/;$/, '\\;');

/**
 * Opens a window of tmux, where the server's environment holds, which may have tokens. It runs an argument vector without a
 * shell only where it has two parts and more.
 */
async function openWindow({ argv, label }: Shell, env: Environment, withheld: readonly string[]): Promise<ShellEnd> {
  // tmux expands #() in the names of windows.
  const name = label.replace(/[^\w.-]/g, '_');
  // It runs without the variables that are withheld; of any other names there can be none.
  const vector = ['env', ...withheld.filter((name) => /^\w+$/.test(name)).flatMap((name) => ['-u', name]), ...argv];
  // One call of tmux, so that the window is not gone yet; an older one than 3.2 knows of no "failed".
  const stays = [';', 'last-window', ';', 'set-option', '-w', '-t', '{last}', 'remain-on-exit', 'failed'];
  const ending = await runProgram(
    ['tmux', 'new-window', '-P', '-F', '#{window_id}', '-n', name, '--', ...vector.map(tmuxWord), ...stays],
    { env, timeoutMs: tmuxMs },
  );
  const [first] = ending.lines;
  if (ending.code === 0 || /^@\d+$/.test(first ?? ''))
    return { isGood: true, says: `A window of tmux was opened for ${label}.` };
  return { isGood: false, says: `Shell on ${label}: ${first ? `tmux says ${first}.` : endingText('tmux', ending)}` };
}
