/** Files of this machine by the paths that users type; `~` stands for the home directory. */
export interface Files {
  /** The absolute path of a typed one. */
  resolve(path: string): string;
  /** The typed path extended by the common prefix of the matching entries, and the names of these. */
  complete(path: string): Promise<{ path: string; names: readonly string[] }>;
  /** Inspects a path; of a file also its first `count` bytes. */
  look(path: string, count?: number): Promise<FoundFile>;
  /** Reads a whole file. Rejects with an Error, one sentence. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Why somebody else may have written a plan, as a sentence; nobody can say where it is left out. */
  whyUnsafePlan?(path: string): Promise<string | undefined>;
  /**
   * Writes a new file that only its owner can read. Rejects with an Error, one sentence, also when there is one already.
   * @param isOver takes the place of one that is there, whole or not at all
   */
  save(path: string, text: string, isOver?: boolean): Promise<void>;
}

/** A file with its size in bytes, or why the path has no readable one. */
export type FoundFile =
  | { kind: 'file'; bytes: number; start: readonly number[]; isLink?: true }
  | { kind: 'directory' | 'other' | 'unreadable' }
  | {
      kind: 'nothing';
      /** A new file can be made there. */
      free: boolean;
    };

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
