import type { CacheView, Column } from '../../resources/resource.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { fieldNamed } from './fields.ts';
import { termsOf } from './terms.ts';

/** Spellings of other tools, and how the same is written here. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/(^|\s)(AND|&&)(\s|$)/, 'All words must occur; nothing stands between them.'],
  [/(^|\s)(OR|\|\|)(\s|$)/, 'Either of two is a|b, without blanks: status:running|offline.'],
  [/(^|\s)NOT(\s|$)/, '! leaves out: !web, !status:running.'],
  [/!=/, '! before a field leaves out: !status=running.'],
  [/==|=~|~=/, 'A field is compared by field:part, field=value or field:/expression/.'],
  [/(^|\s)[<>=]+(\s|$)|[\w)][<>]\s/, 'No blanks around < and >: size>20.'],
  [/[<>=]\d+(\.\d+)?\s+([kmgtp]i?b?|%|s|min|h|d|w|y)(\s|$)/i, 'No blank between a number and its unit: size>1TiB.'],
  [/[:=][\u2013-](\s|$)/, 'Where there is no value: attached:none.'],
  [/:[^\s,]+,\S/, 'Either of two values is status:running|offline.'],
  [/\*/, 'A part of a word is enough; /^web-.*1$/ is a regular expression.'],
  [/(^|\s)-\w/, '! leaves out: !web.'],
];

/** One sentence for a filter that found nothing because it is written as in other tools. */
export const hintFor = (filter: string): string | undefined =>
  hints.find(([pattern]) => pattern.test(filter.replace(/"[^"]*"?|\/[^/]*\//g, '"')))?.[1];

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
