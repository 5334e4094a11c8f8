import type { CacheView, Column, Row } from '../../resources/resource.ts';
import { clean } from '../../text/cells.ts';
import { sizeText } from '../../text/numbers.ts';
import { dayText, timeOf } from '../../text/times.ts';
import { filterText } from '../../text/words.ts';
import { comparison, isTimeFormat } from './comparison.ts';
import { type FilterField, fieldNamed, isAbsent, searched, standingName, titled } from './fields.ts';
import { parseFilter } from './filter.ts';
import { type Alternative, type Operator, type Term, termsOf } from './terms.ts';
import { amountIn, measureOf, sizeStep } from './units.ts';

/** A way to go on with a filter. */
export interface Completion {
  /** The whole filter then. */
  text: string;
  /** The field or value, as it is typed. */
  name: string;
  /** The rows that have the value, among those that the other terms leave; a field has none. */
  count?: number;
}

/** As many are offered; a value that is not among them is found by its first letters. */
const maxOffered = 100;

/** Longer values are not offered. */
const maxLength = 80;

const offeredAges = ['1h', '1d', '7d', '30d', '1y'];

/** The ways to go on at the end of a filter: fields, or behind a field the values that the rows have there. */
export function completionsOf(
  text: string,
  rows: readonly Row[],
  columns: readonly Column[],
  view: CacheView,
): readonly Completion[] {
  const term = endOf(text);
  const last = term?.alternatives.at(-1);
  if (!term || !last) return fieldsFrom('', text, columns, view);
  const { field: name, operator, value } = last;
  if (name === undefined || operator === undefined)
    return value.kind === 'word' ? fieldsFrom(value.text, text.slice(0, value.at), columns, view) : [];
  const field = fieldNamed(name, columns, view);
  if (!field || value.kind === 'expression') return [];
  const others = parseFilter(text.slice(0, term.from), columns, view);
  const left = 'error' in others ? rows : rows.filter(others.matches);
  const isText = operator === ':' || operator === '=';
  const counted = isText ? valuesOf(field, operator, left) : boundsOf(field, operator, left, view);
  return withPrefix(counted, last, term).map((one) => ({ ...one, text: text.slice(0, value.at) + quoted(one.name) }));
}

/** An example of a comparison with a field of these columns, of a size where one has it; blank where none compares. */
export function comparedExample(columns: readonly Column[], view: CacheView): string {
  const fields = fieldsFrom('', '', columns, view).flatMap(({ name, text }) => {
    const format = fieldNamed(name, columns, view)?.format;
    return /[<>]$/.test(text) ? [{ text, format }] : [];
  });
  const shown = fields.find(({ format }) => sizeStep(format) !== undefined) ?? fields[0];
  const [, value = '4'] = / such as (\S+)/.exec(measureOf(shown?.format)?.takes ?? '') ?? [];
  return shown ? `${shown.text}${isTimeFormat(shown.format) ? '7d' : value}` : '';
}

/** The term that is not ended by a blank. */
function endOf(text: string): Term | undefined {
  const last = termsOf(text).at(-1);
  const value = last?.alternatives.at(-1)?.value;
  if (!last || !value) return undefined;
  const isOpen = value.kind === 'word' ? value.at + value.text.length === text.length : !value.closed;
  return isOpen ? last : undefined;
}

/** The fields that begin with a text, or else hold it, with the operator that suits their values. */
function fieldsFrom(typed: string, before: string, columns: readonly Column[], view: CacheView): readonly Completion[] {
  const fields = columns.flatMap((column) => {
    const title = titled(column);
    const [name = ''] = plainName.exec(title) ?? /^\p{L}[\w.-]*/u.exec(title) ?? [];
    const field = name === '' ? undefined : fieldNamed(name, columns, view);
    return field?.name === title ? [{ name, format: column.format }] : [];
  });
  if (view.standing) fields.push({ name: standingName, format: undefined });
  return named(fields, typed).map(({ name, format }) => ({
    name,
    text: `${before}${name}${isTimeFormat(format) ? '<' : measureOf(format) && format !== 'id' ? '>' : ':'}`,
  }));
}

/** A name at the start of a title; the classes of all letters take milliseconds to compile, and few titles need them. */
const plainName = /^[a-z_][\w.-]*/i;
type Counted = Pick<Completion, 'name'> & { count: number };

