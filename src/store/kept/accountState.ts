/** Values of one kind, by key, that outlive the session; all sessions of an account have the same. */
export interface StoredValues {
  /**
   * Those that are kept, the last changed last. Throws an Error, one sentence.
   * @param keys only these
   */
  read(keys?: Iterable<string>): ReadonlyMap<string, unknown>;
  /** Puts values, and removes those that are undefined; others stay. Throws an Error, one sentence. */
  put(values: Iterable<readonly [key: string, value: unknown]>): void;
}

/** The kinds of values that are kept of an account. */
export type StoredKind = 'view' | 'acknowledged' | 'plan' | 'progress' | 'unsent' | 'run' | 'message';

/** The values that are kept of an account between sessions. */
export interface AccountState {
  of(kind: StoredKind): StoredValues;
  /** Reads and writes as one: no other session writes in between. Throws an Error, one sentence, where it is not written. */
  together<T>(act: () => T): T;
  /** Has other members once anything may be kept otherwise than before; undefined where nothing is kept. Throws an Error, one sentence. */
  stamp(): readonly unknown[] | undefined;
  /**
   * Lets no other session carry these steps out until the result is called, or the process has ended. Throws an Error,
   * one sentence.
   * @param uids the identities of the steps
   * @returns undefined where another session is carrying one of them out
   */
  begin(uids: readonly string[]): (() => void) | undefined;
  /** The steps of which another session is carrying some out; undefined where none does. Throws an Error, one sentence. */
  running(uids: readonly string[]): Running | undefined;
  /** When an earlier database was set aside, the last time: of plans from before, nothing may be known. */
  asideAt(): number | undefined;
  /** The API has said the account's own id; from then on everything is of that account. Never throws. */
  confirm(euuid: string): void;
  /** Looks whether another session has written since, and tells those that wait for it. Never throws. */
  look(): void;
  /** Tells when another session has written, or when it is seen to be another account; returns a function that ends this. */
  onNews(listener: () => void): () => void;
}

/** Steps that a session is carrying out. */
export interface Running {
  uids: readonly string[];
  pid: number;
  /** The name of the machine. */
  host: string;
  /** When it began. */
  at: number;
}
