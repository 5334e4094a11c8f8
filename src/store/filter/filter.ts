import type { CacheView, Column, Row } from '../../resources/resource.ts';
import { comparable, comparison } from './comparison.ts';
import {
  type FilterField,
  fieldNamed,
  isAbsent,
  loadedColumns,
  readOf,
  searched,
  standingName,
  titled,
} from './fields.ts';
import { type Alternative, isBlank, isNone, type Term, termsOf, type Value } from './terms.ts';
import { measureOf } from './units.ts';

/** A filter, or an error with its position in the text. */
export type Filter = { matches: (row: Row) => boolean } | { error: string; position: number };

interface Context {
  columns: readonly Column[];
  view: CacheView;
}

/**
 * Parses a filter: words that must all occur; `field:value`; `field=value`, exactly; `field<number` and `>`, `<=`, `>=`,
 * with a unit where the field has one; `a|b`, either of them; `field:none` where it has no value; `!` before any of
 * these negates it; `/regular expression/` in any column or `field:/…/`; quotes keep spaces and special characters. A
 * field is a column's title or a path into the row; dates compare with ages such as `2h` and `7d`, which are distances
 * from now, and with dates such as `2026-01-31`.
 */
export function parseFilter(text: string, columns: readonly Column[], view: CacheView): Filter {
  const context = { columns: loadedColumns(columns), view };
  const [tests, asking]: [Test[], Test[]] = [[], []];
  for (const term of termsOf(text)) {
    const test = termTest(term, context);
    if ('error' in test) return test;
    (isAsking(term, context) ? asking : tests).push(test.matches);
  }
  // Only the rows that match otherwise are asked about.
  tests.push(...asking);
  return { matches: (row) => tests.every((test) => test(row)) };
}

type Test = (row: Row) => boolean;

const isAsking = ({ alternatives }: Term, { columns, view }: Context): boolean =>
  alternatives.some(({ field }) => field !== undefined && fieldNamed(field, columns, view)?.asks !== undefined);

function termTest(term: Term, context: Context): Filter {
  const { negations, at, alternatives } = term;
  const filled = alternatives.filter((one) => !isBlank(one));
  const [first] = alternatives;
  if (filled.length === 0 && first?.field === undefined) {
    const error =
      alternatives.length > 1 ? 'no blanks around the |: web|db' : 'something to leave out must follow the !';
    return { error, position: at };
  }
  const tests: Test[] = [];
  for (const one of filled.length > 0 ? filled : alternatives) {
    const test = one.field === undefined ? anywhere(one.value, context) : within(one, one.field, context);
    if ('error' in test) return test;
    tests.push(test.matches);
  }
  const [only] = tests;
  const matches = only && tests.length === 1 ? only : (row: Row) => tests.some((test) => test(row));
  return { matches: negations % 2 === 0 ? matches : (row) => !matches(row) };
}

/** Tests for a value in any column. */
function anywhere(value: Value, { columns: all, view }: Context): Filter {
  // A word would find figures, and would need those of all rows.
  const columns = all.filter(({ asks }) => asks === undefined);
  // Texts are not cached: a lookup takes as long as making one, and the memory of all rows.
  const reads = columns.map((column) => readOf(column, view));
  if (value.kind === 'expression') return expressionTest(value, (row) => reads.map((read) => read(row)));
  const wanted = value.text.toLowerCase();
  return {
    matches: (row) => {
      for (const read of reads) if (searched(read(row)).toLowerCase().includes(wanted)) return true;
      return false;
    },
  };
}

function within(alternative: Alternative, name: string, { columns, view }: Context): Filter {
  const { at, operator = ':', value } = alternative;
  const field = fieldNamed(name, columns, view);
  if (!field) {
    const titles = [...columns.map(titled), ...(view.standing ? [standingName] : [])];
    return { error: `there is no field ${name}; there are ${titles.join(', ')}`, position: at };
  }
  const { read } = field;
  const isText = operator === ':' || operator === '=';
  if (isText && value.kind === 'expression') return expressionTest(value, (row) => [read(row)]);
  if (operator === ':') return containing(alternative, read);
  if (operator === '=' && value.text !== '') return equal(alternative, field, view);
  const test = value.kind === 'expression' ? undefined : comparison(field, operator, value.text, view);
  if (!test) return { error: comparable(field), position: value.at };
  return { matches: (row) => test(read(row)) };
}

function containing(alternative: Alternative, read: FilterField['read']): Filter {
  const wanted = alternative.value.text.toLowerCase();
  const isIn = (value: unknown) => searched(value).toLowerCase().includes(wanted);
  if (!isNone(alternative)) return { matches: (row) => isIn(read(row)) };
  return {
    matches: (row) => {
      const value = read(row);
      return isAbsent(value) || isIn(value);
    },
  };
}

/** Tests for the whole value, or a whole item of a list; numbers and dates by what they are. */
function equal(alternative: Alternative, field: FilterField, view: CacheView): Filter {
  const { text, at } = alternative.value;
  const wanted = text.toLowerCase();
  const none = isNone(alternative);
  const compares = comparison(field, '=', text, view);
  if (!compares && !none && measureOf(field.format)) return { error: comparable(field), position: at };
  const isEqual = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isEqual) : searched(value).toLowerCase() === wanted || compares?.(value) === true;
  return {
    matches: (row) => {
      const value = field.read(row);
      return isEqual(value) || (none && isAbsent(value));
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
