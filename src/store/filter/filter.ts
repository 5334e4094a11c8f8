import type { CacheView, Column, Row } from '../../resources/resource.ts';
import { nearest } from '../../text/nearest.ts';
import { wordsOf } from '../../text/words.ts';
import { comparable, comparison } from './comparison.ts';
import {
  type FilterField,
  fieldNamed,
  isAbsent,
  isEmptyWord,
  readOf,
  searched,
  standingName,
  titled,
  truthOf,
  watchedView,
  wordKey,
} from './fields.ts';
import {
  type Alternative,
  type FilterMistake,
  isBlank,
  isDash,
  isNone,
  type Term,
  termsOf,
  type Value,
} from './terms.ts';
import { measureOf } from './units.ts';

/** A filter, or an error with its position in the text. */
export type Filter = { matches: (row: Row) => boolean } | FilterMistake;

interface Context {
  columns: readonly Column[];
  view: CacheView;
}

/**
 * Parses a filter: words that must all occur; `field:part`, of a field with a closed set of words the word whole;
 * `field=value`, exactly; `field<number` and `>`, `<=`, `>=`, with a unit where the field has one; `a|b`, either of them;
 * `field:none` or `field:-` where it has no value; `!` before any of these negates it, as do `-field:`, `field:!` and
 * `field!=`, but finds no row of which a value that is read for itself is not known; `/regular expression/` in any column or `field:/…/`; quotes keep spaces and special characters. A field is a column's title or a path into the row; dates compare with ages such as `2h` and `7d`, which are distances
 * from now, and with dates such as `2026-01-31`.
 */
export function parseFilter(text: string, columns: readonly Column[], view: CacheView): Filter {
  const context = { columns, view };
  const [tests, asking]: [Test[], Test[]] = [[], []];
  for (const term of termsOf(text)) {
    const test = term.mistake ?? operatorMistake(term, context) ?? termTest(term, context);
    if ('error' in test) return test;
    (test.isAsking ? asking : tests).push(test.matches);
  }
  // Only the rows that match otherwise are asked about.
  tests.push(...asking);
  return { matches: (row) => tests.every((test) => test(row)) };
}

type Test = (row: Row) => boolean;

function termTest(term: Term, context: Context): FilterMistake | { matches: Test; isAsking: boolean } {
  const { isNegated, at, alternatives } = term;
  const wanted = typed(term);
  const [first] = wanted;
  if (!first || (isBlank(first) && first.field === undefined)) {
    const error =
      alternatives.length > 1 ? 'no blanks around the |: web|db' : 'something to leave out must follow the !';
    return { error, position: at };
  }
  const tests: Test[] = [];
  const fields: FilterField[] = [];
  let isKnown = true;
  // A list below a row, as that of a zone on the way, may never be read.
  const note = (_: string, isWhole?: boolean) => {
    isKnown &&= !isWhole;
  };
  const seen = isNegated ? { ...context, view: watchedView(context.view, note) } : context;
  for (const one of wanted) {
    const field = one.field === undefined ? undefined : fieldIn(one, one.field, context);
    if (field && 'error' in field) return field;
    const test = field ? within(one, field, context.view) : anywhere(one.value, seen);
    if ('error' in test) return test;
    const { matches } = test;
    if (field) fields.push(field);
    const isLookedUp = field && !field.fetches && !field.toldBy && !field.saysNone;
    tests.push(isLookedUp && isNone(one) ? (row) => matches(row) && field.isKnown(row) : matches);
  }
  const isAsking = fields.some(({ fetches }) => fetches !== undefined);
  const matches = (row: Row) => tests.some((test) => test(row));
  if (!isNegated) return { matches, isAsking };
  // A value that is not known yet is not known to be another.
  return {
    matches(row) {
      isKnown = true;
      return !matches(row) && isKnown && fields.every((field) => field.isKnown(row));
    },
    isAsking,
  };
}

