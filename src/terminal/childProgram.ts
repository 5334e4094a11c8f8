import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { clean } from '../text/cells.ts';
import { reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import type { Environment } from './capabilities.ts';
import { createPrintedLines } from './printedLines.ts';
import type { Terminal } from './terminal.ts';

/** The end of a program: a code, a signal, or why it was not started. */
interface Ending {
  /** Its exit code; undefined where a signal ended it, or it was not started. */
  code?: number;
  signal?: NodeJS.Signals;
  /** It took longer than its time limit and was ended. */
  timedOut: boolean;
  /** It was ended on demand. */
  stopped: boolean;
  /** Why it was not started, as a sentence. */
  error?: string;
  /** So long it ran, in milliseconds. */
  ms: number;
  /** Its time limit, in milliseconds. */
  timeoutMs?: number;
}

/** The options of a program. */
export interface ProgramOptions {
  /** Its environment, which must not hold the token. */
  env: Environment;
  /** Ends it. */
  signal?: AbortSignal;
}

/** The options of a program without the terminal. */
interface PrintedOptions extends ProgramOptions {
  /** Its standard input; empty by default. */
  input?: string;
  /** It is ended after so long. */
  timeoutMs?: number;
  /** So much of its output is kept; 256 KiB by default. */
  maxBytes?: number;
  /** Told of every line that is complete, clean. */
  onLines?: (lines: readonly string[]) => void;
}

/** A program that does not end by SIGTERM is killed after so many tenths of a second. */
const killDelay = 20;

/** A program that has ended may leave others behind; those that still hold its output are killed after so long. */
const closeDelayMs = 500;

/**
 * Runs a program by an argument vector, without a shell and without the terminal. It has a session of its own: all that it
 * starts ends with it. Never rejects.
 * @returns its end with all that it printed on standard output and standard error, as it came
 */
export async function runProgram(
  argv: readonly string[],
  { env, signal, input = '', timeoutMs, maxBytes = 262_144, onLines }: PrintedOptions,
) {
  const printed = createPrintedLines(maxBytes, onLines);
  const ending = await runChild(argv, env, { signal, timeoutMs, detached: true, end: endGroup }, async (child) => {
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', printed.reader());
    // It may end without reading.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    await once(child, 'exit');
    await closed(child);
    running.delete(child);
  });
  return { ...ending, ...printed.end() };
}

interface TerminalOptions extends ProgramOptions {
  /** Waits for enter before the screen is drawn over the output of the program: always, or where it failed and says why. */
  stays?: 'failed' | 'always';
}

/**
 * Runs a program that has the terminal, which must have been left to it (`Terminal.runChild`): its modes are afterwards as
 * they were. Never rejects.
 */
export async function runOnTerminal(argv: readonly string[], { env, signal, stays }: TerminalOptions): Promise<Ending> {
  const modes = await terminalModes(env);
  const ending = await runOnScreen(argv, { env, signal });
  if (modes !== '') await once(spawn('stty', [modes], { stdio: ['inherit', 'ignore', 'ignore'], env }), 'close');
  if (stays === 'always' ? !ending.stopped && ending.error === undefined : stays && saysWhyAtEnd(ending)) {
    const says = `${clean(endingText(argv[0] ?? '', ending))} Press enter to return.`;
    const script = `printf '${plainText}\\n%s ' "$1"; read -r _`;
    await runOnScreen(['/bin/sh', '-c', script, 'sh', says], { env, signal });
  }
  return ending;
}

/** Runs a program that has the terminal, and leaves the modes as it leaves them. Never rejects. */
export const runOnScreen = (argv: readonly string[], { env, signal }: ProgramOptions): Promise<Ending> =>
  runChild(argv, env, { signal, detached: false, end: endChild }, async (child) => {
    await once(child, 'exit');
  });

/** The usual characters and colours, which a program may have left for others. */
const plainText = '\\017\\033(B\\033[0m';

/** A sentence about how a program ended. */
export function endingText(
  program: string,
  { code, signal, timedOut, stopped, error, ms, timeoutMs = ms }: Ending,
): string {
  if (error !== undefined) return error;
  if (timedOut) return `${program} was ended because it took longer than ${Math.round(timeoutMs / 1000)} s.`;
  if (stopped) return `${program} was stopped.`;
  return code === undefined
    ? `${program} was ended by ${signal ?? 'a signal'}.`
    : `${program} ended with code ${code}.`;
}

/** A program that fails so soon has just said why, in milliseconds. */
const soonMs = 15_000;

/** ssh ends with it where it failed itself, whenever that is. */
const sshFailure = 255;

/** Where ctrl-c ended the last command of a shell, that is its own code as well. */
const interrupted = 130;

/** Whether a shell ended as somebody wanted it to. */
export const isGoodEnd = ({ code }: Pick<Ending, 'code'>): boolean => code === 0 || code === interrupted;

/** Whether the last that a program printed is probably why it failed: a shell also ends with the code of its last command. */
const saysWhyAtEnd = ({ code, signal, stopped, ms }: Ending): boolean =>
  !stopped &&
  !isGoodEnd({ code }) &&
  (code === sshFailure || ((code !== undefined || signal !== undefined) && ms < soonMs));

interface ChildOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  detached: boolean;
  end: (child: ChildProcess) => void;
}

