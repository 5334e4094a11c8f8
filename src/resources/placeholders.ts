/** Texts with paths of a row in braces: `{label}`, `{ipv4.0}`; a doubled brace stands for a single one. */

import { textOf } from '../text/words.ts';
import { at, isNothing, type Row } from './row.ts';

const braces = /\{\{|\}\}|\{([^{}]*)\}/g;

/** Matches a path of a row. */
const path = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** A text that is filled in, or why it cannot be, as a sentence without its full stop. */
type Filled = { text: string } | { wrong: string };

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
  if (isNothing(value) || typeof value === 'function') return `${label} has no ${inner}, and {${inner}} needs it`;
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

/** A program on this machine that is run on a row instead of a request. */
export interface Program {
  /** The program and its arguments; paths of the row in braces are filled in. */
  argv: readonly string[];
  /** `terminal`: it has the terminal; `pane`: its output is shown whole; `notice`: its first line. */
  show: 'terminal' | 'pane' | 'notice';
  timeoutMs: number;
}

/** All that fills the arguments of a program in: the row, and what was asked for before. */
export const fillingOf = ({ row, body }: { row?: Row; body?: unknown }): Row => ({
  ...row,
  ...(body as Row | undefined),
});

/** The argument vector for a row, or why there is none, as a sentence without its full stop. */
export function argvOf({ argv }: Program, row: Row, label: string): { argv: readonly string[] } | { wrong: string } {
  const words: string[] = [];
  for (const word of argv) {
    const found = wordOf(word, row, label, words.includes('--'));
    if ('wrong' in found) return found;
    words.push(found.text);
  }
  return { argv: words };
}

/** One argument; what the API says must not become an option of the program. */
function wordOf(word: string, row: Row, label: string, isBehindOptions: boolean): Filled {
  const begins = word.startsWith('{') && !word.startsWith('{{') && !isBehindOptions;
  const first = /^\{([^{}]*)\}/.exec(word)?.[1];
  const head = begins && first !== undefined ? filled(`{${first}}`, row, label, optionRule) : undefined;
  return head && 'wrong' in head ? head : filled(word, row, label);
}

/** Why a program would take a value for something else, as the end of a sentence. */
export const optionRule = (value: string): string | undefined =>
  value.startsWith('-')
    ? 'begins with a dash, which the program would take for an option; put "--" before it'
    : undefined;
