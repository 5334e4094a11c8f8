/** Finds words that can never stand in their fields, and those that were meant. */

import { nearest } from '../../text/nearest.ts';
import { listed, textOf } from '../../text/words.ts';
import type { FilterField } from './fields.ts';
import { type Alternative, isBlank, isNone } from './terms.ts';
import { type KnownWords, truthOf, wordKey, yesNo } from './words.ts';

/** A value of a filter that a field of a closed set never has. */
export interface Never {
  field: string;
  word: string;
  known: KnownWords;
}

/** Finds the word of an alternative that its field never has by the documents; words in quotes are taken as they are. */
export function neverOf(alternative: Alternative, field: FilterField | undefined): Never | undefined {
  const { operator, value } = alternative;
  const known = field?.words;
  if (!field || !known || known.length === 0 || value.kind === 'expression') return undefined;
  if (operator !== ':' && operator !== '=') return undefined;
  if (isBlank(alternative) || isNone(alternative) || (value.kind === 'quoted' && known !== yesNo)) return undefined;
  const isKnown = known === yesNo ? truthOf(value.text) !== undefined : hasWord(known, value.text);
  return isKnown ? undefined : { field: field.name, word: value.text, known };
}

const hasWord = (known: KnownWords, word: string): boolean => known.some((one) => wordKey(one) === wordKey(word));

/** The word that begins as this one or is nearly it, else all words: the end of a sentence. */
export function meantText(word: string, known: KnownWords): string {
  const wanted = wordKey(word);
  const meant = known.find((one) => wordKey(one).startsWith(wanted)) ?? nearestWord(wanted, known);
  return meant === undefined ? `; it is ${listed(known, 12)}` : `; did you mean ${meant}?`;
}

function nearestWord(wanted: string, known: KnownWords): string | undefined {
  const key = nearest(wanted, known.map(wordKey));
  return known.find((one) => wordKey(one) === key);
}

/** As many are looked at, whatever an API sends. */
const maxWords = 100;

/** Further words that rows have beside the known ones, as the screen shows them. */
export const withValues = (known: KnownWords, values: readonly unknown[]): KnownWords => {
  if (known === yesNo) return known;
  const all = [...known];
  for (const value of new Set(values)) {
    if (all.length >= maxWords) break;
    const text = textOf(value);
    if (text !== '' && !hasWord(all, text)) all.push(text);
  }
  return all;
};
