import type { Environment } from './capabilities.ts';
import { type Ending, endingText, runOnTerminal, runProgram } from './childProgram.ts';
import type { Terminal } from './terminal.ts';

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
