import { at, type CacheView, type Column, type Row } from '../resources/resource.ts';
import { day, hour, minute, timeOf } from '../text/times.ts';
import { textOf } from '../text/words.ts';

/** A filter, or an error with its position in the text. */
export type Filter = { matches: (row: Row) => boolean } | { error: string; position: number };

type Test = (row: Row) => boolean;

/**
 * Parses a filter: words that must all occur; `field:value`; `field<number` and `field>number`; `!` before any of these
 * negates it; `/regular expression/` in any column or `field:/…/`; quotes keep spaces and special characters. A field is a column's title or a path into the row; dates compare with ages
 * such as `2h` and `7d`.
 */
export function parseFilter(text: string, columns: readonly Column[], view: CacheView): Filter {
  const loaded = loadedColumns(columns);
  const tests: Test[] = [];
  for (const token of tokensOf(text)) {
    const test = testOf(token, loaded, view);
    if ('error' in test) return test;
    tests.push(test.matches);
  }
  return { matches: (row) => tests.every((test) => test(row)) };
}

/** Values of lazy columns are not in the rows. */
const loadedColumns = (columns: readonly Column[]) => columns.filter(({ lazy }) => lazy === undefined);

/**
 * Whether the rows of a filter are among those of another: it extends the last word of that one, or adds words that must
 * occur.
 */
export const narrows = (text: string, before: string): boolean =>
  before.trim() !== '' && text.toLowerCase().startsWith(before.toLowerCase()) && !/[!:<>/"]/.test(text);

/** A word, a quoted text or a regular expression, with its position. */
interface Value {
  kind: 'word' | 'quoted' | 'expression';
  text: string;
  at: number;
  /** Has its closing slash or quote; quotes may stay open while one types. */
  closed: boolean;
}

/** One term of a filter. */
interface Token {
  negations: number;
  at: number;
  field?: string;
  operator?: string;
  value: Value;
}

/** Splits a filter at spaces outside quotes and regular expressions. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = nextFilled(text, 0); at < text.length; ) {
    const bangs = /^!*/.exec(text.slice(at))?.[0].length ?? 0;
    const begin = at + bangs;
    const [lead = '', field, operator] = fieldPattern.exec(text.slice(begin)) ?? [];
    const value = valueAt(text, begin + lead.length);
    tokens.push({ negations: bangs, at: begin, field, operator, value: value.read });
    at = nextFilled(text, value.end);
  }
  return tokens;
}

/** A field and its operator. `::` and `://` belong to addresses: what has them is a word. */
const fieldPattern = /^([\p{L}_][\w.-]*)([:<>])(?!:|\/\/)/u;

function nextFilled(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** The value that begins here, and where it ends. */
function valueAt(text: string, at: number): { read: Value; end: number } {
  const mark = text.charAt(at);
  if (mark === '"') {
    const end = text.indexOf('"', at + 1);
    const closed = end >= 0;
    const inside = text.slice(at + 1, closed ? end : undefined);
    return { read: { kind: 'quoted', text: inside, at, closed }, end: closed ? end + 1 : text.length };
  }
  if (mark === '/') {
    const end = slashAfter(text, at + 1);
    const closed = end < text.length;
    return { read: { kind: 'expression', text: text.slice(at + 1, end), at, closed }, end: closed ? end + 1 : end };
  }
  const word = /^\S*/.exec(text.slice(at))?.[0] ?? '';
  return { read: { kind: 'word', text: word, at, closed: true }, end: at + word.length };
}

/** The next unescaped slash; the length of the text when there is none. */
function slashAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '/') at += text.charAt(at) === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

function testOf(token: Token, columns: readonly Column[], view: CacheView): Filter {
  const { negations, at, field, operator, value } = token;
  if (negations > 0 && field === undefined && value.kind === 'word' && value.text === '') {
    return { error: 'something to leave out must follow the !', position: at };
  }
  const test = field === undefined ? anywhere(value, columns, view) : within(field, operator, token, columns, view);
  if ('error' in test || negations % 2 === 0) return test;
  return { matches: (row) => !test.matches(row) };
}