async function runChild(
  [program = '', ...rest]: readonly string[],
  env: Environment,
  { signal, timeoutMs, detached, end }: ChildOptions,
  ended: (child: ChildProcess) => Promise<void>,
): Promise<Ending> {
  const began = performance.now();
  const result = { timedOut: false, stopped: false, timeoutMs };
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    if (signal?.aborted) return { ...result, stopped: true, ms: 0 };
    const child = spawn(program, rest, { env: { ...env }, detached, stdio: detached ? 'pipe' : 'inherit' });
    const failed = once(child, 'spawn');
    stop = () => {
      if (result.timedOut || result.stopped) return;
      result.stopped = true;
      end(child);
    };
    await failed;
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    if (timeoutMs !== undefined)
      timer = setTimeout(() => {
        if (result.stopped) return;
        result.timedOut = true;
        end(child);
      }, timerDelay(timeoutMs));
    await ended(child);
    const ms = performance.now() - began;
    return { ...result, ms, code: child.exitCode ?? undefined, signal: child.signalCode ?? undefined };
  } catch (error) {
    return { ...result, ms: performance.now() - began, error: whyNotStarted(program, error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function whyNotStarted(program: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `The program ${program} was not found; install it, or write its whole path.`;
  if (code === 'E2BIG') return `The program ${program} cannot be run: its arguments are too long.`;
  return `The program ${program} cannot be run: ${reasonOf(error)}.`;
}

/** Resolves when the output is closed; what holds it open too long is killed. */
async function closed(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream): stream is Readable => stream?.closed === false);
  if (streams.length === 0) return;
  const timer = setTimeout(() => {
    inGroup(child, `${groupSignal('KILL')}`);
    for (const stream of streams) stream.destroy();
  }, closeDelayMs);
  await Promise.all(streams.map((stream) => once(stream, 'close').catch(() => {})));
  clearTimeout(timer);
}

const groupSignal = (name: string) => `kill -s ${name} -- "-$1" 2>/dev/null`;

/** Programs without the terminal that run. */
const running = new Set<ChildProcess>();

/** Ends all programs without the terminal, as Skydeck itself ends. */
export function endPrograms(): void {
  for (const child of running) endGroup(child);
}

/** Ends the program and all that it has started; the shell does so even where Skydeck itself ends meanwhile. */
const endGroup = (child: ChildProcess): void =>
  inGroup(
    child,
    `${groupSignal('TERM')}; n=0
while [ $n -lt ${killDelay} ] && ${groupSignal('0')}; do sleep 0.1; n=$((n+1)); done
${groupSignal('KILL')}`,
  );

/** Has a shell of its own session carry out these commands; `$1` is the group. */
function inGroup({ pid }: ChildProcess, commands: string): void {
  const shell = spawn('/bin/sh', ['-c', commands, 'sh', String(pid)], { stdio: 'ignore', detached: true });
  shell.on('error', () => {});
  shell.unref();
}

/** It shares the group of Skydeck, so only it can be ended, and it ends what it has started. */
function endChild(child: ChildProcess): void {
  child.kill('SIGHUP');
  setTimeout(() => child.kill('SIGKILL'), killDelay * 100).unref();
}

/** The modes of the terminal as `stty` takes them back; empty where they cannot be read. */
async function terminalModes(env: Environment): Promise<string> {
  const child = spawn('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'], env: { ...env } });
  let modes = '';
  child.stdout.on('data', (part) => {
    modes += String(part);
  });
  const [code] = await once(child, 'close').catch(() => [1]);
  return code === 0 ? modes.trim() : '';
}

interface ProgramsOptions<Entry> {
  /** The environment of a program, which must not hold a token. */
  env: () => Environment;
  terminal: Pick<Terminal, 'runChild'>;
  /** Writes a line of the audit log. */
  record?: (entry: Entry) => Promise<void>;
}

/** Runs programs of this machine by their arguments, never by a shell. */
export function openPrograms<Entry>({ env, terminal, record }: ProgramsOptions<Entry>) {
  const told = <E extends Ending>([program = '']: readonly string[], ending: E) => ({
    ...ending,
    says: endingText(program, ending),
  });
  return {
    record: async (entry: Entry) => record?.(entry),
    run: async (argv: readonly string[], options: Omit<Parameters<typeof runProgram>[1], 'env'>) =>
      told(argv, await runProgram(argv, { ...options, env: env() })),
    onTerminal: async (argv: readonly string[]) =>
      told(argv, await terminal.runChild((signal) => runOnTerminal(argv, { env: env(), signal, stays: 'always' }))),
  };
}
