/** Words of fields with a closed set of values, such as a status: each is meant whole, however it is spelled. */

import type { Column } from '../../resources/resource.ts';

/** The words of a field as the documents list them; none where they list none. */
export type KnownWords = readonly string[];

export const yesNo: KnownWords = ['yes', 'no'];
const noWords: KnownWords = [];

/** The words that a column can have where these are a closed set; undefined where any text may stand there. */
export function wordsOfColumn({ format, words }: Pick<Column, 'format' | 'words'>): KnownWords | undefined {
  if (format === 'boolean' || format === 'mark') return yesNo;
  return words ?? (format === 'status' ? noWords : undefined);
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'on', 'true', 'enabled'].map((word) => [word, true] as const),
  ...['no', 'off', 'false', 'disabled'].map((word) => [word, false] as const),
]);

/** Whether a word means true or not; undefined where it means neither. */
export const truthOf = (word: string): boolean | undefined => truths.get(word.toLowerCase());

const keys = new Map<string, string>();
const maxKeys = 1000;

/** A word as it is compared: `shutting_down`, `Shutting down` and `shutting-down 40 %` are one. */
export function wordKey(word: string): string {
  const known = keys.get(word);
  if (known !== undefined) return known;
  const key = word
    .replace(/\s\d{1,3} ?%$/, '')
    .replace(/(?<=.)[\s_-]+(?=.)/g, '')
    .toLowerCase();
  // Columns with words have few of them; whatever else an API sends is not collected.
  if (keys.size >= maxKeys) keys.clear();
  keys.set(word, key);
  return key;
}

/** A word that stands where there is nothing. */
export const isEmptyWord = (value: unknown): boolean => value === 'off' || value === 'none';