/** Operators of other tools that stand for themselves, and how the same is written here. */
const operators: ReadonlyMap<string, string> = new Map([
  ['AND', 'all words must occur, so nothing stands between them'],
  ['OR', 'either of two is a|b, without blanks'],
  ['NOT', '! leaves out: !web, !status:running'],
  ['&&', 'all words must occur, so nothing stands between them'],
]);

/** Refuses what other tools understand and would here be a part of a word. */
function operatorMistake({ alternatives }: Term, { columns, view }: Context): FilterMistake | undefined {
  for (const { field, operator, value, at } of alternatives) {
    if (value.kind !== 'word') continue;
    const says = field === undefined && alternatives.length === 1 ? operators.get(value.text) : undefined;
    if (says !== undefined) return { error: `${says}; in quotes it is a word: "${value.text}"`, position: at };
    const [, name = ''] = field === undefined ? (/^([\p{L}_][\w.-]*)(==|~=|!~)/u.exec(value.text) ?? []) : [];
    const isSigned = (operator === '=' && /^[=~]/.test(value.text)) || (operator === ':' && value.text.startsWith('='));
    if (isSigned || (name !== '' && fieldNamed(name, columns, view)))
      return { error: 'a field is compared by field:part, field=value or field:/expression/', position: at };
    if (operator === '<' && value.text.startsWith('>'))
      return { error: `what is not equal is ${field}!=${value.text.slice(1)}`, position: at };
    if (operator === ':' && /^[<>]/.test(value.text))
      return { error: `no : before ${value.text.charAt(0)}: ${field}${value.text}`, position: value.at - 1 };
  }
  return undefined;
}

function anywhere(value: Value, { columns: all, view }: Context): Filter {
  const wanted = value.text.toLowerCase();
  // Nor is a text made of each number to look for a letter in it.
  const isInNumbers = value.kind === 'expression' || /^[-+.\de]*$/.test(wanted);
  // A word would find figures, and would need those of all rows; a mark has none, and what is summed has no letters.
  const columns = all.filter(({ fetches, format, total }) => !fetches && format !== 'mark' && (isInNumbers || !total));
  // Values of the row itself come before those that are worked out, which many rows then need not be asked for.
  const [plain = [], derived = []] = [true, false].map((is) =>
    columns.filter(({ value }) => (typeof value === 'string') === is),
  );
  // Texts are not cached: a lookup takes as long as making one, and the memory of all rows.
  const reads = [...plain, ...derived].map((column) => readOf(column, view));
  if (value.kind === 'expression') return expressionTest(value, (row) => reads.map((read) => read(row)));
  // A status is shown in words: shutting_down as shutting down.
  const statuses = wanted.includes(' ') ? columns.filter(({ format }) => format === 'status') : [];
  const words = statuses.map((column) => readOf(column, view));
  return {
    matches: (row) => {
      for (const read of reads) {
        const value = read(row);
        if (!isInNumbers && Number.isFinite(value)) continue;
        if ((typeof value === 'string' ? value : searched(value)).toLowerCase().includes(wanted)) return true;
      }
      return words.some((read) => wordsOf(searched(read(row))).includes(wanted));
    },
  };
}

function within(alternative: Alternative, field: FilterField, view: CacheView): Filter {
  const { operator = ':', value } = alternative;
  const { read, words } = field;
  const isText = operator === ':' || operator === '=';
  if (isText && value.kind === 'expression') return expressionTest(value, (row) => [read(row)]);
  if (isText && words && value.text !== '') return whole(alternative, field);
  if (operator === ':') return containing(alternative, field);
  if (operator === '=' && value.text !== '') return equal(alternative, field, view);
  const test = value.kind === 'expression' ? undefined : comparison(field, operator, value.text, view);
  if (!test) return { error: comparable(field), position: value.at };
  return { matches: (row) => test(read(row)) };
}

