/** Words for values; whatever is absent or of another type than it should be is not said. */

import type { Action, Resource } from './resource.ts';

/** Lengths of time in ms. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A text that is worth saying: one that is not blank. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A text behind a word, with the space before it: ` 192.0.2.1`; nothing where it is blank. */
export const suffixOf = (value: unknown): string => {
  const text = textIn(value);
  return text === undefined ? '' : ` ${text}`;
};

/** Names something: its own name, else its noun and id, else the noun alone. */
export function called(name: unknown, noun: string, id?: unknown): string {
  const isNamed = Number.isFinite(id) || textIn(id) !== undefined;
  return textIn(name) ?? (isNamed ? `${noun} ${id}` : `a ${noun}`);
}

/** Words as they begin a sentence. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `1 node`, `3 nodes`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A word and the number of its occurrences, spelled as in the first of them. */
export interface WordCount {
  value: string;
  count: number;
  /** Whether there are other spellings than that of the first, which only all words in their order tell. */
  isMixed: boolean;
}

/** Counts words, in the order of their first occurrences; those that differ in their capitals only are one. */
export function countWords(words: Iterable<string>): Map<string, WordCount> {
  const counts = new Map<string, WordCount>();
  for (const word of words) countWord(counts, word, 1);
  return counts;
}

/** Counts one occurrence more or less; answers whether its word has one spelling. */
export function countWord(counts: Map<string, WordCount>, value: string, by: 1 | -1): boolean {
  const key = value.toLowerCase();
  const counted = counts.get(key) ?? { value, count: 0, isMixed: false };
  counted.count += by;
  if (counted.value !== value) counted.isMixed = true;
  if (counted.count > 0) counts.set(key, counted);
  else counts.delete(key);
  return !counted.isMixed;
}

/** The plural of a resource within a sentence; names keep their capitals, and what is deprecated is not said again. */
export const plural = ({ many }: Pick<Resource, 'many'>): string => {
  const noun = many.replace(/ \(deprecated\)$/, '');
  return /^.+[A-Z]/.test(noun) ? noun : noun.toLowerCase();
};

/** An action with the rows it is done to: `Add tags to 3 volumes`, `Resize data-1`. */
export const actionOn = ({ help, on = `${help} {}` }: Pick<Action, 'help' | 'on'>, rows: string): string =>
  on.replace('{}', () => rows);

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly unknown[], most = 3): string {
  const shown = names.slice(0, names.length > most ? most - 1 : most).map(String);
  const last = names.length > most ? `${names.length - shown.length} more` : shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} and ${last}` : (last ?? '');
}

/** Milliseconds in the largest unit that counts two or more: `5 hours`. */
export function spanWords(span: number): string {
  const units = [
    [day, 'day'],
    [hour, 'hour'],
  ] as const;
  const [unit, noun] = units.find(([unit]) => span >= 2 * unit) ?? [minute, 'minute'];
  return counted(Math.floor(span / unit), noun);
}

/** The day of a time, in UTC: `2024-05-01`. */
export const dayWords = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A whole number with spaces between the thousands. */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en').replaceAll(',', ' ');

/** A value above a limit, with as few digits after the point as show that it is above. */
export function aboveWords(value: number, limit: number): string {
  const digits = [0, 1, 2, 3].find((digits) => Number(value.toFixed(digits)) > limit);
  if (digits === undefined) return String(value);
  return digits === 0 ? grouped(value) : value.toFixed(digits);
}

/** An action of this name under way: `Shut down` is shutting down. A row is changing where something is done to a part of it. */
export function progressive(help: string): string {
  const [, verb = '', rest = ''] = /^(\S*) ?(.*)$/.exec(help.toLowerCase()) ?? [];
  if (!/^(|down|off|on|traffic|(to|from|into|as) .*)$/.test(rest)) return 'changing';
  if (verb === 'edit') return 'saving';
  const stem = /[^e]e$/.test(verb)
    ? verb.slice(0, -1)
    : /^[^aeiou]*[aeiou][bdgmnprt]$|el$/.test(verb)
      ? verb + verb.slice(-1)
      : verb;
  return [`${stem}ing`, ...(['down', 'off', 'on'].includes(rest) ? [rest] : [])].join(' ');
}

const stateWords: Readonly<Record<string, string>> = {
  '': 'has no known status',
  accepted: 'was accepted already',
  canceled: 'was cancelled',
  completed: 'is complete already',
  contact_support: 'needs the help of the support',
  creating: 'is being created',
  failed: 'has failed',
  needs_post_processing: 'is being finished',
  pending_upload: 'waits for its file',
  problem: 'has a problem',
  stale: 'has expired',
  user_aborted: 'was cancelled',
};

/** The status of a row as the end of a sentence: `has failed`, `is shutting down`. */
export const inState = (row: { readonly status?: unknown }): string => {
  const status = statusOf(row);
  return stateWords[status] ?? `is ${status.replaceAll('_', ' ')}`;
};

/**
 * The status of a row as rules compare it, in lower case with underscores, however it is spelled: `Shutting_Down` and
 * `shuttingDown` are `shutting_down`. Columns tell statuses apart in the same way.
 */
export const statusOf = (row: { readonly status?: unknown } | undefined): string =>
  (textIn(row?.status) ?? '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s_-]+/g, '_')
    .toLowerCase();
