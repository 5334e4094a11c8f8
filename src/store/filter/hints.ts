import { type CacheView, type Column, emptyView, type Row } from '../../resources/resource.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { fieldNamed } from './fields.ts';
import { meantText, type Never, neverOf, withValues } from './nevers.ts';
import { termsOf } from './terms.ts';
import { yesNo } from './words.ts';

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
    if (never)
      return `Nothing has the ${never.field} ${never.word}${meantText(never.word, words)}`.replace(/[^?]$/, '$&.');
  }
  return undefined;
}

/** The odd words of a filter: a sentence about the first, and whether the filter therefore finds no row, ever. */
interface OddWords {
  says?: string;
  isHopeless: boolean;
}

/** Looks for words that never stand in their fields, and for spellings of other tools, before anything is read. */
export function oddWords(filter: string, columns: readonly Column[]): OddWords {
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
  return { says: quotes === '' ? says : `${says.replace(/[^?]$/, '$&.')}${quotes}`, isHopeless };
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
