/** How rules read rows in which any field may be missing or of another type. */

import { remembered } from '../remembered.ts';
import { at, type Row } from '../resource.ts';
import { timeOf } from '../time.ts';
import { called, textIn } from '../wording.ts';

/** The text at a dotted path; undefined where there is none or it is blank. */
export const textAt = (row: unknown, path: string): string | undefined => textIn(at(row, path));

/** The finite number at a dotted path. */
export function numberAt(row: unknown, path: string): number | undefined {
  const value = at(row, path);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The time at a dotted path, in ms since the epoch. */
export function timeAt(row: unknown, path: string): number | undefined {
  const time = timeOf(at(row, path));
  return Number.isFinite(time) ? time : undefined;
}

/** The id at a dotted path as text. */
export function idAt(row: unknown, path: string): string | undefined {
  const value = at(row, path);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : textAt(row, path);
}

/** How a row is called in a sentence: by its label, else by its id. */
export const nameOf = (row: unknown, noun: string): string => called(at(row, 'label'), noun, at(row, 'id'));

type Groups = ReadonlyMap<string, readonly Row[]>;

const groupsByPath = remembered(() => new Map<string, Groups>());

/** The rows that have this id at this path; looked up, since the same rows are asked about for many ids. */
export function rowsWith(rows: readonly Row[], path: string, id: string): readonly Row[] {
  const paths = groupsByPath(rows);
  const found = paths.get(path) ?? groupsOf(rows, path);
  paths.set(path, found);
  return found.get(id) ?? [];
}

function groupsOf(rows: readonly Row[], path: string): Groups {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const id = idAt(row, path);
    if (id === undefined) continue;
    const group = found.get(id);
    if (group) group.push(row);
    else found.set(id, [row]);
  }
  return found;
}
