import type { Row } from '../../resources/resource.ts';

/** The audit log as it is read back. A line is an object of any shape: other versions and people may have written it. */
export interface AuditSource {
  /**
   * Reads what was written so far, without holding up a key.
   * @param take is given portions of lines, the newest first
   * Resolves with a sentence about what is left out, if anything is. Rejects with an Error of one sentence.
   */
  read(take: (lines: readonly Row[]) => void): Promise<string | undefined>;
  /** Calls a function with each line that this account writes from now on; returns a function that ends it. */
  follow(listener: (line: Row) => void): () => void;
}
