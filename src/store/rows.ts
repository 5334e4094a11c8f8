import { idOf } from '../resources/identity.ts';
import type { Resource, Row } from '../resources/resource.ts';

/** What became of rows by their ids: as they are now, or undefined for those that are gone. */
export type Changes = ReadonlyMap<string, Row | undefined>;

/** Whether two JSON values say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSame((one as Row)[key], (other as Row)[key]));
}

/** The old list when the new one has the very same members: who compares by identity sees that nothing has changed. */
export const unlessSame = <T>(before: readonly T[], after: readonly T[]): readonly T[] =>
  before.length === after.length && after.every((item, index) => item === before[index]) ? before : after;

/** The rows by their ids, as changes of what is loaded. */
export const changesOf = (resource: Resource, rows: readonly Row[]): Changes =>
  new Map(rows.map((row) => [idOf(resource, row), row]));

/**
 * Rows with changes in their places. Rows that say the same stay the very objects they are, and so does a list in
 * which nothing changes.
 * @param takesNew which of the changed rows that are not among them come in, at the end
 */
export function withChanges(
  resource: Resource,
  rows: readonly Row[],
  changes: Changes,
  takesNew: (row: Row) => boolean,
): readonly Row[] {
  if (changes.size === 0) return rows;
  const left = new Map(changes);
  const kept: Row[] = [];
  for (const row of rows) {
    const id = idOf(resource, row);
    const isChanged = left.delete(id);
    const changed = isChanged ? changes.get(id) : row;
    if (changed !== undefined) kept.push(isSame(row, changed) ? row : changed);
  }
  for (const row of left.values()) if (row !== undefined && takesNew(row)) kept.push(row);
  return unlessSame(rows, kept);
}

/** What was read; rows that say the same as before stay the very objects they were. */
export function kept(resource: Resource, before: readonly Row[], read: readonly Row[]): readonly Row[] {
  const known = changesOf(resource, before);
  return read.map((row) => {
    const old = known.get(idOf(resource, row));
    return old && isSame(old, row) ? old : row;
  });
}

/** Takes in every row. */
export const every = (): boolean => true;

/** Whether a row may come into what an operation lists: the whole list, or views of it that it belongs to. */
export function belongsTo({ sections = [] }: Resource, operation: string, row: Row): boolean {
  const views = sections.filter(({ operation: own = 'list' }) => own === operation);
  return sections.length > 0 ? views.some(({ only }) => only(row)) : operation === 'list';
}
