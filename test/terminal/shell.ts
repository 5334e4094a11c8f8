import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { bundle } from '../build.ts';
import { openPty, type Pty, type PtyOptions } from './pty.ts';

const run = promisify(execFile);

/** Tells what there was before, how the program ended, and whether the modes of the terminal are those it had. */
const script = `echo before; was=$(stty -g); "$0" "$@"; code=$?
if [ "$was" = "$(stty -g)" ]; then echo modes as before; else stty -a; fi; echo "code $code"`;

/** A process of a session: its state is one letter, T where it is stopped. */
interface Process {
  pid: number;
  name: string;
  state: string;
}

/** The built program in a shell in a real pseudo-terminal. */
export interface Shell extends Pty {
  /** The program's own process. */
  program(): Promise<Process>;
  /** Sends the program, not the shell, a signal. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Waits until the program has ended in this way, with everything as it was and no process left. */
  ended(code: number, says?: string | RegExp): Promise<void>;
}

/** Starts the program with `args`; `node` are arguments of Node itself. */
export function openShell(args: readonly string[], { node = [], ...options }: PtyOptions & { node?: string[] }): Shell {
  const pty = openPty('/bin/sh', ['-c', script, process.execPath, ...node, bundle, ...args], options);
  const program = async () => {
    const found = (await processesOf(pty.pid)).find(({ name }) => name === 'node' || name === 'MainThread');
    if (!found) throw new Error('the program does not run');
    return found;
  };
  return {
    ...pty,
    get bytes() {
      return pty.bytes;
    },
    program,
    signal: async (signal: NodeJS.Signals) => void process.kill((await program()).pid, signal),
    async ended(code: number, says: string | RegExp = '') {
      await pty.waitFor(`code ${code}`, { timeoutMs: 20_000 });
      await pty.exit;
      expectModesOff(pty);
      const lines = pty.text().trim().split('\n');
      expect(lines[0]).toBe('before');
      expect(lines.slice(-2)).toEqual(['modes as before', `code ${code}`]);
      // A sentence may take several lines of the terminal.
      const said = lines.slice(1, -2).join('');
      if (typeof says === 'string') expect(said).toBe(says);
      else expect(said).toMatch(says);
      expect(await processesOf(pty.pid)).toEqual([]);
    },
  };
}

/** On the main screen, with a visible cursor, and nothing switched on that a shell does not expect. */
export function expectModesOff(pty: Pty): void {
  expect(pty.terminal.buffer.active.type).toBe('normal');
  expect(pty.terminal.modes).toMatchObject({
    bracketedPasteMode: false,
    sendFocusMode: false,
    applicationCursorKeysMode: false,
    mouseTrackingMode: 'none',
    synchronizedOutputMode: false,
    wraparoundMode: true,
  });
  expect(pty.bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(pty.bytes.lastIndexOf('\x1b[?25l'));
  expect(modesLeft(pty.bytes)).toEqual([]);
}

const changesMode =
  /\x1b(?:\[\?(?<modes>[\d;]+)(?<set>[hl])|\[(?<keys>[<>])\d*u|\[(?<title>2[23]);2t|\]9;4;(?<state>\d))/g;

/** Everything that was switched on and is not off again, or the other way round, by all that was written. */
export function modesLeft(bytes: string): readonly string[] {
  // Those that a shell expects.
  const usual = ['7', '25'];
  const on = new Set(usual);
  let [keyboards, titles, hasProgress] = [0, 0, false];
  for (const { groups = {} } of bytes.matchAll(changesMode)) {
    const { modes, set, keys, title, state } = groups;
    for (const mode of modes?.split(';') ?? []) {
      if (set === 'h') on.add(mode);
      else on.delete(mode);
    }
    if (keys) keyboards = Math.max(0, keyboards + (keys === '>' ? 1 : -1));
    if (title) titles += title === '22' ? 1 : -1;
    if (state) hasProgress = state !== '0';
  }
  return [
    ...[...on].filter((mode) => !usual.includes(mode)).map((mode) => `mode ${mode} is on`),
    ...usual.filter((mode) => !on.has(mode)).map((mode) => `mode ${mode} is off`),
    ...(keyboards > 0 ? ['the keyboard protocol is on'] : []),
    ...(titles !== 0 ? [`${titles} titles are kept`] : []),
    ...(hasProgress ? ['progress is shown'] : []),
  ];
}

const processIds = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name));

/** All processes of a session, without those that have ended and only wait to be asked how. */
export async function processesOf(session: number): Promise<readonly Process[]> {
  const pids = await processIds();
  const all = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, name = '', state = '', sid] = /^\d+ \((.*)\) (\S) \d+ \d+ (\d+)/.exec(stat) ?? [];
      return { pid: Number(pid), name, state, session: Number(sid) };
    }),
  );
  return all
    .filter((process) => process.session === session && process.state !== 'Z')
    .map(({ pid, name, state }) => ({ pid, name, state }));
}

/** The ids of all processes with such a text in their command lines, of whatever session. */
export async function processesNaming(text: string): Promise<readonly string[]> {
  const pids = await processIds();
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => lines[index]?.includes(text));
}

/** The modes of the terminal that a process has as its input, as `stty -a` tells them. */
export async function modesOf(pid: number): Promise<string> {
  return (await run('stty', ['-a', '-F', await readlink(`/proc/${pid}/fd/0`)])).stdout;
}