/** Tests for a value in any column. */
function anywhere(value: Value, columns: readonly Column[], view: CacheView): Filter {
  if (value.kind === 'expression') return textTest(value, (row) => columns.map((column) => valueIn(row, column, view)));
  const wanted = value.text.toLowerCase();
  // Texts are not cached: a lookup takes as long as making one, and the memory of all rows.
  const reads = columns.map((column) => readOf(column, view));
  return {
    matches: (row) => {
      for (const read of reads) if (textIn(read(row)).toLowerCase().includes(wanted)) return true;
      return false;
    },
  };
}

function within(
  field: string,
  operator: string | undefined,
  { at, value }: Token,
  columns: readonly Column[],
  view: CacheView,
): Filter {
  const read = readerOf(field, columns, view);
  if (!read) {
    const titles = columns.map(({ title }) => titled(title));
    return { error: `there is no field ${field}; there are ${titles.join(', ')}`, position: at };
  }
  if (operator === '<' || operator === '>') return comparison(value, operator, read, view);
  return textTest(value, (row) => [read(row)]);
}

function textTest(value: Value, read: (row: Row) => readonly unknown[]): Filter {
  if (value.kind === 'expression') return expressionTest(value, read);
  const wanted = value.text.toLowerCase();
  return { matches: (row) => read(row).some((item) => textIn(item).toLowerCase().includes(wanted)) };
}

function expressionTest({ text, at, closed }: Value, read: (row: Row) => readonly unknown[]): Filter {
  if (!closed) return { error: 'the regular expression ends with a /', position: at + 1 + text.length };
  try {
    const expression = new RegExp(text, 'i');
    return { matches: (row) => read(row).some((item) => expression.test(textIn(item))) };
  } catch (error) {
    return { error: (error as Error).message.toLowerCase(), position: at };
  }
}

function comparison({ text, at }: Value, operator: '<' | '>', read: Reader, view: CacheView): Filter {
  const age = /^(\d+(?:\.\d+)?)(s|min|h|d|w)$/.exec(text);
  const number = age ? Number(age[1]) * (ageUnits[age[2] ?? ''] ?? 1) : Number(text);
  if (text.trim() === '' || Number.isNaN(number)) {
    return { error: `a number or an age such as 2h or 7d must follow the ${operator}`, position: at };
  }
  return {
    matches: (row) => {
      const item = read(row);
      const size = age ? view.now - timeOf(item) : typeof item === 'number' ? item : Number.parseFloat(textIn(item));
      return operator === '<' ? size < number : size > number;
    },
  };
}

const ageUnits: Readonly<Record<string, number>> = {
  s: 1000,
  min: minute,
  h: hour,
  d: day,
  w: 604_800_000,
};

type Reader = (row: Row) => unknown;

/** A column's title as it is written in a filter. */
const titled = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** Reads a field by the title of a column (with dashes for spaces, shortened or in the plural) or by its path. */
function readerOf(field: string, columns: readonly Column[], view: CacheView): Reader | undefined {
  const wanted = field.toLowerCase();
  const singular = (word: string) => word.replace(/s$/, '');
  const column =
    columns.find(({ title, value }) => titled(title) === wanted || value === field) ??
    columns.find(({ title }) => titled(title).startsWith(wanted)) ??
    columns.find(({ title }) => singular(titled(title)) === singular(wanted));
  if (column) return (row) => valueIn(row, column, view);
  return field === 'id' || field.includes('.') || field.includes('_') ? (row) => at(row, field) : undefined;
}

/** Reads the value of a column; its path is split once for all rows. */
function readOf({ value }: Column, view: CacheView): Reader {
  if (typeof value !== 'string') return (row) => value(row, view);
  const [first = '', ...rest] = value.split('.');
  return rest.length === 0 ? (row) => row[first] : (row) => rest.reduce<unknown>(at, row[first]);
}

/**
 * The value that a column shows of a row.
 * @param source the row, or the answer from which a lazy column is filled; `subject` is its row then
 */
export const valueIn = (source: Row, column: Column, view: CacheView, subject?: Row): unknown =>
  typeof column.value === 'string' ? at(source, column.value) : column.value(source, view, subject);

const textIn = (value: unknown): string => (Array.isArray(value) ? value.map(textIn).join(' ') : textOf(value));
