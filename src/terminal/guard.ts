import { constants } from 'node:os';
import { isJob } from './job.ts';
import type { Terminal } from './terminal.ts';

/** The part of the process that the guard needs. */
export interface GuardedProcess {
  readonly pid: number;
  on(event: NodeJS.Signals, listener: () => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  emit(event: 'SIGWINCH', signal: 'SIGWINCH'): unknown;
  kill(pid: number, signal: 'SIGSTOP' | 'SIGTSTP'): unknown;
  exit(code: number): void;
}

/** Told by the guard when the terminal has been restored. */
export interface GuardHandlers {
  /** Why the program ends, as a sentence. */
  onEnd(sentence: string): void;
  /** A fault of the program; answers the exit code. */
  onCrash(error: unknown): number;
}

/** Those that end a process that does not listen to them; with no listener, Node answers SIGUSR1 by opening a debugger. */
const signals = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGABRT',
  'SIGALRM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGVTALRM',
  'SIGXCPU',
] as const;
/** By convention a process that a signal ended answers so. */
const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
/** The longest that a timer can run, in milliseconds. */
const longestTimer = 2_147_483_647;
/** Those that keys send to all that run in a terminal which nobody has set to raw mode. */
const fromKeys: readonly string[] = ['SIGINT', 'SIGQUIT'];

/**
 * Restores the terminal on every way out: signals, a crash, a terminal that went away, an exit from anywhere;
 * and leaves it to the shell while the process is stopped. Answers what stops it, with all that the shell started with it,
 * as ctrl-z does outside raw mode; that answers false where no shell would bring it back.
 */
export function guard(host: GuardedProcess, terminal: Terminal, { onEnd, onCrash }: GuardHandlers): () => boolean {
  /** A fault in the drawing may come once more while that is taken down; the program ends only once. */
  const exit = (code: number) => {
    try {
      host.exit(code);
    } catch {
      host.exit(code);
    }
  };
  let isLeaving = false;
  let isOver = false;
  const leave = (code: () => number) => {
    const end = () => {
      // A terminal that is half gone fails once more while it is restored.
      if (isOver) return;
      isOver = true;
      terminal.restore();
      exit(code());
    };
    // Who is in a hurry says so twice.
    if (!terminal.hasChild || isLeaving) return end();
    isLeaving = true;
    void terminal.endChild().then(end);
  };
  const leaveSaying = (sentence: string, code: number) =>
    leave(() => {
      onEnd(sentence);
      return code;
    });
  for (const signal of signals) {
    host.on(signal, () => {
      if (!terminal.hasChild || !fromKeys.includes(signal))
        leaveSaying(`Skydeck was ended by ${signal}.`, codeOf(signal));
    });
  }
  let stopped: NodeJS.Timeout | undefined;
  const halt = () => {
    // Without a terminal to read from there may be nothing that the process still waits for, and it would end.
    stopped ??= setTimeout(() => {}, longestTimer);
    host.kill(host.pid, 'SIGSTOP');
  };
  /** Whether the process has told itself to stop; it hears of that when it goes on. */
  let isOwn = false;
  host.on('SIGTSTP', () => {
    if (!isOwn) {
      terminal.suspend();
      halt();
    }
    isOwn = false;
  });
  host.on('SIGCONT', () => {
    // It may have been stopped without a warning, and only who is in the foreground is told of another size.
    terminal.suspend();
    host.emit('SIGWINCH', 'SIGWINCH');
    terminal.resume();
    clearTimeout(stopped);
    stopped = undefined;
  });
  host.on('SIGWINCH', () => terminal.windowChanged());
  host.on('uncaughtException', (error) => leave(() => onCrash(error)));
  host.on('unhandledRejection', (error) => leave(() => onCrash(error)));
  host.on('exit', () => terminal.restore());
  // A connection that dropped without a hang-up ends the input or breaks it.
  const gone = () => leaveSaying('Skydeck ended because its terminal is gone.', codeOf('SIGHUP'));
  for (const event of ['end', 'error', 'close']) terminal.stdin.on(event, gone);
  terminal.stdout.on('error', gone);
  return () => {
    if (!isJob()) return false;
    // The shell takes the terminal as soon as the first of the job has stopped, and may let all go on at once.
    terminal.suspend();
    isOwn = true;
    host.kill(0, 'SIGTSTP');
    halt();
    return true;
  };
}
