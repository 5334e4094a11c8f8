import type { Prepared } from 'fuzzysort';
import type { Match } from './match.ts';

/** Something that the palette offers: a place, a verb or a command. */
export interface Thing {
  id: string;
  label: string;
  /** Other names, which match whole or by their beginning. */
  names?: readonly string[];
  /** The noun of a row, the area of a list. */
  kind: string;
  detail?: string;
  /** The keys that do the same in its place. */
  key?: string;
  isDanger?: boolean;
  /** Why it cannot be chosen now. */
  refusal?: string;
  run: () => void;
}

/** A thing that was found. */
export interface PaletteMatch {
  thing: Thing;
  match: Match;
  /** Of two that match as well, the one with the lower rank comes first. */
  rank: number;
  /** The part of the detail that matched. */
  matchedDetail?: { from: number; to: number };
}

/** A thing that is searched more than once. */
export interface PreparedThing {
  thing: Thing;
  label: Prepared;
}
