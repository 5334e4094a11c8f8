import type { Params } from '../../resources/resource.ts';
import type { Event } from '../events.ts';

/** One row, or the place of one that is made, on which an action is carried out. */
export interface Target {
  params: Params;
  /** Names it in the outcome. */
  label: string;
  body?: unknown;
}

/** The changes that nobody knows the end of, each by its key. */
export interface Doubts {
  /** Sent or looked for just now: the same is not sent beside it. */
  underWay: Set<string>;
  /** Those whose answers were lost and which were not found, or could not be looked for: before the same is sent again, it is looked for. */
  lost: Map<string, Before>;
}

/** Known just before a change was sent; by it a later look tells what is new. */
export interface Before {
  /** In ms since the epoch. */
  at: number;
  /** The ids of all rows of its kind that were loaded. */
  ids: ReadonlySet<string>;
  /** The operations whose lists were loaded to their ends: a row that is in one of them now and was in none is new. */
  whole: ReadonlySet<string>;
  /** The id of the newest event; undefined where none was known. */
  event: Event['id'] | undefined;
}
