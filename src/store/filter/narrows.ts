import type { CacheView, Column } from '../../resources/resource.ts';
import { fieldNamed } from './fields.ts';
import { type Alternative, isBlank, isDash, isNone, type Term, termsOf } from './terms.ts';
import { truthOf } from './words.ts';

/** Whether a field has words that are meant whole. */
type HasWords = (field: string) => boolean;

/**
 * Whether the rows of a filter are among those of another, at the same time of day: each term of that one follows from
 * a term of this one. Answers false where it cannot tell.
 */
export function narrows(text: string, before: string, columns: readonly Column[], view: CacheView): boolean {
  if (before.trim() === '') return false;
  const hasWords: HasWords = (name) => fieldNamed(name, columns, view)?.words !== undefined;
  const terms = termsOf(text);
  return termsOf(before).every((wide) => terms.some((narrow) => follows(wide, narrow, hasWords)));
}

function follows(wide: Term, narrow: Term, hasWords: HasWords): boolean {
  if (wide.isNegated !== narrow.isNegated) return false;
  const [wides, narrows] = [typed(wide), typed(narrow)];
  // The narrow term must leave out all that the wide one leaves out.
  const [kept, by] = wide.isNegated ? [wides, narrows] : [narrows, wides];
  return kept.every((one) => by.some((other) => contains(one, other, hasWords)));
}

/** The alternatives that count; where nothing is typed yet, that which all rows have. */
function typed({ alternatives }: Term): readonly Alternative[] {
  const filled = alternatives.filter((one) => !isBlank(one));
  return filled.length > 0 ? filled : alternatives;
}

/** Whether the rows of one alternative are among those of the other. */
function contains(one: Alternative, other: Alternative, hasWords: HasWords): boolean {
  if (one.field?.toLowerCase() !== other.field?.toLowerCase() || one.operator !== other.operator) return false;
  const isExpression = one.value.kind === 'expression' || other.value.kind === 'expression';
  const isText = one.operator === undefined || one.operator === ':';
  if (isExpression || !isText) {
    return one.value.kind === other.value.kind && one.value.text === other.value.text && isTimeless(one);
  }
  const isNamed = one.field !== undefined;
  if (isNamed && isDash(other.value)) return isDash(one.value);
  if (isNone(one) && (!isNone(other) || isDash(one.value))) return isNone(other);
  // A word of a closed set and yes or no are meant whole.
  const isWhole = isNamed && (truthOf(one.value.text) !== undefined || hasWords(one.field ?? ''));
  if (isWhole && other.value.text !== '') return one.value.text.toLowerCase() === other.value.text.toLowerCase();
  return one.value.text.toLowerCase().includes(other.value.text.toLowerCase());
}

/** The rows above an age become more by themselves. */
const isTimeless = ({ operator, value }: Alternative): boolean =>
  operator === undefined || operator === ':' || value.kind === 'expression' || !/^[\d.]+ ?[a-z]+$/i.test(value.text);
