import type { Column, Known, Row } from '../resources/resource.ts';
import { valueIn } from './filter.ts';

let collator: Intl.Collator | undefined;

/** Texts as people sort them, in the same way everywhere. Made when it is needed: it loads the tables of ICU. */
function collated(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(one, other);
}

/** Longer texts and longer runs of digits are left to the collator. */
const mostLetters = 500;
const mostDigits = 20;

/** The printable ASCII characters in the collator's order, small letters standing for both. */
const ordered = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** The place of each printable ASCII character by its code. After the digits there is room for the lengths of numbers. */
const places: readonly (number | undefined)[] = placesOf();

function placesOf(): readonly (number | undefined)[] {
  const found: (number | undefined)[] = [];
  const lastDigit = ordered.indexOf('9');
  for (const [index, character] of Array.from(ordered).entries()) {
    const place = index > lastDigit ? index + mostDigits : index;
    found[character.charCodeAt(0)] = place;
    found[character.toUpperCase().charCodeAt(0)] = place;
  }
  return found;
}

const [zero, nine] = [0x30, 0x39];

/**
 * A text whose order by code units is the collator's, which takes many times as long for each comparison; undefined
 * where a text is not plain enough. A number in it is its length, without leading zeros, and its digits.
 */
function keyOf(text: string): string | undefined {
  if (text.length > mostLetters) return undefined;
  const codes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const place = places[code];
    if (place === undefined) return undefined;
    if (code < zero || code > nine) {
      codes.push(place);
      at++;
      continue;
    }
    while (text.charCodeAt(at) === zero) at++;
    const from = at;
    while (text.charCodeAt(at) >= zero && text.charCodeAt(at) <= nine) at++;
    if (at - from > mostDigits) return undefined;
    codes.push((places[zero] ?? 0) + at - from);
    for (let digit = from; digit < at; digit++) codes.push(text.charCodeAt(digit));
  }
  return String.fromCharCode(...codes);
}

/**
 * Rows in the order of a column; rows that are equal there keep the order they have.
 * @param sort a column's title, `-` before it for descending; undefined leaves the order of the API
 */
export function sorted(
  rows: readonly Row[],
  sort: string | undefined,
  columns: readonly Column[],
  known: Known,
): readonly Row[] {
  if (!sort) return rows;
  const title = sort.replace(/^-/, '');
  const column = columns.find((column) => column.title === title);
  if (!column) return rows;
  const last = orders.get(rows);
  const order = last?.column === column && last.known === known ? last : orderOf(rows, column, known);
  orders.set(rows, order);
  return sort.startsWith('-') ? descending(order) : order.ascending;
}

/** The order in which a list was last asked for: the other way round it is only read backwards. */
interface Order {
  column: Column;
  known: Known;
  ascending: readonly Row[];
  /** Whether each row equals the one before it. */
  repeats: Uint8Array;
  /** How many rows have a value; the others come last. */
  present: number;
}

const orders = new WeakMap<readonly Row[], Order>();

function orderOf(rows: readonly Row[], column: Column, known: Known): Order {
  const keyed = rows.map((row) => keyedBy(row, valueIn(row, column, known))).sort(compare);
  const repeats = Uint8Array.from(keyed, (one, index) => {
    const before = keyed[index - 1];
    return before && compare(before, one) === 0 ? 1 : 0;
  });
  const absent = keyed.findIndex(({ value }) => value === undefined);
  return {
    column,
    known,
    ascending: keyed.map(({ row }) => row),
    repeats,
    present: absent < 0 ? keyed.length : absent,
  };
}

function descending({ ascending, repeats, present }: Order): readonly Row[] {
  const rows: Row[] = [];
  for (let end = present; end > 0; ) {
    let begin = end - 1;
    while (repeats[begin] === 1) begin--;
    for (let at = begin; at < end; at++) rows.push(ascending[at] as Row);
    end = begin;
  }
  return [...rows, ...ascending.slice(present)];
}

/** A row and what it is sorted by. */
interface Keyed {
  row: Row;
  /** Undefined where there is nothing. */
  value: number | string | undefined;
  key: string | undefined;
}

function keyedBy(row: Row, value: unknown): Keyed {
  if (isAbsent(value)) return { row, value: undefined, key: undefined };
  if (typeof value === 'number') return { row, value, key: undefined };
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return { row, value: text, key: keyOf(text) };
}

/** Numbers by size, texts as people sort them (web-2 before web-10), absent values always last. */
function compare({ value: one, key }: Keyed, { value: other, key: otherKey }: Keyed): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (key === undefined || otherKey === undefined) return collated(String(one), String(other));
  return key === otherKey ? 0 : key < otherKey ? -1 : 1;
}

const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  Number.isNaN(value) ||
  (Array.isArray(value) && value.length === 0);
