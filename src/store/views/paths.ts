import type { Row } from '../../resources/resource.ts';
import { isEmpty } from '../../resources/row.ts';
import { clean } from '../../text/cells.ts';

/** A path of rows, and a value that one of them has there. */
export interface RowPath {
  path: string;
  sample: unknown;
}

/** So many rows are looked at, evenly spread. */
const maxRows = 100;
const maxPaths = 500;
/** Deeper values are not offered; they can be typed. */
const maxDepth = 5;
/** Of a list, so many items are offered one by one. */
const maxItems = 3;

/** The paths at which rows have a value that one cell can show, in the order of the rows' fields. */
export function pathsOf(rows: readonly Row[]): readonly RowPath[] {
  const samples = new Map<string, unknown>();
  const step = Math.max(1, Math.floor(rows.length / maxRows));

  function collect(value: unknown, path: string, depth: number): void {
    if (samples.size >= maxPaths && !samples.has(path)) return;
    const isLeaf = typeof value !== 'object' || value === null || ArrayBuffer.isView(value);
    if (isLeaf || (Array.isArray(value) && value.every((item) => typeof item !== 'object'))) note(path, value);
    if (isLeaf || depth >= maxDepth) return;
    for (const [key, inner] of Object.entries(value).slice(0, Array.isArray(value) ? maxItems : maxPaths)) {
      // A key with a dot in it cannot be told from two.
      if (key !== '' && !key.includes('.') && clean(key) === key)
        collect(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  }

  function note(path: string, value: unknown): void {
    const isBlank = isEmpty(value);
    if (!samples.has(path) || (samples.get(path) === undefined && !isBlank))
      samples.set(path, isBlank ? undefined : value);
  }

  for (let at = 0; at < rows.length; at += step) collect(rows[at], '', 0);
  return [...samples].map(([path, sample]) => ({ path, sample }));
}
