import { type CacheView, type Column, emptyView, type Row } from '../../resources/resource.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { nearest } from '../../text/nearest.ts';
import { listed, textOf, withStop } from '../../text/words.ts';
import { type FilterField, fieldNamed, type KnownWords, truthOf, wordKey, yesNo } from './fields.ts';
import { type Alternative, isBlank, isNone, termsOf } from './terms.ts';

/** Spellings of other tools, and how the same is written here. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/==|=~|~=/, 'A field is compared by field:part, field=value or field:/expression/.'],
  [/(^|\s)[<>=]+(\s|$)|[\w)][<>]\s/, 'No blanks around < and >: size>20.'],
  [/[<>=]\d+(\.\d+)?\s+([kmgtp]i?b?|%|s|min|h|d|w|y)(\s|$)/i, 'No blank between a number and its unit: size>1TiB.'],
  [/:[^\s,]+,\S/, 'Either of two values is status:running|offline.'],
  [/\*/, 'A part of a word is enough; /^web-.*1$/ is a regular expression.'],
  [/(^|\s)-[\w(]/, '! leaves out: !web, !(web|db).'],
];

/** One sentence for a filter that found nothing because it is written as in other tools. */
export const hintFor = (filter: string): string | undefined =>
  hints.find(([pattern]) => pattern.test(filter.replace(/"[^"]*"?|\/[^/]*\//g, '"')))?.[1];

/** One sentence for a word that its field never has, and that no row has either. */
export function wordHint(
  filter: string,
  columns: readonly Column[],
  view: CacheView,
  rows: readonly Row[],
): string | undefined {
  for (const alternative of termsOf(filter).flatMap(({ alternatives }) => alternatives)) {
    const field = alternative.field === undefined ? undefined : fieldNamed(alternative.field, columns, view);
    if (!field?.words) continue;
    const words = withValues(field.words, rows.map(field.read));
    const never = words.length > 0 ? neverOf(alternative, { ...field, words }) : undefined;
    if (never) return withStop(`Nothing has the ${never.field} ${never.word}${meantText(never.word, words)}`);
  }
  return undefined;
}

/**
 * Looks for words that never stand in their fields, and for spellings of other tools, before anything is read.
 * @returns a sentence about the first, and whether the filter therefore finds no row, ever
 */
export function oddWords(filter: string, columns: readonly Column[]): { says?: string; isHopeless: boolean } {
  const nevers: Never[] = [];
  let isHopeless = false;
  for (const { alternatives, isNegated } of termsOf(filter)) {
    const found = alternatives.flatMap((one) => {
      const field = one.field === undefined ? undefined : fieldNamed(one.field, columns, emptyView);
      return neverOf(one, field) ?? [];
    });
    nevers.push(...found);
    isHopeless ||= !isNegated && found.length > 0 && found.length === alternatives.length;
  }
  const [never] = nevers;
  if (!never) return { says: hintFor(filter), isHopeless };
  const quotes = never.known === yesNo ? '' : ` In quotes it is taken as it is: "${never.word}"`;
  const says = `${never.field} is never ${never.word}${meantText(never.word, never.known)}`;
  return { says: quotes === '' ? says : `${withStop(says)}${quotes}`, isHopeless };
}

/** The units of columns that the screen shows in larger ones. */
const smallUnits: Readonly<Partial<Record<CellFormat, string>>> = { bytes: 'bytes', megabytes: 'MB' };

/** One sentence for a size without a unit, which counts less than the one that its column shows. */
export function unitHint(filter: string, columns: readonly Column[], view: CacheView): string | undefined {
  for (const { field: name, operator, value } of termsOf(filter).flatMap(({ alternatives }) => alternatives)) {
    if (name === undefined || operator === ':' || !/^\d+$/.test(value.text)) continue;
    const unit = smallUnits[fieldNamed(name, columns, view)?.format ?? 'text'];
    if (unit) return `${value.text} alone counts ${unit}; with a unit: ${name}${operator}${value.text}GiB`;
  }
  return undefined;
}

/** A value of a filter that a field of a closed set never has. */
interface Never {
  field: string;
  word: string;
  known: KnownWords;
}

/** Finds the word of an alternative that its field never has by the documents; words in quotes are taken as they are. */
function neverOf(alternative: Alternative, field: FilterField | undefined): Never | undefined {
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
function meantText(word: string, known: KnownWords): string {
  const wanted = wordKey(word);
  const near = nearest(wanted, known.map(wordKey));
  const meant = known.find((one) => wordKey(one).startsWith(wanted)) ?? known.find((one) => wordKey(one) === near);
  return meant === undefined ? `; it is ${listed(known, 12)}` : `; did you mean ${meant}?`;
}

/** As many are looked at, whatever an API sends. */
const maxWords = 100;

/** Further words that rows have beside the known ones, as the screen shows them. */
const withValues = (known: KnownWords, values: readonly unknown[]): KnownWords => {
  if (known === yesNo) return known;
  const all = [...known];
  for (const value of new Set(values)) {
    if (all.length >= maxWords) break;
    const text = textOf(value);
    if (text !== '' && !hasWord(all, text)) all.push(text);
  }
  return all;
};
