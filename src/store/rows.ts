import { type Difference, differencesBetween, memoizeIncremental, noteDifferences } from '../resources/differences.ts';
import { idOf } from '../resources/identity.ts';
import { memoize } from '../resources/memoize.ts';
import type { Resource, Row } from '../resources/resource.ts';

/** Rows by their ids: as they are now, or undefined for those that are gone. */
export type Changes = ReadonlyMap<string, Row | undefined>;

/** Whether two JSON values say the same, in which lists of numbers may be held as such. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one)) return isList(other) && isSameList(one, other);
  if (isList(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSame((one as Row)[key], (other as Row)[key]));
}

const isList = (value: object): value is ArrayLike<unknown> => Array.isArray(value) || value instanceof Float64Array;

function isSameList(one: ArrayLike<unknown>, other: ArrayLike<unknown>): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (!isSame(one[index], other[index])) return false;
  return true;
}

/** The old list when the new one has the same members, so that comparing by identity finds no change. */
export const reuseList = <T>(before: readonly T[], after: readonly T[]): readonly T[] =>
  before.length === after.length && after.every((item, index) => item === before[index]) ? before : after;

/** The rows by their ids, as changes of what is loaded. */
export const changesOf = (resource: Resource, rows: readonly Row[]): Changes =>
  new Map(rows.map((row) => [idOf(resource, row), row]));

/** Where the rows of a list are, by their ids. */
interface Places {
  of: Map<string, number>;
  count: number;
}

const finderOf = memoize((resource: Resource) =>
  memoizeIncremental<Places, Row>(
    (list) => placesOf(resource, list),
    (places, differences) => placesAfter(resource, places, differences),
  ),
);

const placesIn = (resource: Resource, rows: readonly Row[]): Places => finderOf(resource)(rows);

/** Of several rows with the same id, the place is that of the first. */
function placesOf(resource: Resource, rows: readonly Row[]): Places {
  const places: Places = { of: new Map(), count: 0 };
  for (const row of rows) append(resource, places, row);
  return places;
}

function append(resource: Resource, places: Places, row: Row): void {
  const id = idOf(resource, row);
  if (!places.of.has(id)) places.of.set(id, places.count);
  places.count++;
}

/** The places after changes; undefined where rows went out, so that those behind them moved. */
function placesAfter(resource: Resource, places: Places, differences: readonly Difference<Row>[]): Places | undefined {
  if (differences.some(({ after }) => !after)) return undefined;
  for (const { before, after } of differences) if (!before && after) append(resource, places, after);
  return places;
}

/** The row of an id in a list; looked up, since long lists are asked for one row after another. */
export function rowIn(resource: Resource, rows: readonly Row[], id: string): Row | undefined {
  const place = placesIn(resource, rows).of.get(id);
  return place === undefined ? undefined : rows[place];
}

/** The rows that were read, where they are equal to the old ones as the old objects. */
export const reuseRows = (resource: Resource, before: readonly Row[], read: readonly Row[]): readonly Row[] =>
  read.map((row, index) => {
    if (row === before[index]) return row;
    const old = rowIn(resource, before, idOf(resource, row));
    return old && isSame(old, row) ? old : row;
  });

/**
 * Rows with changes applied in place. Equal rows stay the same objects, and an unchanged list the same list. A new list
 * knows its differences from the old one.
 * @param accepts which of the new rows are appended; all by default
 */
export function withChanges(
  resource: Resource,
  rows: readonly Row[],
  changes: Changes,
  accepts: (row: Row) => boolean = () => true,
): readonly Row[] {
  if (changes.size === 0) return rows;
  const places = rows.length === 0 ? undefined : placesIn(resource, rows);
  const differences: Difference<Row>[] = [];
  const added: Row[] = [];
  const removed = new Set<number>();
  const after = rows.slice();
  for (const [id, changed] of changes) {
    const place = places?.of.get(id);
    const before = place === undefined ? undefined : rows[place];
    if (place === undefined || before === undefined) {
      if (changed !== undefined && accepts(changed)) added.push(changed);
    } else if (changed === undefined) {
      removed.add(place);
      differences.push({ before, after: undefined });
    } else if (!isSame(before, changed)) {
      after[place] = changed;
      differences.push({ before, after: changed });
    }
  }
  for (const row of added) differences.push({ before: undefined, after: row });
  if (differences.length === 0) return rows;
  const remaining = removed.size > 0 ? after.filter((_, place) => !removed.has(place)) : after;
  const list = added.length > 0 ? [...remaining, ...added] : remaining;
  noteDifferences(rows, list, differences);
  return list;
}

/**
 * The list that replaces an old one: the old one where nothing changed, else the new one, which knows its differences
 * from the old where they are few.
 * @param read holds the old objects where rows are equal
 */
export function replaceRows(resource: Resource, before: readonly Row[], read: readonly Row[]): readonly Row[] {
  const differences: Difference<Row>[] = [];
  let next = 0;
  for (const row of before) {
    const other = read[next];
    const isThere = other === row || (other !== undefined && idOf(resource, other) === idOf(resource, row));
    if (isThere) next++;
    if (!isThere) differences.push({ before: row, after: undefined });
    else if (other !== row) differences.push({ before: row, after: other });
  }
  for (const row of read.slice(next)) differences.push({ before: undefined, after: row });
  if (differences.length === 0) return before;
  noteDifferences(before, read, differences);
  return read;
}

/** The rows of a list that are not in the one that came from it. */
export function goneFrom(resource: Resource, before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const differences = differencesBetween(before, after);
  const left = differences?.flatMap((one) => (one.before && !one.after ? [one.before] : [])) ?? before;
  return left.filter((row) => rowIn(resource, after, idOf(resource, row)) === undefined);
}

/** Whether a row may come into what an operation lists: the whole list, or views of it that it belongs to. */
export function belongsTo({ sections = [] }: Resource, operation: string, row: Row): boolean {
  const views = sections.filter(({ operation: own = 'list' }) => own === operation);
  return sections.length > 0 ? views.some(({ only }) => only(row)) : operation === 'list';
}
