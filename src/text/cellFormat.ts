/** The ways to write and colour a value in a cell. */
export type CellFormat =
  | 'text'
  /** As the value itself tells: a number, a list, yes or no, a time, else a text. */
  | 'any'
  | 'status'
  | 'number'
  | 'bytes'
  | 'megabytes'
  | 'gigabytes'
  | 'money'
  | 'percent'
  /** A percentage, coloured by how high it is. */
  | 'load'
  /** Bits a second. */
  | 'bitrate'
  /** Blocks a second. */
  | 'blockrate'
  | 'date'
  | 'age'
  /** An age that says on which side of now it lies: `in 3 h`, `2 d ago`. */
  | 'expiry'
  | 'duration'
  /** A threshold in the unit behind it; off where it is 0. */
  | `limit ${string}`
  /** Counts of what works and what does not: `2 up 1 down`. */
  | 'health'
  | 'boolean'
  /** A dot where true, nothing where not. */
  | 'mark'
  | 'tags'
  | 'list'
  /** Wrapped over as many lines as it takes, in a card. */
  | 'paragraph'
  /** A host or an address that a browser opens. */
  | 'address'
  | 'id'
  | 'dim';
