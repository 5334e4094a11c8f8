import { isSecretName, redacted } from '../../api/redact.ts';
import { fieldLabel, isRow, knownField, type Resource, type Row } from '../../resources/resource.ts';
import { isSame } from '../rows.ts';

/** A value of a row that changed. */
export interface ValueChange {
  /** The names that lead to it, from the outside in. */
  path: readonly string[];
  /** Undefined where there was none; likewise `after`. */
  before: unknown;
  after: unknown;
}

/** Objects that lie deeper are compared as a whole. */
const maxDepth = 8;

/** A row whose secrets are not told. */
export const withoutSecrets = (row: Row): Row => redacted(row) as Row;

/** The dotted path of a value. */
export const pathText = ({ path }: Pick<ValueChange, 'path'>): string => path.join('.');

/** The value that changed as forms call it, else its path. */
export const changedLabel = (of: Resource, change: ValueChange) => fieldLabel(of, {}, pathText(change));

/** The values that differ between two states of a row, but for secrets and for what the platform changes all the time. */
export function valueChanges(resource: Resource, before: Row, after: Row): readonly ValueChange[] {
  const changes = differingValues(before, after, isSecretName);
  const told = resource.list?.partial
    ? changes.filter((one) => one.before !== undefined && one.after !== undefined)
    : changes;
  return told.filter((change) => !isVolatile(resource, change) && !isReordered(resource, change));
}

/** All values that differ between two objects, without those of the names to leave out. */
export function differingValues(
  before: Row,
  after: Row,
  isLeftOut: (name: string) => boolean = () => false,
): readonly ValueChange[] {
  const found: ValueChange[] = [];
  const compare = (one: Row, other: Row, path: readonly string[]): void => {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [was, is] = [own(one, name), own(other, name)];
      if (was === is || isLeftOut(name)) continue;
      if (isRow(was) && isRow(is) && path.length < maxDepth) compare(was, is, [...path, name]);
      else if (!isSame(was, is)) found.push({ path: [...path, name], before: was, after: is });
    }
  };
  compare(before, after, []);
  return found;
}

export const own = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined);

/** Whether the platform changes a value by itself: a count, or the time of the last change. */
const isVolatile = (resource: Resource, { path }: ValueChange): boolean =>
  path.join() === 'updated' ||
  [path.join('.'), String(path[0])].some((name) => knownField(resource, {}, name)?.volatile === true);

/** Whether a list of words that stands in no order has the same words in another. */
function isReordered(resource: Resource, { path, before, after }: ValueChange): boolean {
  if (!Array.isArray(before) || !Array.isArray(after) || !knownField(resource, {}, path.join('.'))?.merged)
    return false;
  return isSame(before.map(String).sort(), after.map(String).sort());
}

/** A row as it was before these changes, which are given with the latest first. */
export const undone = (row: Row, changes: readonly ValueChange[]): Row =>
  changes.reduce((later, { path, before }) => withValue(later, path, before), row);

/** The row with another value at a path; without it where the value is undefined. */
function withValue(row: Row, [name = '', ...rest]: readonly string[], value: unknown): Row {
  const inner = own(row, name);
  const next = rest.length > 0 ? withValue(isRow(inner) ? inner : {}, rest, value) : value;
  const entries = Object.entries(row);
  const changed: readonly (readonly [string, unknown])[] = Object.hasOwn(row, name)
    ? entries.map(([key, old]) => [key, key === name ? next : old])
    : [...entries, [name, next]];
  return Object.fromEntries(changed.filter(([, held]) => held !== undefined));
}

/** Changes of the same values one after the other as one change each, the earliest first; without those that came back. */
export function joinedChanges(changes: readonly ValueChange[]): readonly ValueChange[] {
  const joined = new Map<string, ValueChange>();
  for (const change of changes) {
    const key = JSON.stringify(change.path);
    joined.set(key, { ...change, before: (joined.get(key) ?? change).before });
  }
  return [...joined.values()].filter(({ before, after }) => !isSame(before, after));
}
