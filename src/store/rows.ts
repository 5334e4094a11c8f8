import { idOf } from '../resources/identity.ts';
import type { Resource, Row } from '../resources/resource.ts';

/** What became of rows by their ids: as they are now, or undefined for those that are gone. */
export type Changes = ReadonlyMap<string, Row | undefined>;

/** Whether two JSON values say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  return entries.every(([key, value]) => Object.hasOwn(other, key) && isSame(value, (other as Row)[key]));
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
 * @param takesNew whether changed rows that are not among them come in, at the end
 */
export function withChanges(
  resource: Resource,
  rows: readonly Row[],
  changes: Changes,
  takesNew: boolean,
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
  if (takesNew) for (const row of left.values()) if (row !== undefined) kept.push(row);
  return unlessSame(rows, kept);
}
