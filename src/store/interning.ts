import type { Row } from '../resources/resource.ts';
import { isRow } from '../resources/row.ts';

/** The values of a field with more different ones, such as a label, are not shared. */
const maxValues = 256;

/** The values of one field of all rows. */
interface Field {
  /** Texts as they are, and lists and objects by their JSON; undefined where there are too many. */
  texts: Map<string, unknown> | undefined;
  objects: Map<string, unknown> | undefined;
  /** The fields of its objects. */
  inner: Map<string, Field>;
}

/**
 * Rows of one list have many equal values: images, sizes, limits, tags. The returned function changes a row in place so
 * that equal values are the same object in memory.
 */
export function createInterning(): (row: Row) => Row {
  const fields = new Map<string, Field>();
  return (row) => shareIn(fields, row);
}

function shareIn(fields: Map<string, Field>, row: Record<string, unknown>): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    const field = fields.get(name) ?? { texts: new Map(), objects: new Map(), inner: new Map() };
    fields.set(name, field);
    row[name] = shared(field, value);
  }
  return row;
}

function shared(field: Field, value: string | object): unknown {
  if (typeof value === 'string') {
    if (field.texts && field.texts.size >= maxValues) field.texts = undefined;
    return known(field.texts, value, value);
  }
  if (isRow(value)) shareIn(field.inner, value);
  if (field.objects && field.objects.size >= maxValues) field.objects = undefined;
  return field.objects ? known(field.objects, JSON.stringify(value), value) : value;
}

function known(values: Map<string, unknown> | undefined, text: string, value: unknown): unknown {
  if (!values) return value;
  if (!values.has(text)) values.set(text, value);
  return values.get(text);
}
