import { createResults, type LastResult, noteDifferences } from '../resources/differences.ts';
import type { CacheView, Column, Row } from '../resources/resource.ts';
import { isAbsent, valueIn } from './filter/fields.ts';

let collator: Intl.Collator | undefined;

/** Compares texts in one order everywhere. Created late, since it loads the tables of ICU. */
export function collated(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(one, other);
}

/** Longer texts and numbers are left to the collator. */
const maxLength = 500;
const maxDigits = 20;

/** The printable ASCII characters in the collator's order, small letters standing for both. */
const ordered = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** The place of each printable ASCII character by its code; the gap after the digits is for the lengths of numbers. */
const places: readonly (number | undefined)[] = placesOf();

function placesOf(): readonly (number | undefined)[] {
  const found: (number | undefined)[] = [];
  const lastDigit = ordered.indexOf('9');
  for (const [index, character] of Array.from(ordered).entries()) {
    const place = index > lastDigit ? index + maxDigits : index;
    found[character.charCodeAt(0)] = place;
    found[character.toUpperCase().charCodeAt(0)] = place;
  }
  return found;
}

const [zero, nine] = [0x30, 0x39];

/**
 * A key whose order by code units is the order of the collator, which is many times slower; undefined where a text is not
 * printable ASCII. A number becomes its length without leading zeros, and its digits.
 */
function sortKey(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
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
    if (at - from > maxDigits) return undefined;
    codes.push((places[zero] ?? 0) + at - from);
    for (let digit = from; digit < at; digit++) codes.push(text.charCodeAt(digit));
  }
  return String.fromCharCode(...codes);
}

/** Compares texts in the same order, mostly without the collator; those equal there (web-2, web-02) by code units. */
export const compareTexts = (one: string, other: string): number =>
  compare({ value: one, key: sortKey(one) }, { value: other, key: sortKey(other) }) ||
  Number(one > other) - Number(one < other);

/**
 * Rows in the order of a column; rows that are equal there keep the order they have.
 * @param sort a column's title, `-` before it for descending; undefined leaves the order of the API
 */
export function sorted(
  rows: readonly Row[],
  sort: string | undefined,
  columns: readonly Column[],
  view: CacheView,
): readonly Row[] {
  if (!sort) return rows;
  const column = columnOf(columns, sort);
  if (!column) return rows;
  const last = orders.last(rows);
  const isOwn = typeof column.value === 'string';
  const isOfThese = last?.result.column === column && (isOwn || last.result.view === view);
  const isAsBefore = last?.result.column === column && last.differences?.length === 0;
  const order = (isOfThese && orderAfter(last)) || orderOf(rows, column, view, isAsBefore ? last.result : undefined);
  orders.keep(rows, order);
  return sort.startsWith('-') ? descending(order) : order.ascending;
}

/** The column that a list is sorted by. */
export const columnOf = (columns: readonly Column[], sort: string | undefined): Column | undefined =>
  sort === undefined ? undefined : columns.find(({ title }) => title === sort.replace(/^-/, ''));

/** The last order of a list; the descending order is read backwards from it. */
interface Order {
  column: Column;
  view: CacheView;
  ascending: readonly Row[];
  /** By the place in `ascending`: equal rows are in the order of their ranks. */
  ranks: number[];
  nextRank: number;
  /** 1 for a row that equals the one before it, else 0. */
  repeats: number[];
  /** Rows that have a value; the others come last. */
  present: number;
  /** The values by which these rows were sorted, in their order; absent once rows were moved. */
  values?: readonly unknown[];
  /** Computed on demand. */
  descending?: readonly Row[];
}

const orders = createResults<Order, Row>();

/**
 * Rows without a value are not sorted: where answers come in one by one, those are nearly all.
 * @param before an earlier order of the same rows: most of them stand where they stood, which makes sorting fast
 */
function orderOf(rows: readonly Row[], column: Column, view: CacheView, before?: Order): Order {
  const given = before?.ascending ?? rows;
  const values = given.map((row) => valueIn(row, column, view));
  if (before?.values && values.every((value, nth) => Object.is(value, before.values?.[nth])))
    return { ...before, view };
  const [present, absent]: [Ranked[], Ranked[]] = [[], []];
  given.forEach((row, nth) => {
    const own = { ...keyedBy(row, values[nth]), read: values[nth], rank: before?.ranks[nth] ?? nth };
    (own.value === undefined ? absent : present).push(own);
  });
  present.sort((one, other) => compare(one, other) || one.rank - other.rank);
  if (before) absent.sort((one, other) => one.rank - other.rank);
  const keyed = present.concat(absent);
  const repeats = keyed.map((one, index) => {
    const before = keyed[index - 1];
    return before && compare(before, one) === 0 ? 1 : 0;
  });
  return {
    column,
    view,
    ascending: keyed.map(({ row }) => row),
    ranks: keyed.map(({ rank }) => rank),
    nextRank: before?.nextRank ?? rows.length,
    repeats,
    present: present.length,
    values: keyed.map(({ read }) => read),
  };
}

