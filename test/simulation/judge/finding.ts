/** Something that must not be, whatever happened. */
export interface Finding {
  /** Names the kind of it; a story is made shorter as long as it still ends in one of the same rule. */
  readonly rule: string;
  readonly at: number;
  /** A sentence, for people. */
  readonly says: string;
}
