/** Readers for screens and rules that take a value of the API for something of which it has the name only. */

import type { Row } from './row.ts';

/** A value as text: nothing where there is none, objects as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The items of a list; none where the value is no list. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a value can be read as a row: an object. */
export const isRow = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The objects of a list. */
export const rowsOf = (value: unknown): readonly Row[] => itemsOf(value).filter(isRow);
