import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Invocation } from './invocation.ts';
import type { RunSettings } from './settings.ts';

/** A run of the program, as every command is given it. */
export interface CommandRun {
  invocation: Invocation;
  host: NodeJS.Process;
  /** The profiles, where several are named. */
  profiles?: readonly string[];
  /** Reads the settings of the account, of several those of the first. Rejects with a UsageError. */
  settings: () => Promise<RunSettings>;
  /** A spawned process for the demo API. */
  child?: ChildProcessWithoutNullStreams;
  /** Texts that no report may have, to which more are added. */
  secrets: string[];
  /** Told of what is no result, as a sentence, which may quote labels of the API. */
  complain: (says: string) => void;
}
