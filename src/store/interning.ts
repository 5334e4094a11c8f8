import type { Row } from '../resources/resource.ts';
import { isRow } from '../resources/row.ts';

/** A field with more different values than this, such as a label, is one whose values are not worth looking for. */
const most = 256;

/** The values found in one field of all rows. */
interface Field {
  /** Texts as they are, and lists and objects by their JSON; undefined where there are too many. */
  texts: Map<string, unknown> | undefined;
  objects: Map<string, unknown> | undefined;
  /** The fields of its objects. */
  inner: Map<string, Field>;
}

/**
 * Rows of one list say much of the same: their images, sizes, limits and tags. What is given to the function answered
 * here is changed so that fields of equal value have one and the same value in memory; what it says stays the same.
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
    if (field.texts && field.texts.size >= most) field.texts = undefined;
    return known(field.texts, value, value);
  }
  if (isRow(value)) shareIn(field.inner, value);
  if (field.objects && field.objects.size >= most) field.objects = undefined;
  return field.objects ? known(field.objects, JSON.stringify(value), value) : value;
}

function known(values: Map<string, unknown> | undefined, text: string, value: unknown): unknown {
  if (!values) return value;
  if (!values.has(text)) values.set(text, value);
  return values.get(text);
}
