import type { Column, Known, Row } from '../resources/resource.ts';
import { at } from '../resources/resource.ts';

/** A filter that can be applied, or where and why it cannot. */
export type Filter = { matches: (row: Row) => boolean } | { error: string; position: number };

type Test = (row: Row) => boolean;

/**
 * Reads the one grammar of filters: words that must all occur; `field:value`; `field<number` and `field>number`;
 * `!` before any of these turns it round; `/regular expression/` anywhere or `field:/…/`; quotes keep blanks together.
 * A field is a column's title or a path into the row; dates compare with ages such as `2h` and `7d`.
 */
export function filterOf(text: string, columns: readonly Column[], known: Known): Filter {
  const tests: Test[] = [];
  for (const token of tokensOf(text)) {
    const test = testOf(token.text, columns, known);
    if ('error' in test) return { error: test.error, position: token.at + test.position };
    tests.push(test.matches);
  }
  return { matches: (row) => tests.every((test) => test(row)) };
}

/** Splits at blanks outside quotes and regular expressions. */
function tokensOf(text: string): readonly { text: string; at: number }[] {
  const pattern = /(?:!?[\w .-]*?[:<>=]?)?(?:\/(?:\\.|[^/\\])*\/?|"[^"]*"?)|\S+/g;
  return [...text.matchAll(pattern)].map((match) => {
    const lead = match[0].length - match[0].trimStart().length;
    return { text: match[0].trim(), at: match.index + lead };
  });
}

function testOf(token: string, columns: readonly Column[], known: Known): Filter {
  if (token.startsWith('!')) return negated(token, columns, known);
  const [, field, operator, value] = /^([\w.-]+)([:<>])(.*)$/s.exec(token) ?? [];
  if (field === undefined || operator === undefined || value === undefined || token.startsWith('/')) {
    return textTest(token, 0, (row) => columns.map((column) => valueIn(row, column, known)));
  }
  const read = readerOf(field, columns, known);
  if (!read) {
    const titles = columns.map(({ title }) => title.toLowerCase().replaceAll(' ', '-'));
    return { error: `there is no field ${field}; there are ${titles.join(', ')}`, position: 0 };
  }
  const position = field.length + 1;
  if (operator === ':') return textTest(value, position, (row) => [read(row)]);
  return comparison(value, operator, position, read, known.now);
}

function negated(token: string, columns: readonly Column[], known: Known): Filter {
  if (token.length === 1) return { error: 'something to leave out must follow the !', position: 1 };
  const inner = testOf(token.slice(1), columns, known);
  if ('error' in inner) return { ...inner, position: inner.position + 1 };
  return { matches: (row) => !inner.matches(row) };
}

function textTest(value: string, position: number, read: (row: Row) => readonly unknown[]): Filter {
  if (value.startsWith('/')) return expressionTest(value, position, read);
  const wanted = value.replace(/^"|"$/g, '').toLowerCase();
  return { matches: (row) => read(row).some((item) => spoken(item).toLowerCase().includes(wanted)) };
}

function expressionTest(value: string, position: number, read: (row: Row) => readonly unknown[]): Filter {
  if (value.length < 2 || !value.endsWith('/')) {
    return { error: 'the regular expression ends with a /', position: position + value.length };
  }
  try {
    const expression = new RegExp(value.slice(1, -1), 'i');
    return { matches: (row) => read(row).some((item) => expression.test(spoken(item))) };
  } catch (error) {
    return { error: (error as Error).message.toLowerCase(), position };
  }
}

function comparison(value: string, operator: string, position: number, read: Reader, now: number): Filter {
  const age = /^(\d+(?:\.\d+)?)(s|min|h|d|w)$/.exec(value);
  const number = age ? Number(age[1]) * (ageUnits[age[2] ?? ''] ?? 1) : Number(value);
  if (value === '' || Number.isNaN(number)) {
    return { error: `a number or an age such as 2h or 7d must follow the ${operator}`, position };
  }
  return {
    matches: (row) => {
      const item = read(row);
      const size = age ? now - timeOf(item) : typeof item === 'number' ? item : Number.parseFloat(spoken(item));
      return operator === '<' ? size < number : size > number;
    },
  };
}

const ageUnits: Readonly<Record<string, number>> = {
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

type Reader = (row: Row) => unknown;

/** Reads a field named by a column's title (blanks as dashes, shortened at will) or by its path. */
function readerOf(field: string, columns: readonly Column[], known: Known): Reader | undefined {
  const wanted = field.toLowerCase();
  const titled = (title: string) => title.toLowerCase().replaceAll(' ', '-');
  const column =
    columns.find(({ title, value }) => titled(title) === wanted || value === field) ??
    columns.find(({ title }) => titled(title).startsWith(wanted)) ??
    columns.find(
      ({ title }) =>
        title.toLowerCase() === wanted.replace(/s$/, '') || `${titled(title)}`.replace(/s$/, '') === wanted,
    );
  if (column) return (row) => valueIn(row, column, known);
  return field === 'id' || field.includes('.') || field.includes('_') ? (row) => at(row, field) : undefined;
}

/** The value that a column shows of a row. */
export const valueIn = (row: Row, column: Column, known: Known): unknown =>
  typeof column.value === 'string' ? at(row, column.value) : column.value(row, known);

function spoken(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(spoken).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The time of an API timestamp, which has no zone and is UTC, in ms since the epoch; NaN when it is none. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
}
