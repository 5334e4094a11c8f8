import type { Complaint } from './cloud.ts';

/** Entries that one field of a body accepts and refuses. `undefined` stands for leaving it out. */
export interface Limit {
  /** The dotted path of the field in the body. */
  field: string;
  accepts?: readonly unknown[];
  refuses?: readonly unknown[];
}

let words = 0;

/** A new word of so many letters; two never agree unless they are too short for it. */
export function word(length: number): string {
  let rest = ++words;
  let letters = '';
  for (; rest > 0; rest = Math.floor(rest / 25)) letters = String.fromCharCode(97 + (rest % 25)) + letters;
  return letters.padStart(length, 'z').slice(-length || letters.length);
}

/** A password of so many characters. */
export const password = (length: number): string => 'Ab3!xyZ9-'.repeat(Math.ceil(length / 9)).slice(0, length);

/** A text of `min` to `max` characters: tried one below, at, and one above. */
export const lengths = (field: string, min: number, max: number, make: (length: number) => string = word): Limit => ({
  field,
  accepts: [make(min), make(min + 1), make(max - 1), make(max)],
  refuses: [min === 1 ? '' : make(min - 1), make(max + 1)],
});

/** A text of at most `max` characters: tried one below, at, and one above. */
export const atMost = (field: string, max: number, make: (length: number) => string = word): Limit => ({
  field,
  accepts: [make(max - 1), make(max)],
  refuses: [make(max + 1), 5],
});

/** A whole number from `min` to `max`: tried one below, at, and one above. */
export const range = (field: string, min: number, max: number): Limit => ({
  field,
  accepts: [min, min + 1, max - 1, max],
  refuses: [min - 1, max + 1, 'many', min + 0.5],
});

/** At most `max` of these items. */
export const count = (field: string, max: number, item: (n: number) => unknown): Limit => {
  const items = (length: number) => Array.from({ length }, (_, n) => item(n));
  return { field, accepts: [items(max - 1), items(max)], refuses: [items(max + 1)] };
};

/** Each option is accepted, anything else is not. */
export const options = (field: string, ...accepts: readonly unknown[]): Limit => ({
  field,
  accepts,
  refuses: ['no-such-option', 5],
});

/** Cannot be left out. */
export const required = (field: string): Limit => ({ field, refuses: [undefined] });

/** Of the wrong type. */
export const refuses = (field: string, ...values: readonly unknown[]): Limit => ({ field, refuses: values });

export const accepts = (field: string, ...values: readonly unknown[]): Limit => ({ field, accepts: values });

export const yesOrNo = (field: string): Limit => ({ field, accepts: [true, false], refuses: ['yes', 1] });

/** The body with the value at a dotted path; without it when the value is undefined. */
export function placed(
  body: Readonly<Record<string, unknown>>,
  field: string,
  value: unknown,
): Record<string, unknown> {
  const [head = '', ...tail] = field.split('.');
  if (tail.length === 0) return { ...body, [head]: value };
  const inner = body[head];
  const within = inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>) : {};
  return { ...body, [head]: placed(within, tail.join('.'), value) };
}

/** Whether a complaint is about this field, the object it lies in, or something in it. */
export const names = (field: string, complaints: readonly Complaint[]): boolean =>
  complaints.some(({ field: at }) => {
    const path = at?.replaceAll(/\[(\d+)\]/g, '.$1');
    return path !== undefined && (path === field || path.startsWith(`${field}.`) || field.startsWith(`${path}.`));
  });

/** A value as it is told in the name of a test. */
export function told(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && value.length > 24) return `${value.length} characters`;
  if (Array.isArray(value)) return `${value.length} entries`;
  return JSON.stringify(value);
}
