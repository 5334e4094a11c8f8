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
  | { kind: 'file'; bytes: number; start: readonly number[] }
  | { kind: 'directory' | 'other' | 'unreadable' }
  | {
      kind: 'nothing';
      /** A new file can be made there. */
      free: boolean;
    };
