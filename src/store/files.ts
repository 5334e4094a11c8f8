/** Files of this machine by the paths that users type; `~` stands for the home directory. */
export interface Files {
  /** The absolute path of a typed one. */
  resolve(path: string): string;
  /** The typed path with as much added as all entries share that begin with it, and the names of those entries. */
  complete(path: string): Promise<{ path: string; names: readonly string[] }>;
  /** Tells what is at a path; of a file also its first `count` bytes. */
  look(path: string, count?: number): Promise<FoundFile>;
  /** Reads a file whole. Rejects with an Error, one sentence. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Writes a new file that only its owner can read. Rejects with an Error, one sentence, also when there is one already. */
  save(path: string, text: string): Promise<void>;
}

/** A file with its size in bytes, or why there is none to be read at a path. */
export type FoundFile =
  | { kind: 'file'; bytes: number; start: readonly number[] }
  | { kind: 'directory' | 'other' | 'unreadable' }
  | {
      kind: 'nothing';
      /** A new file can be made there. */
      free: boolean;
    };
