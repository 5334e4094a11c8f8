import { at } from '../../resources/resource.ts';
import type { FieldError } from '../engine/errors.ts';

/** A user-defined field of a StackScript as the API answers it: what is not said is left out. */
type ScriptField = { readonly [attribute: string]: string };

const names = ['label', 'name', 'example', 'oneOf', 'manyOf', 'default'];

/** The `<UDF …>` tags of a script as fields. */
export function fieldsIn(script: string): readonly ScriptField[] {
  return [...script.matchAll(/<udf\s([^>]*)>/gi)].flatMap(([, inside = '']) => {
    const found = [...inside.matchAll(/(\w+)="([^"]*)"/g)].flatMap(([, key = '', value = '']) => {
      const name = names.find((one) => one.toLowerCase() === key.toLowerCase());
      return name ? [[name, value] as const] : [];
    });
    const field = Object.fromEntries(found);
    return field.name ? [field] : [];
  });
}

/** Complaints about the answers to the fields of a script (document 2, 4.2). */
export function answerComplaints(script: string, data: unknown): readonly FieldError[] {
  return fieldsIn(script).flatMap((field) => {
    const name = field.name ?? '';
    const wrong = wrongAnswer(field, at(data, name));
    return wrong ? [{ field: `stackscript_data.${name}`, reason: wrong }] : [];
  });
}

function wrongAnswer(field: ScriptField, answer: unknown): string | undefined {
  if (answer === undefined || answer === null || answer === '') {
    return field.default === undefined ? `${field.name} is required` : undefined;
  }
  if (typeof answer !== 'string') return 'Must be of type String';
  const allowed = (field.oneOf ?? field.manyOf)?.split(',');
  if (!allowed) return undefined;
  const given = field.manyOf ? answer.split(',') : [answer];
  return given.every((one) => allowed.includes(one)) ? undefined : `Must be one of ${allowed.join(', ')}`;
}