/** The field that an alternative names, or which ones there are. */
function fieldIn({ at }: Alternative, name: string, { columns, view }: Context): FilterField | FilterMistake {
  const field = fieldNamed(name, columns, view);
  if (field) return field;
  const titles = [...columns.map(titled), ...(view.standing ? [standingName] : [])];
  const singular = titles.flatMap((title) => (title.endsWith('s') ? [title.slice(0, -1)] : []));
  const meant = nearest(name.toLowerCase(), [...titles, ...singular]);
  const further = meant === undefined ? `there are ${titles.join(', ')}` : `did you mean ${meant}?`;
  return { error: `there is no field ${name}; ${further}`, position: at };
}

/** Tests for a word of a closed set, however it is spelled, and for yes or no. */
function whole(alternative: Alternative, { read, format }: FilterField): Filter {
  const wanted = wordKey(alternative.value.text);
  const truth = truthOf(alternative.value.text);
  const none = isNone(alternative);
  const isEmpty = (value: unknown) => isAbsent(value) || isEmptyWord(value) || (value === false && format === 'mark');
  const isWanted = (value: unknown): boolean => {
    if (typeof value === 'boolean') return value === truth;
    return Array.isArray(value) ? value.some(isWanted) : wordKey(searched(value)) === wanted;
  };
  return {
    matches: (row) => {
      const value = read(row);
      return isWanted(value) || (none && isEmpty(value));
    },
  };
}

/** Whether a value is searched for by its absence; a field that says so has the word. */
const isForNone = (alternative: Alternative, { saysNone }: FilterField): boolean =>
  isNone(alternative) && !(saysNone && !isDash(alternative.value));

function containing(alternative: Alternative, field: FilterField): Filter {
  const { read } = field;
  const wanted = alternative.value.text.toLowerCase();
  const truth = truthOf(wanted);
  const isIn = (value: unknown) =>
    typeof value === 'boolean' && wanted !== '' ? value === truth : searched(value).toLowerCase().includes(wanted);
  if (!isForNone(alternative, field)) return { matches: (row) => isIn(read(row)) };
  const isWord = !isDash(alternative.value);
  return {
    matches: (row) => {
      const value = read(row);
      return isAbsent(value) || isEmptyWord(value) || (isWord && isIn(value));
    },
  };
}

/** Tests for the whole value, or a whole item of a list; numbers and dates by what they are. */
function equal(alternative: Alternative, field: FilterField, view: CacheView): Filter {
  const { text, at } = alternative.value;
  const wanted = text.toLowerCase();
  const truth = truthOf(wanted);
  const none = isForNone(alternative, field);
  const compares = comparison(field, '=', text, view);
  if (!compares && !none && measureOf(field.format)) return { error: comparable(field), position: at };
  const isEqual = (value: unknown): boolean => {
    if (typeof value === 'boolean') return value === truth;
    return Array.isArray(value)
      ? value.some(isEqual)
      : searched(value).toLowerCase() === wanted || compares?.(value) === true;
  };
  return {
    matches: (row) => {
      const value = field.read(row);
      return isEqual(value) || (none && (isAbsent(value) || isEmptyWord(value)));
    },
  };
}

function expressionTest({ text, at, closed }: Value, read: (row: Row) => readonly unknown[]): Filter {
  if (!closed) return { error: 'the regular expression ends with a /', position: at + 1 + text.length };
  try {
    const expression = new RegExp(text, 'i');
    return { matches: (row) => read(row).some((item) => expression.test(searched(item))) };
  } catch (error) {
    return { error: (error as Error).message.toLowerCase(), position: at };
  }
}

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
  const [inner, outer] = wide.isNegated ? [wides, narrows] : [narrows, wides];
  return inner.every((one) => outer.some((other) => contains(one, other, hasWords)));
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
  if (isExpression || !isText)
    return one.value.kind === other.value.kind && one.value.text === other.value.text && isTimeless(one);
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
