/** Values of one kind, by key, that outlive the session; all sessions of an account have the same. */
export interface KeptValues {
  /** Those that are kept, the last changed last. Throws an Error, one sentence. */
  read(): ReadonlyMap<string, unknown>;
  /**
   * Changes some of them; no other session writes in between, and those that are not named stay. Throws an Error, one
   * sentence.
   * @param alter given those that are kept, returns values to be put, undefined for one that goes
   */
  change(alter: (kept: ReadonlyMap<string, unknown>) => Iterable<readonly [key: string, value: unknown]>): void;
}

/** The kinds of values that are kept of an account. */
export type KeptKind = 'view' | 'acknowledged' | 'plan' | 'progress' | 'run';

/** The values that are kept of an account between sessions. */
export interface AccountState {
  of(kind: KeptKind): KeptValues;
  /** The API has said the account's own id; from then on everything is of that account. Never throws. */
  confirm(euuid: string): void;
  /** Looks whether another session has written since, and tells those that wait for it. Never throws. */
  look(): void;
  /** Tells when another session has written, or when it is seen to be another account; returns a function that ends this. */
  onNews(listener: () => void): () => void;
}
