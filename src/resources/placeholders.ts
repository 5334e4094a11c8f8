/** Texts with paths of a row in braces: `{label}`, `{ipv4.0}`; a doubled brace stands for a single one. */

import { textOf } from '../text/words.ts';
import { at, type Row } from './row.ts';

const braces = /\{\{|\}\}|\{([^{}]*)\}/g;

/** Matches a path of a row. */
const path = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** A text that is filled in, or why it cannot be, as a sentence without its full stop. */
export type Filled = { text: string } | { wrong: string };

/** The rule of a place for what may stand there; returns what is wrong as the end of a sentence. */
type Rule = (value: string) => string | undefined;

/** The paths in the braces of a text. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(braces)].flatMap(([, inner]) => (inner === undefined ? [] : [inner]));

/** Whether this is a path of a row. */
export const isRowPath = (text: string): boolean => path.test(text);

/** A text with a text in place of each path in braces. */
export const replaced = (text: string, textAt: (path: string) => string): string =>
  text.replace(braces, (found, inner: string | undefined) => (inner === undefined ? found.charAt(0) : textAt(inner)));

/**
 * Fills a text in from a row, or from what else there is to look in.
 * @param label names the row in the reason
 */
export function filled(text: string, row: Row, label: string, rule: Rule = () => undefined): Filled {
  let wrong: string | undefined;
  const whole = replaced(text, (inner) => {
    const value = at(row, inner);
    wrong ??= wrongWith(inner, value, label, rule);
    return textOf(value);
  });
  return wrong === undefined ? { text: whole } : { wrong };
}

function wrongWith(inner: string, value: unknown, label: string, rule: Rule): string | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'function')
    return `${label} has no ${inner}, and {${inner}} needs it`;
  if (Array.isArray(value)) return `${inner} of ${label} is a list; write {${inner}.0}`;
  if (typeof value === 'object') return `${inner} of ${label} has parts; name one of them`;
  const why = whyUnfit(String(value), rule);
  return why && `${inner} of ${label} ${why}`;
}

/** Why a text may not be filled in, as the end of a sentence; a line break or an escape sequence in a name is no accident. */
export const whyUnfit = (text: string, rule: Rule): string | undefined =>
  /[\x00-\x1f\x7f-\x9f]/.test(text) ? 'has control characters' : rule(text);

/** A value of a body with its texts filled in; a text that is one placeholder alone becomes the value itself. */
export function filledValue(value: unknown, row: Row, label: string, note: (wrong: string) => void): unknown {
  if (Array.isArray(value)) return value.map((item) => filledValue(item, row, label, note));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledValue(inner, row, label, note)]));
  if (typeof value !== 'string') return value;
  const found = filled(value, row, label);
  if ('wrong' in found) {
    note(found.wrong);
    return undefined;
  }
  const [alone = ''] = placeholdersIn(value);
  return value === `{${alone}}` ? at(row, alone) : found.text;
}
