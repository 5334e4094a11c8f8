import type { Terminal } from './terminal.ts';

/** The part of the process that the guard needs. */
export interface Host {
  on(event: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'exit', listener: () => void): unknown;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  exit(code: number): void;
}

/** What a process ended by a signal answers by convention: 128 and the signal's number. */
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Restores the terminal on every way out: signals, a crash, a terminal that went away, an exit from anywhere.
 * @param onCrash told what happened, with the terminal restored; answers the exit code
 */
export function guard(host: Host, terminal: Terminal, onCrash: (error: unknown) => number): void {
  const leave = (code: number) => {
    terminal.restore();
    host.exit(code);
  };
  const crash = (error: unknown) => {
    terminal.restore();
    host.exit(onCrash(error));
  };
  host.on('SIGTERM', () => leave(signals.SIGTERM));
  host.on('SIGHUP', () => leave(signals.SIGHUP));
  host.on('SIGINT', () => {
    if (!terminal.lent) leave(signals.SIGINT);
  });
  host.on('uncaughtException', crash);
  host.on('unhandledRejection', crash);
  host.on('exit', () => terminal.restore());
  // A connection that dropped without a hang-up ends the input or breaks it.
  for (const event of ['end', 'error', 'close']) terminal.stdin.on(event, () => leave(signals.SIGHUP));
  terminal.stdout.on('error', () => leave(signals.SIGHUP));
}
