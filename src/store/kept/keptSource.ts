import type { Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { Query } from '../queries.ts';

/** A list as a session before has read it to its end. */
export interface KeptList {
  query: Query;
  rows: readonly Row[];
  /** The number of rows that the API said there were. */
  results?: number;
  /** When it was read. */
  keptAt: Timestamp;
}

/** The lists that sessions before have kept of one account, and that this one keeps for the next. */
export interface KeptSource {
  /**
   * The list that answered a query, read at once, for the first frame; undefined where none is kept. Never throws.
   * @param most one with more rows is left for `rest`
   */
  read(query: Query, most?: number): KeptList | undefined;
  /** Every list that was not read yet, one after the other, without holding up a key. Never throws. */
  rest(): AsyncIterable<KeptList>;
  /** Keeps these lists beside those of other queries, without holding up a key. Never rejects. */
  save(lists: readonly KeptList[]): Promise<void>;
  /**
   * Tells why something that was kept is left out, as a sentence, also of what was before. Where all of it is, the lists
   * that were read until then must not be shown any more.
   */
  onLeftOut(listener: (says: string, isAll: boolean) => void): void;
}
