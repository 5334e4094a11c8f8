import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { attempt } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import { endPrograms } from './childProgram.ts';
import type { Terminal } from './terminal.ts';

/** The part of `process` that the guard needs. */
export interface GuardedProcess {
  readonly pid: number;
  on(event: NodeJS.Signals, listener: () => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  emit(event: 'SIGWINCH', signal: 'SIGWINCH'): unknown;
  kill(pid: number, signal: 'SIGSTOP' | 'SIGTSTP'): unknown;
  exit(code: number): void;
}

/** Called when the terminal has been restored. */
export interface GuardHandlers {
  /** Given the reason why the program ends, as a sentence. */
  onEnd(sentence: string): void;
  /** Given a fault of the program; returns the exit code. */
  onCrash(error: unknown): number;
  /** Ends what goes on without a terminal, once a signal or the loss of the terminal ends the program. */
  finish?(): Promise<unknown>;
}

/** The program ends after so long, whatever is still to be finished: whoever sent the signal waits. */
const maxFinishMs = 2000;

/** Signals that end a process without a listener; at SIGUSR1, Node would open a debugger. */
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
/** The exit code of a process that a signal ended, by the convention of shells. */
const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * Restores the terminal on every way out: signals, a crash, a terminal that went away, an exit from anywhere;
 * and leaves it to the shell while the process is stopped. Returns a function that stops the whole job, as ctrl-z does
 * outside raw mode, or returns false where no shell could continue it.
 */
export function guard(
  host: GuardedProcess,
  terminal: Terminal,
  { onEnd, onCrash, finish }: GuardHandlers,
): () => boolean {
  // The exit handlers take the drawing down, where the fault that ends the program may be thrown again.
  const exit = (code: number) => {
    try {
      host.exit(code);
    } catch {
      host.exit(code);
    }
  };
  let isLeaving = false;
  let isOver = false;
  /** Reports the first fault, as others may follow from it. */
  let crash: (() => number) | undefined;
  const leave = (code: () => number, isCrash = false) => {
    if (isCrash) crash ??= code;
    const end = () => {
      // A terminal that is gone fails again while it is restored, and a shell passes the signal on that it got.
      if (isOver) return;
      isOver = true;
      terminal.restore();
      const own = (crash ?? code)();
      if (crash || !finish) return exit(own);
      setTimeout(exit, maxFinishMs, own);
      void finish()
        .catch(() => {})
        .then(() => exit(own));
    };
    // A second signal waits neither for the child nor for the terminal, whose answers would be typed into the shell.
    const last = terminal.hasChild() ? terminal.endChild() : terminal.answered();
    if (!last || isLeaving) return end();
    isLeaving = true;
    void last.then(end);
  };
  const leaveSaying = (sentence: string, code: number) =>
    leave(() => {
      onEnd(sentence);
      return code;
    });
  for (const signal of signals) {
    host.on(signal, () => {
      // Keys send them to every process of a terminal that is not in raw mode.
      if (terminal.hasChild() && ['SIGINT', 'SIGQUIT'].includes(signal)) return;
      leaveSaying(`Skydeck was ended by ${signal}.`, codeOf(signal));
    });
  }
  let keepAlive: NodeJS.Timeout | undefined;
  const halt = () => {
    // While the terminal is suspended the event loop may be empty, and the process would end.
    keepAlive ??= setTimeout(() => {}, timerDelay(Number.POSITIVE_INFINITY));
    host.kill(host.pid, 'SIGSTOP');
  };
  /** Whether the process has sent SIGTSTP itself; it is delivered after the process was continued. */
  let isOwn = false;
  host.on('SIGTSTP', () => {
    if (!isOwn) {
      terminal.suspend();
      halt();
    }
    isOwn = false;
  });
  host.on('SIGCONT', () => {
    // SIGSTOP comes without a warning, and only the foreground job is told of another window size.
    terminal.suspend();
    host.emit('SIGWINCH', 'SIGWINCH');
    terminal.resume();
    clearTimeout(keepAlive);
    keepAlive = undefined;
  });
  host.on('SIGWINCH', () => terminal.windowChanged());
  host.on('uncaughtException', (error) => leave(() => onCrash(error), true));
  host.on('unhandledRejection', (error) => leave(() => onCrash(error), true));
  host.on('exit', () => {
    endPrograms();
    terminal.restore();
  });
  // A connection that drops without SIGHUP ends the input or breaks it.
  const gone = () => leaveSaying('Skydeck ended because its terminal is gone.', codeOf('SIGHUP'));
  for (const event of ['end', 'error', 'close']) terminal.stdin.on(event, gone);
  terminal.stdout.on('error', gone);
  return () => {
    if (!isJob()) return false;
    // The shell takes the terminal as soon as one process of the job has stopped, and may continue all at once.
    terminal.suspend();
    isOwn = true;
    host.kill(0, 'SIGTSTP');
    halt();
    return true;
  };
}

/**
 * Whether a shell with job control runs this process, so that it can continue it once it was stopped. The first process
 * of a terminal would stay stopped for good.
 * @param stat the content of /proc/self/stat; without it, as outside Linux, a shell is assumed
 */
export function isJob(stat = attempt(() => readFileSync('/proc/self/stat', 'utf8'))): boolean {
  const [, group, session] = /^\d+ \(.*\) \S \d+ (\d+) (\d+) /s.exec(stat ?? '') ?? [];
  return group === undefined || group !== session;
}