/** The first of so many places, in order, of which this does not hold. */
export function placeBehind(count: number, holds: (place: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** With at least this many rows for each change, moving rows is faster than sorting all. */
const minRowsPerChange = 20;

/** An order in which single rows were moved; undefined where that is impossible or slower than sorting all. */
function orderAfter({ result: order, differences }: LastResult<Order, Row>): Order | undefined {
  if (!differences || differences.length * minRowsPerChange > order.ascending.length) return undefined;
  if (differences.length === 0) return order;
  const { column, view, ranks, repeats } = order;
  const rows = [...order.ascending];
  let { nextRank, present } = order;
  const keyed = (row: Row) => keyedBy(row, valueIn(row, column, view));

  /** The first place whose row does not come before this one. */
  const placeOf = (one: Keyed, rank: number): number =>
    placeBehind(rows.length, (nth) => (compare(keyed(rows[nth] as Row), one) || (ranks[nth] ?? 0) - rank) < 0);

  function noteRepeat(place: number): void {
    const [one, other] = [rows[place - 1], rows[place]];
    if (other) repeats[place] = one && compare(keyed(one), keyed(other)) === 0 ? 1 : 0;
  }

  /** Removes a row; returns its place and its rank, or undefined where it is not found. */
  function take(row: Row): { place: number; rank: number } | undefined {
    const one = keyed(row);
    const place = rows.indexOf(row, placeOf(one, -1));
    if (place < 0) return undefined;
    rows.splice(place, 1);
    repeats.splice(place, 1);
    if (one.value !== undefined) present--;
    noteRepeat(place);
    return { place, rank: ranks.splice(place, 1)[0] ?? 0 };
  }

  /** Returns the place of the row. */
  function put(row: Row, rank: number): number {
    const one = keyed(row);
    const place = placeOf(one, rank);
    rows.splice(place, 0, row);
    ranks.splice(place, 0, rank);
    repeats.splice(place, 0, 0);
    if (one.value !== undefined) present++;
    noteRepeat(place);
    noteRepeat(place + 1);
    return place;
  }

  let isInPlace = true;
  for (const { before, after } of differences) {
    const from = before === undefined ? { place: -1, rank: nextRank++ } : take(before);
    if (from === undefined) return undefined;
    const to = after === undefined ? from.place : put(after, from.rank);
    isInPlace &&= from.place === to;
  }
  // Another order of these rows is then brought in line, too.
  if (isInPlace) noteDifferences(order.ascending, rows, differences);
  return { column, view, ascending: rows, ranks, nextRank, repeats, present };
}

function descending(order: Order): readonly Row[] {
  const { ascending, repeats, present } = order;
  if (order.descending) return order.descending;
  const rows: Row[] = [];
  for (let end = present; end > 0; ) {
    let begin = end - 1;
    while (repeats[begin] === 1) begin--;
    for (let at = begin; at < end; at++) rows.push(ascending[at] as Row);
    end = begin;
  }
  order.descending = [...rows, ...ascending.slice(present)];
  return order.descending;
}

interface Keyed {
  row: Row;
  /** Undefined where the value is absent. */
  value: number | string | undefined;
  key: string | undefined;
}

interface Ranked extends Keyed {
  /** As the column has it. */
  read: unknown;
  rank: number;
}

function keyedBy(row: Row, value: unknown): Keyed {
  if (isAbsent(value)) return { row, value: undefined, key: undefined };
  if (typeof value === 'number') return { row, value, key: undefined };
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return { row, value: text, key: sortKey(text) };
}

/** Numbers by size, texts as people sort them (web-2 before web-10), absent values always last. */
function compare({ value: one, key }: Omit<Keyed, 'row'>, { value: other, key: otherKey }: Omit<Keyed, 'row'>): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (key === undefined || otherKey === undefined) return collated(String(one), String(other));
  return key === otherKey ? 0 : key < otherKey ? -1 : 1;
}
