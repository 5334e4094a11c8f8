import type { FormField } from '../../resources/body.ts';
import { hasTextIds } from '../../resources/field.ts';
import { type Action, at, type Field, type Operation, type Resource, type Row } from '../../resources/resource.ts';
import { type FieldError, HttpError } from './errors.ts';

/** The fields that the body of an operation may hold; those of its siblings, which share its address, and all of an update are optional. */
export function rulesOf(
  resource: Resource,
  operation: Operation,
  siblings: readonly Operation[],
): readonly FormField[] {
  const rules = new Map<string, FormField>();
  for (const one of [operation, ...siblings]) {
    for (const entry of (one as Action).body ?? []) {
      const name = entry.replace(/!$/, '');
      const field = (one as Action).fields?.[name] ?? resource.fields[name];
      if (!field) throw new Error(`${resource.name} describes no field ${name}`);
      const required = one === operation && one.method !== 'PUT' && entry.endsWith('!');
      // A member of a list, as `interfaces.0.label`, is checked by its area, whole.
      if (!field.local && field.kind !== 'file' && !/\.\d+(\.|$)/.test(name) && !rules.has(name))
        rules.set(name, { name, field, required });
    }
  }
  return [...rules.values()];
}

/** Checks a body against the documented limits. @throws 400 with every complaint, field by field */
export function checkBody(body: Row, rules: readonly FormField[]): void {
  const errors = rules.flatMap((rule) => complaintsAbout(body, rule));
  if (errors.length > 0) throw new HttpError(400, errors);
}

function complaintsAbout(body: Row, { name, field, required }: FormField): readonly FieldError[] {
  const value = at(body, name);
  const [top = name] = name.split('.');
  if (top !== name && body[top] !== undefined && body[top] !== null && typeof body[top] !== 'object')
    return [{ field: top, reason: `${top} must be an object` }];
  if (value === undefined || value === null) return required ? [{ field: name, reason: `${name} is required` }] : [];
  const wrong = wrongWith(field, value);
  return wrong ? [{ field: name, reason: wrong }] : [];
}

function wrongWith(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
    case 'paragraph':
    case 'secret':
    case 'secretParagraph':
      return typeof value === 'string' ? wrongText(field, value) : 'Must be of type String';
    case 'integer':
      return Number.isInteger(value) ? wrongNumber(field, Number(value)) : 'Must be of type Integer';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Must be of type Boolean';
    case 'choice':
      if (field.numeric) return Number.isInteger(value) ? undefined : 'Must be of type Integer';
      return field.options?.includes(value as string) ? undefined : `Must be one of ${field.options?.join(', ')}`;
    case 'reference':
      if (hasTextIds(field)) return typeof value === 'string' ? undefined : 'Must be of type String';
      return Number.isInteger(value) ? undefined : 'Must be of type Integer';
    case 'strings':
    case 'choices':
    case 'references':
      return wrongList(field, value);
    case 'device':
    case 'json':
      return typeof value === 'object' && !Array.isArray(value) ? undefined : 'Must be of type Object';
    case 'file':
      return undefined;
  }
}

function wrongText({ min = 0, max = Number.POSITIVE_INFINITY, pattern }: Field, text: string): string | undefined {
  const length = [...text].length;
  if (length < min || length > max) {
    return max === Number.POSITIVE_INFINITY
      ? `Length must be at least ${min} characters`
      : `Length must be ${min}-${max} characters`;
  }
  return pattern && text !== '' && !pattern.test.test(text) ? `Must consist of ${pattern.says}` : undefined;
}

function wrongNumber(field: Field, number: number): string | undefined {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  if (number >= min && number <= max) return undefined;
  if (field.max === undefined) return `Must be ${min} or more`;
  return field.min === undefined ? `Must be ${max} or less` : `Must be between ${min} and ${max}`;
}

function wrongList(field: Field, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'Must be of type Array';
  const { min = 0, max = Number.POSITIVE_INFINITY, pattern } = field;
  if (value.length < min) return `Must have at least ${min} entries`;
  if (value.length > max) return `Must have at most ${max} entries`;
  const numbers = field.kind === 'references' && !hasTextIds(field);
  const wrong = value.some((one) => (numbers ? !Number.isInteger(one) : typeof one !== 'string'));
  if (wrong) return `Must be a list of ${numbers ? 'Integers' : 'Strings'}`;
  return pattern && value.some((one) => !pattern.test.test(String(one)))
    ? `Must consist of ${pattern.says}`
    : undefined;
}
