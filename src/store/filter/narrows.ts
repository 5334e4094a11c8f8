import { type Alternative, isBlank, isNone, type Term, termsOf } from './terms.ts';

/**
 * Whether the rows of a filter are among those of another, at the same time of day: each term of that one follows from
 * a term of this one. Answers false where it cannot tell.
 */
export function narrows(text: string, before: string): boolean {
  if (before.trim() === '') return false;
  const terms = termsOf(text);
  return termsOf(before).every((wide) => terms.some((narrow) => follows(wide, narrow)));
}

function follows(wide: Term, narrow: Term): boolean {
  if (wide.negations % 2 !== narrow.negations % 2) return false;
  const [wides, narrows] = [typed(wide), typed(narrow)];
  // The narrow term must leave out all that the wide one leaves out.
  const [kept, by] = wide.negations % 2 === 0 ? [narrows, wides] : [wides, narrows];
  return kept.every((one) => by.some((other) => contains(one, other)));
}

/** The alternatives that count; where nothing is typed yet, that which all rows have. */
function typed({ alternatives }: Term): readonly Alternative[] {
  const filled = alternatives.filter((one) => !isBlank(one));
  return filled.length > 0 ? filled : alternatives;
}

/** Whether the rows of one alternative are among those of the other. */
function contains(one: Alternative, other: Alternative): boolean {
  if (one.field?.toLowerCase() !== other.field?.toLowerCase() || one.operator !== other.operator) return false;
  const isExpression = one.value.kind === 'expression' || other.value.kind === 'expression';
  const isText = one.operator === undefined || one.operator === ':';
  if (isExpression || !isText) {
    return one.value.kind === other.value.kind && one.value.text === other.value.text && isTimeless(one);
  }
  if (isNone(one) && !isNone(other)) return false;
  return one.value.text.toLowerCase().includes(other.value.text.toLowerCase());
}

/** The rows above an age become more by themselves. */
const isTimeless = ({ operator, value }: Alternative): boolean =>
  operator === undefined || operator === ':' || value.kind === 'expression' || !/^[\d.]+ ?[a-z]+$/i.test(value.text);
