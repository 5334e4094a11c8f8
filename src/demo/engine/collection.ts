import type { Row } from '../../resources/resource.ts';
import type { Call } from './answer.ts';
import { filtered } from './filter.ts';
import { type Complaint, Refusal } from './refusal.ts';

/**
 * The page of a collection that a call asks for, filtered (document 1, 2.1 and 8). A page beyond the last is the last.
 * @param fields the filterable fields
 * @param drawn what a row looks like in the answer
 * @throws 400 for a page below 1, a page size outside 25 to 100, or a filter on another field
 */
export function collection<T extends object>(
  rows: readonly T[],
  call: Call,
  fields: readonly string[] = [],
  drawn: (row: T) => object = (row) => row,
): Row {
  const { page, size } = asked(call);
  const found = filtered(rows as readonly Row[], call.filter, fields) as readonly T[];
  const pages = Math.max(1, Math.ceil(found.length / size));
  const shown = Math.min(page, pages);
  const data = found.slice((shown - 1) * size, shown * size).map(drawn);
  return { data, page: shown, pages, results: found.length };
}

function asked({ query }: Call): { page: number; size: number } {
  const page = number(query.page, 1);
  const size = number(query.page_size, 100);
  const errors: Complaint[] = [];
  if (!(page >= 1)) errors.push({ field: 'page', reason: 'Must be 1 or more' });
  if (!(size >= 25 && size <= 100)) errors.push({ field: 'page_size', reason: 'Must be 25-100' });
  if (errors.length > 0) throw new Refusal(400, errors);
  return { page, size };
}

const number = (text: string | undefined, fallback: number) =>
  text === undefined ? fallback : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
