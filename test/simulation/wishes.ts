import type { Item, Row, Write } from './cloud/items.ts';

/** Stands for the id of what another wish makes. */
export class Made {
  readonly wish: Wish;
  /** Written so in a step of a plan. */
  readonly token: string;
  constructor(wish: Wish, token: string) {
    this.wish = wish;
    this.token = token;
  }
}

/** A change that somebody wants of the cloud, to one row or to make one. It says no more than that, and never how it is sent. */
export interface Wish {
  readonly number: number;
  readonly at: number;
  readonly deed: number;
  /** The process in which it was wished. */
  readonly by: string;
  readonly host: string;
  readonly account: string;
  /** The resource and the action: `volumes tag`. */
  readonly name: string;
  readonly method: string;
  /** After the version. */
  readonly path: string;
  /** The row that is meant; undefined for a new one, or one that is not made yet. */
  readonly target?: Item;
  /** The row as it was shown to whoever confirmed it. */
  readonly seen?: Row;
  readonly label: string;
  /** Tags that are added or removed; all others stay. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  /** The values that are set, by their paths; all others stay. */
  readonly set: Row;
  /** The paths of values that may be sent as well. */
  readonly may?: readonly string[];
  readonly isPlanned: boolean;
  /** The wish whose doing it takes back. */
  readonly takesBack?: Wish;
  /** When somebody has asked for it to be sent, after the first time. */
  readonly again: number[];
  /** When somebody has sent it once more, whose first answer was lost or bad. */
  readonly resent: number[];
  /** The wish that has taken its place in a plan. */
  instead?: Wish;
  /** The writes that carried it out, in the order in which the cloud did them. */
  readonly done: Write[];
}

/** So often somebody has asked for it to be sent. */
export const askedOf = ({ again }: Wish): number => 1 + again.length;

/** Whether it was done since somebody has last asked for it. */
export const isDoneAsAsked = ({ again, done }: Wish, until: number): boolean => {
  const from = again.findLast((at) => at <= until) ?? 0;
  return done.some(({ at }) => at >= from && at <= until);
};

/** A sentence of a program about a wish. */
export interface Told {
  readonly at: number;
  readonly deed: number;
  readonly process: string;
  readonly wish: Wish;
  readonly state: string;
  readonly says: string;
}

/** The values of an object by their paths; a list is one value. */
export function leaves(part: Row, prefix = ''): readonly (readonly [path: string, value: unknown])[] {
  return Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Made)
      ? leaves(value as Row, `${prefix}${name}.`)
      : [[prefix + name, value] as const],
  );
}

export const valueAt = (row: Row | undefined, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);

export const isAlike = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
