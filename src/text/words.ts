/** Words for values; whatever is absent or of another type than it should be is not said. */

import { widthOf } from './cells.ts';
import { grouped } from './numbers.ts';

/** A value as text: nothing where there is none, objects as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value as text, with `yes` and `no` for what is true or not. */
export const displayText = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value);

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
  return textIn(name) ?? (isNamed ? `${noun} ${id}` : aNoun(noun));
}

/** A name of code as words: `shutting_down`, `Shutting-Down` and `shuttingDown` are `shutting down`. */
export function wordsOf(name: string): string {
  if (/^[a-z]*$/.test(name)) return name;
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .toLowerCase();
}

/** Words as they begin a sentence. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Words within a line; abbreviations keep their capitals. */
export const uncapitalized = (words: string): string =>
  words.replace(/^(?:A(?= )|[A-Z](?=[a-z]))/, (letter) => letter.toLowerCase());

/** Begins with a name or an address, as no word of a language has digits, underscores, dots or colons within. */
const isName = /^[a-z][\w-]*(?:[\d_]|\.\w|:[\w/])/;

/** A clause with its full stop, unless it asks or calls. */
export const withStop = (clause: string): string => (/[.?!]$/.test(clause) ? clause : `${clause}.`);

/** A sentence as a part of another one. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** A reason as a sentence, with a capital and a full stop; a label that it begins with keeps its spelling. */
export const sentence = (text: string, label = ''): string => {
  const isLabel = (label !== '' && text.startsWith(label)) || isName.test(text);
  return withStop(isLabel ? text : capitalized(text));
};

/** A text as one value of a filter: quotes in it are doubled. */
export const filterText = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A name that nothing else has: this one, or with the first free number behind it. */
export function freeName(name: string, isTaken: (name: string) => boolean, between = '-'): string {
  let free = name;
  for (let nth = 2; isTaken(free); nth++) free = name + between + nth;
  return free;
}

/** A noun with its article: `a server`, `an object`. */
export const aNoun = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** `1 node`, `3 nodes`. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

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

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly unknown[], maxNames = 3): string {
  const shown = names.slice(0, names.length > maxNames ? maxNames - 1 : maxNames).map(String);
  const last = names.length > maxNames ? `${names.length - shown.length} more` : shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} and ${last}` : (last ?? '');
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

/** Rows of clean texts as lines of columns, which are as wide as their widest cell, or at most so wide. */
export function columned(rows: readonly (readonly string[])[], most: readonly number[] = []): readonly string[] {
  const widths = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, place) =>
    Math.min(most[place] ?? Number.POSITIVE_INFINITY, Math.max(0, ...rows.map((row) => widthOf(row[place] ?? '')))),
  );
  return rows.map((row) =>
    row
      .map((text, place) => text + ' '.repeat(Math.max(0, (widths[place] ?? 0) - widthOf(text))))
      .join('  ')
      .trimEnd(),
  );
}
