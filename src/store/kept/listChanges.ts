import { idIn, liesUnder } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { grouped } from '../../text/numbers.ts';
import { momentWords, type Timestamp } from '../../text/times.ts';
import type { SeenChange } from '../history/seenChanges.ts';
import type { Query } from '../queries.ts';

/** The rows of a list that are not as an earlier session has read them. */
export interface ListChanges {
  query: Query;
  /** The resource of its rows. */
  resource: string;
  /** When that session has read it. */
  since: Timestamp;
  /** The ids of the rows that came. */
  came: ReadonlySet<string>;
  /** The rows that changed as they were, by id. */
  changed: ReadonlyMap<string, Row>;
  /** The rows that went, as they were; known once the list was read to its end. */
  gone: readonly Row[];
  isWhole: boolean;
  /** Its rows are marked still. */
  isMarked: boolean;
}

/** Counts the rows that came, went and changed. */
export const countOf = ({ came, changed, gone }: ListChanges): number => came.size + changed.size + gone.length;

/** Counts the rows that came, went and changed in words: `3 new, 1 gone, 7 changed`; empty where none did. */
export const countsText = ({ came, gone, changed }: Pick<ListChanges, 'came' | 'gone' | 'changed'>): string =>
  [[came.size, 'new'] as const, [gone.length, 'gone'] as const, [changed.size, 'changed'] as const]
    .flatMap(([count, word]) => (count > 0 ? [`${grouped(count)} ${word}`] : []))
    .join(', ');

/** The lists of the account that were read to their ends and are not as they were. */
export const changedLists = (lists: Readonly<Record<string, ListChanges>>): readonly ListChanges[] =>
  Object.values(lists).filter((one) => one.isWhole && countOf(one) > 0);

/** The moment that most of the lists are compared with. */
const sinceOf = (lists: readonly ListChanges[]): Timestamp => Math.max(...lists.map(({ since }) => since));

/** Tells the changes of lists: `Since yesterday 18:04: servers 3 new, 1 gone; volumes 2 new.` */
export function changesSentence(lists: readonly ListChanges[], now: Timestamp): string {
  const parts = lists.map((one) => `${resourceNamed(one.resource).many.toLowerCase()} ${countsText(one)}`);
  return `Since ${momentWords(sinceOf(lists), now)}: ${parts.join('; ')}`;
}

interface SinceKept {
  lists: Readonly<Record<string, ListChanges>>;
  /** Of this session, the latest first. */
  seen: readonly SeenChange[];
  /** When this session began. */
  at: Timestamp;
}

/** The differences of a row from what an earlier session has read; at most one tells something new. */
export function changesSinceKept(resource: Resource, params: Params, row: Row, { lists, seen, at }: SinceKept) {
  const id = idIn(resource, params);
  return Object.values(lists).flatMap(({ resource: name, query, since, changed }, index): readonly SeenChange[] => {
    const isOfRow = id !== undefined && name === resource.name && liesUnder(params, query.params);
    const before = isOfRow ? changed.get(id) : undefined;
    // Changes that this session has seen came later.
    const after = seen.at(-1)?.before ?? row;
    return before ? [{ number: -index, resource: name, params: query.params, before, after, since, at }] : [];
  });
}
