/** The end of a program. */
export interface ProgramEnding {
  /** Its exit code; undefined where a signal ended it, or it was not started. */
  code?: number;
  timedOut: boolean;
  stopped: boolean;
  ms: number;
  /** A sentence about it: `mtr ended with code 1.` */
  says: string;
}

/** The end of a program without the terminal, with its output. */
export interface PrintedProgram extends ProgramEnding {
  /** Clean, and no more than a limit. */
  lines: readonly string[];
  droppedBytes: number;
}

/** A program that changes something, as the audit log has it. */
export interface RecordedProgram {
  /** The name of the command. */
  command: string;
  /** The area and the row. */
  for: string;
  id?: string;
  /** Without secrets. */
  run: readonly string[];
}

/** Programs of this machine, run by an argument vector and never by a shell. */
export interface Programs {
  /** Writes a line of the audit log; rejects with an Error, one sentence, where that fails: nothing must be run then. */
  record(entry: RecordedProgram): Promise<void>;
  /** Runs one without the terminal; never rejects. */
  run(
    argv: readonly string[],
    options: {
      /** Its standard input. */
      input: string;
      timeoutMs: number;
      signal: AbortSignal;
      /** Told of lines that are complete. */
      onLines: (lines: readonly string[]) => void;
    },
  ): Promise<PrintedProgram>;
  /** Runs one that has the terminal meanwhile; never rejects. */
  onTerminal(argv: readonly string[]): Promise<ProgramEnding>;
}