/** The values of a field, the most frequent first, and whether there are rows without one. */
function valuesOf({ read, format }: FilterField, operator: Operator, rows: readonly Row[]): readonly Counted[] {
  const counts = new Map<string, number>();
  let absent = 0;
  const isExact = operator === '=';
  const count = (value: unknown) => {
    const name = writtenAs(value, format, isExact);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const row of rows) {
    const value = read(row);
    if (isAbsent(value) || value === 'none') absent++;
    else if (Array.isArray(value)) for (const item of new Set(value)) count(item);
    else count(value);
  }
  const found = [...counts].map(([name, count]) => ({ name, count })).filter(({ name }) => isTypable(name));
  found.sort((one, other) => other.count - one.count);
  return absent > 0 ? [...found, { name: 'none', count: absent }] : found;
}

/** The values that a field can be compared with, and the rows that are found then. */
function boundsOf(
  field: FilterField,
  operator: Exclude<Operator, ':'>,
  rows: readonly Row[],
  view: CacheView,
): readonly Counted[] {
  const isTime = isTimeFormat(field.format);
  // Times are read once for all ages.
  const values = rows.map((row) => (isTime ? timeOf(field.read(row)) : field.read(row)));
  const names = isTime ? offeredAges : numbersOf(values, field);
  return names
    .map((name) => {
      const test = comparison(field, operator, name, view);
      return { name, count: test ? values.filter(test).length : 0 };
    })
    .filter(({ count }) => count > 0);
}

const maxBounds = 12;

/** Formats of numbers that are hardly ever the same twice; whole ones are offered. */
const readings: ReadonlySet<Column['format']> = new Set<Column['format']>(['percent', 'load', 'bitrate', 'blockrate']);

/** A few of the numbers in ascending order, evenly spread where there are more. */
function numbersOf(values: readonly unknown[], { format }: FilterField): readonly string[] {
  const known = values.filter((value) => typeof value === 'number' && !Number.isNaN(value)) as number[];
  const numbers = [...new Set(readings.has(format) ? known.map(Math.floor) : known)];
  numbers.sort((one, other) => one - other);
  const step = Math.max(1, numbers.length / maxBounds);
  const some = Array.from({ length: Math.min(maxBounds, numbers.length) }, (_, at) => numbers[Math.floor(at * step)]);
  return some.map((number) => writtenAs(number, format, true));
}

/** A time whose text begins with its day in UTC. */
const inUtc = /^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/;
const dayLength = 10;

/** A value as it is typed: sizes with their unit where that is exact, times by their day. */
function writtenAs(value: unknown, format: Column['format'], isExact: boolean): string {
  const text = searched(value);
  if (isTimeFormat(format)) {
    if (inUtc.test(text)) return text.slice(0, dayLength);
    const time = timeOf(value);
    return Number.isNaN(time) ? text : dayText(time);
  }
  const step = sizeStep(format);
  const measure = measureOf(format);
  if (!isExact || step === undefined || !measure || typeof value !== 'number') return text;
  const size = sizeText(value, step).replaceAll(/\s/g, '');
  return amountIn(size, measure) === value ? size : text;
}

/** Those that begin with what is typed, or else hold it, without those that the term has already. */
function withPrefix(all: readonly Counted[], last: Alternative, { alternatives }: Term): readonly Counted[] {
  const wanted = last.value.text.toLowerCase();
  const taken = new Set(alternatives.slice(0, -1).map(({ value }) => value.text));
  const left = all.filter(({ name }) => !taken.has(name) && name.toLowerCase() !== wanted);
  return named(left, wanted).slice(0, maxOffered);
}

/** Those that begin with what is typed, or else hold it. */
function named<T extends Pick<Completion, 'name'>>(all: readonly T[], typed: string): readonly T[] {
  const wanted = typed.toLowerCase();
  const begun = all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  return begun.length > 0 ? begun : all.filter(({ name }) => name.toLowerCase().includes(wanted));
}

const isTypable = (name: string): boolean =>
  name !== '' && name.length <= maxLength && clean(name) === name && name.toLowerCase() !== 'none';

/** A value as it is typed; without quotes where it stands without them also behind a `|`. */
const quoted = (name: string): string =>
  /^[^\s|"/:<>=!~()][^\s|:<>=)]*$/.test(name) && name !== '-' && name !== '–' ? name : filterText(name);
