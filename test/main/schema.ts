import type { Schema } from '../../scripts/snapshotSchemas.ts';

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Places in a value that are not as a schema says; properties that it does not name are mistakes. */
export function mistakesIn(value: unknown, schema: Schema, place = '$', mayHaveMore = false): readonly string[] {
  const { type, const: only, enum: allowed, format, properties, required = [], additionalProperties, items } = schema;
  const types = type === undefined ? undefined : [type].flat();
  const actual = typeOf(value);
  const { anyOf, oneOf, not, pattern, minLength = 0, minItems = 0, minimum, maximum } = schema;
  const fits = types?.some((one) => one === actual || (one === 'integer' && Number.isInteger(value))) ?? true;
  if (!fits) return [`${place} is ${actual}`];
  if (only !== undefined && value !== only) return [`${place} is not ${only}`];
  if (allowed && !allowed.includes(value)) return [`${place} is ${value}`];
  if (format && typeof value === 'string' && new Date(value).toISOString() !== value) return [`${place} is no time`];
  const isOf = (one: Schema) => mistakesIn(value, one, place, mayHaveMore).length === 0;
  if (anyOf && !anyOf.some(isOf)) return [`${place} is none of what it may be`];
  if (oneOf && oneOf.filter(isOf).length !== 1) return [`${place} is not one of what it may be`];
  if (not && mistakesIn(value, not, place, true).length === 0) return [`${place} is what it must not be`];
  if (typeof value === 'string' && (value.length < minLength || !new RegExp(pattern ?? '', 'u').test(value)))
    return [`${place} is ${value}`];
  if (typeof value === 'number' && (value < (minimum ?? value) || value > (maximum ?? value)))
    return [`${place} is ${value}`];
  if (Array.isArray(value) && value.length < minItems) return [`${place} is too short`];
  if (Array.isArray(value)) return value.flatMap((item, index) => mistakesIn(item, items ?? {}, `${place}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const absent = required.filter((name) => !(name in value)).map((name) => `${place}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const known = properties?.[name] ?? additionalProperties ?? mayHaveMore;
    if (typeof known === 'object') return mistakesIn(item, known, `${place}.${name}`, mayHaveMore);
    if (known) return [];
    return properties ? [`${place}.${name} is not described`] : [];
  });
  return [...absent, ...wrong];
}
