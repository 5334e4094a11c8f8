/** How rules read rows in which any field may be missing or of another type, and how they say what they read. */

import { at, type Row } from '../resource.ts';
import { timeOf } from '../time.ts';

/** Lengths of time in ms. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The text at a dotted path; undefined where there is none or it is empty. */
export function textAt(row: unknown, path: string): string | undefined {
  const value = at(row, path);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

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
export function nameOf(row: unknown, noun: string): string {
  const id = idAt(row, 'id');
  return textAt(row, 'label') ?? (id === undefined ? `a ${noun}` : `${noun} ${id}`);
}

/** "1 server", "12 servers". */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A whole number with spaces between the thousands. */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en').replaceAll(',', ' ');

/** "a", "a and b", "a, b and 3 more". */
export function listed(names: readonly string[]): string {
  const [first = '', second, third] = names;
  if (second === undefined) return first;
  if (third === undefined) return `${first} and ${second}`;
  return `${first}, ${second} and ${names.length - 2} more`;
}

/** So long a time in words, in the largest unit of which there are two or more: "3 days", "47 hours". */
export function spanWords(ms: number): string {
  if (ms >= 2 * day) return counted(Math.floor(ms / day), 'day');
  return ms >= hour ? counted(Math.floor(ms / hour), 'hour') : counted(Math.floor(ms / minute), 'minute');
}

/** A date as the documents write it: "2024-05-01". */
export const dateWords = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A value above a limit, with as few digits after the point as show that it is above. */
export function aboveWords(value: number, limit: number): string {
  const digits = [0, 1, 2, 3].find((digits) => Number(value.toFixed(digits)) > limit);
  if (digits === undefined) return String(value);
  return digits === 0 ? grouped(value) : value.toFixed(digits);
}

type Groups = ReadonlyMap<string, readonly Row[]>;

const groups = new WeakMap<readonly Row[], Map<string, Groups>>();

/** The rows that have this id at this path; looked up, since the same rows are asked about for many ids. */
export function rowsWith(rows: readonly Row[], path: string, id: string): readonly Row[] {
  const paths = groups.get(rows) ?? new Map<string, Groups>();
  groups.set(rows, paths);
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
