import { parse } from 'smol-toml';

/** A key of a TOML text by its tables, and the index within an array of tables. */
export type KeyPath = readonly (string | number)[];

/** The line number of a key, from 1: the first lines are parsed, one more each time, until they have the key. */
export function lineOf(source: string, path: KeyPath): number {
  const lines = source.split('\n');
  let start = 1;
  for (let count = 1; count <= lines.length; count++) {
    let value: unknown;
    try {
      value = parse(lines.slice(0, count).join('\n'));
    } catch {
      continue; // The text ends within a value of several lines.
    }
    for (const key of path) value = within(value, key);
    if (value !== undefined) return start;
    start = count + 1;
  }
  return start;
}

const within = (value: unknown, key: string | number): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string | number, unknown>)[key] : undefined;

/** The path as it is written in a sentence: `commands[2].key`, the second from 1. */
export const keyText = (path: KeyPath): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key + 1}]` : index > 0 ? `.${key}` : key)).join('');
