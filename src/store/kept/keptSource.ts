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
  /** The list that answered a query, read at once, for the first frame; undefined where none is kept. Never throws. */
  read(query: Query): KeptList | undefined;
  /** Every list that was not read yet, one after the other, without holding up a key. Never throws. */
  rest(): AsyncIterable<KeptList>;
  /** Keeps these lists beside those of other queries, without holding up a key. Never rejects. */
  save(lists: readonly KeptList[]): Promise<void>;
  /** Tells why what was kept is thrown away, as a sentence; the lists that were read until then must not be shown any more. */
  onDiscard(listener: (says: string) => void): void;
}
