import type { Column, Known, Row } from '../resources/resource.ts';
import { valueIn } from './filter.ts';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

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
  const direction = sort.startsWith('-') ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: valueIn(row, column, known) }));
  keyed.sort((one, other) => compare(one.value, other.value, direction));
  return keyed.map(({ row }) => row);
}

/** Numbers by size, texts as people sort them (web-2 before web-10), absent values always last. */
function compare(one: unknown, other: unknown, direction: 1 | -1): number {
  const oneAbsent = isAbsent(one);
  const otherAbsent = isAbsent(other);
  if (oneAbsent || otherAbsent) return Number(oneAbsent) - Number(otherAbsent);
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
  return collator.compare(textOf(one), textOf(other)) * direction;
}

const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  Number.isNaN(value) ||
  (Array.isArray(value) && value.length === 0);

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value));
