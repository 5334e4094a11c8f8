import type { Schema } from '../../scripts/snapshotSchemas.ts';

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Places in a value that are not as a schema says; properties that it does not name are mistakes. */
export function mistakesIn(value: unknown, schema: Schema, place = '$'): readonly string[] {
  const { type, const: only, enum: allowed, format, properties, required = [], additionalProperties, items } = schema;
  const types = type === undefined ? undefined : [type].flat();
  const actual = typeOf(value);
  const fits = types?.some((one) => one === actual || (one === 'integer' && Number.isInteger(value))) ?? true;
  if (!fits) return [`${place} is ${actual}`];
  if (only !== undefined && value !== only) return [`${place} is not ${only}`];
  if (allowed && !allowed.includes(value)) return [`${place} is ${value}`];
  if (format && typeof value === 'string' && new Date(value).toISOString() !== value) return [`${place} is no time`];
  if (Array.isArray(value)) return value.flatMap((item, index) => mistakesIn(item, items ?? {}, `${place}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const absent = required.filter((name) => !(name in value)).map((name) => `${place}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const known = properties?.[name] ?? additionalProperties;
    if (known) return mistakesIn(item, known, `${place}.${name}`);
    return properties ? [`${place}.${name} is not described`] : [];
  });
  return [...absent, ...wrong];
}
