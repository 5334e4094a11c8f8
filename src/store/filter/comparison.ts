import type { CacheView } from '../../resources/resource.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { timeOf } from '../../text/times.ts';
import { type FilterField, searched } from './fields.ts';
import type { Operator } from './terms.ts';
import { type Age, ageIn, amountIn, measureOf } from './units.ts';

type Compares = (value: unknown) => boolean;
type Order = Exclude<Operator, ':'>;

/** A day, month, year or minute in UTC, in milliseconds since the epoch; it ends where the next one begins. */
interface Period {
  begin: number;
  end: number;
}

/** Whether the values of a field are times. */
export const isTimeFormat = (format: CellFormat | undefined): boolean => timeFormats.has(format);

const timeFormats: ReadonlySet<CellFormat | undefined> = new Set<CellFormat>(['age', 'date', 'expiry']);

/**
 * Compares the values of a field with what is typed: a number in the unit of the field or with a unit; an age, which is
 * the distance from now; a day, month or year. Undefined where the field cannot be compared with it.
 */
export function comparison(
  { format }: FilterField,
  operator: Order,
  text: string,
  view: CacheView,
): Compares | undefined {
  const measure = measureOf(format);
  if (measure) return numbers(amountIn(text, measure), operator);
  const isTime = isTimeFormat(format);
  const number = isTime || text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return numbers(number, operator);
  const age = ageIn(text);
  if (age) return ages(age, operator, view);
  const period = periodIn(text);
  return period && ((value) => ofPeriods[operator](timeOf(value), period));
}

/** Says what can be compared with a field. */
export function comparable({ name, format }: FilterField): string {
  const takes = measureOf(format)?.takes;
  if (takes) return `${name} takes ${takes}`;
  const times = 'an age such as 30d (s, min, h, d, w, y) or a date such as 2026-01-31';
  return isTimeFormat(format) ? `${name} takes ${times}` : `${name} takes a number, ${times}`;
}

/** Distances from now; those of whole days, hours and so on are equal as they are shown. */
function ages({ size, unit }: Age, operator: Order, view: CacheView): Compares {
  const distance = (value: unknown) => Math.abs(view.now - timeOf(value));
  if (operator !== '=') return (value) => ofNumbers[operator](distance(value), size);
  return (value) => ofPeriods['='](distance(value), { begin: size, end: size + unit });
}

const numbers = (wanted: number | undefined, operator: Order): Compares | undefined =>
  wanted === undefined ? undefined : (value) => ofNumbers[operator](numberIn(value), wanted);

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : Number.parseFloat(searched(value)));

/** False where one of them is no number. */
const ofNumbers: Readonly<Record<Order, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '=': (one, other) => one === other,
};

/** Before, after or within a period: `>` is after its end, `>=` from its beginning on. */
const ofPeriods: Readonly<Record<Order, (time: number, period: Period) => boolean>> = {
  '<': (time, { begin }) => time < begin,
  '<=': (time, { end }) => time < end,
  '>': (time, { end }) => time >= end,
  '>=': (time, { begin }) => time >= begin,
  '=': (time, { begin, end }) => time >= begin && time < end,
};

/** The period that a date names: `2026`, `2026-05`, `2026-05-13` or `2026-05-13T14:05`. */
function periodIn(text: string): Period | undefined {
  if (!/^\d{4}(-\d\d(-\d\d([T ]\d\d:\d\d)?)?)?$/.test(text)) return undefined;
  const parts = text.split(/\D/).map(Number);
  const begin = timeAt(parts);
  // Neither a thirteenth month nor the 31st of February is taken for another day.
  if (!new Date(begin).toISOString().startsWith(text.replace(' ', 'T'))) return undefined;
  return { begin, end: timeAt(parts.with(-1, (parts.at(-1) ?? 0) + 1)) };
}

const timeAt = ([year = 0, month = 1, day = 1, hour = 0, minute = 0]: readonly number[]): number =>
  Date.UTC(year, month - 1, day, hour, minute);
