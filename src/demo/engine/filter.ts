import { at, isRow, type Row } from '../../resources/row.ts';
import { type HttpError, invalid } from './errors.ts';

/** The header `X-Filter`: a JSON object of fields and operators. */
export type Filter = Row;

const bad = (reason: string) => invalid('X-Filter', reason);

/** The value of a JSON text. @throws this where it is none */
export function parsed(text: string, wrong: HttpError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong;
  }
}

/** The filter that a header carries. @throws 400 when it is not a JSON object */
export function filterIn(header: string | undefined): Filter | undefined {
  if (!header) return undefined;
  const filter = parsed(header, bad('Filter must be valid JSON'));
  if (!isRow(filter)) throw bad('Filter must be a JSON object');
  return filter;
}

/**
 * The rows that a filter lets through, in its order.
 * @param fields the filterable fields, as dotted paths
 * @throws 400 about `X-Filter` for another field or an unknown operator
 */
export function filtered(rows: readonly Row[], filter: Filter | undefined, fields: readonly string[]): readonly Row[] {
  if (!filter) return rows;
  const { '+order_by': by, '+order': order, ...conditions } = filter;
  if (order !== undefined && by === undefined) throw bad('+order requires +order_by');
  if (order !== undefined && order !== 'asc' && order !== 'desc') throw bad('Must be one of asc, desc');
  const test = testOf(conditions, fields);
  const found = rows.filter(test);
  if (by === undefined) return found;
  const field = filterable(by, fields);
  const direction = order === 'desc' ? -1 : 1;
  return found.sort((left, right) => direction * compare(at(left, field), at(right, field)));
}

function filterable(field: unknown, fields: readonly string[]): string {
  if (typeof field !== 'string' || !fields.includes(field)) throw bad(`Cannot filter on ${String(field)}`);
  return field;
}

type Test = (row: Row) => boolean;

function testOf(conditions: Filter, fields: readonly string[]): Test {
  const tests = Object.entries(conditions).map(([key, wanted]): Test => {
    if (key === '+and' || key === '+or') return groupOf(key, wanted, fields);
    const field = filterable(key, fields);
    const test = conditionOf(wanted);
    return (row) => test(at(row, field));
  });
  return (row) => tests.every((test) => test(row));
}

function groupOf(key: '+and' | '+or', wanted: unknown, fields: readonly string[]): Test {
  if (!Array.isArray(wanted) || !wanted.every(isRow)) throw bad(`${key} must be a list of objects`);
  const tests = wanted.map((conditions) => testOf(conditions, fields));
  return (row) => (key === '+and' ? tests.every((test) => test(row)) : tests.some((test) => test(row)));
}

function conditionOf(wanted: unknown): (value: unknown) => boolean {
  if (!isRow(wanted)) return (value) => holds('+eq', value, wanted);
  const tests = Object.entries(wanted);
  const unknown = tests.find(([operator]) => !(operator in operators));
  if (unknown) throw bad(`Unknown operator ${unknown[0]}`);
  return (value) => tests.every(([operator, operand]) => holds(operator, value, operand));
}

/** A list holds a condition when one of its members does, and is unequal when none is equal. */
function holds(operator: string, value: unknown, operand: unknown): boolean {
  const test = operators[operator] ?? (() => false);
  if (!Array.isArray(value)) return test(value, operand);
  return operator === '+neq' ? value.every((one) => test(one, operand)) : value.some((one) => test(one, operand));
}

const operators: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  '+eq': (value, operand) => value === operand,
  '+neq': (value, operand) => value !== operand,
  '+gt': (value, operand) => comparable(value, operand) && compare(value, operand) > 0,
  '+gte': (value, operand) => comparable(value, operand) && compare(value, operand) >= 0,
  '+lt': (value, operand) => comparable(value, operand) && compare(value, operand) < 0,
  '+lte': (value, operand) => comparable(value, operand) && compare(value, operand) <= 0,
  '+contains': (value, operand) =>
    String(value ?? '')
      .toLowerCase()
      .includes(String(operand).toLowerCase()),
};

const comparable = (value: unknown, operand: unknown) => value !== null && typeof value === typeof operand;

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [one, other] = [String(left ?? ''), String(right ?? '')];
  return one < other ? -1 : one > other ? 1 : 0;
}
