/** Reads rows of which any field may be missing or of another type. */

import { isNumber } from '../../text/numbers.ts';
import { timeOf } from '../../text/times.ts';
import { called, textIn } from '../../text/words.ts';
import { at } from '../resource.ts';

/** The text at a dotted path; undefined where there is none or it is blank. */
export const textAt = (row: unknown, path: string): string | undefined => textIn(at(row, path));

/** The finite number at a dotted path. */
export function numberAt(row: unknown, path: string): number | undefined {
  const value = at(row, path);
  return isNumber(value) ? value : undefined;
}

/** The time at a dotted path, in ms since the epoch. */
export function timeAt(row: unknown, path: string): number | undefined {
  const time = timeOf(at(row, path));
  return Number.isFinite(time) ? time : undefined;
}

/** The id at a dotted path as text. */
export function idAt(row: unknown, path: string): string | undefined {
  const value = at(row, path);
  return isNumber(value) ? String(value) : textAt(row, path);
}

/** Names a row in a sentence: by its label, else by its id. */
export const rowName = (row: unknown, noun: string): string => called(at(row, 'label'), noun, at(row, 'id'));
