import type { Entry, Field } from '../../resources/resource.ts';
import { inOneLine, unseenIn, withLineFeeds, withoutUnseen } from '../../text/unseen.ts';

/** A word of a list as it is typed: in quotes where it holds the comma that parts words, or begins with one. */
const typedWord = (word: string): string => (/,|^"/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);

/** An entry as the text that is typed. */
export const typedText = (entry: Entry): string =>
  Array.isArray(entry) ? entry.map(typedWord).join(', ') : entry === undefined ? '' : String(entry);

/** A word in quotes, or all up to the next comma. */
const word = /\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)/y;

/** The words that were typed with commas between them; a blank one stands for a comma too many. */
function wordsIn(text: string): readonly string[] {
  const words: string[] = [];
  word.lastIndex = 0;
  while (word.lastIndex < text.length) {
    const [, quoted, plain = ''] = word.exec(text) ?? [];
    words.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return /,\s*$/.test(text) ? [...words, ''] : words;
}

/** The kinds whose entry is typed. */
export const isTyped = ({ kind }: Field): boolean =>
  ['text', 'paragraph', 'secret', 'secretParagraph', 'integer', 'strings', 'json', 'file'].includes(kind);

/** The kinds whose entry may have several lines. */
export const isMultiline = ({ kind }: Field): boolean =>
  kind === 'paragraph' || kind === 'secretParagraph' || kind === 'json';

/** Whether an entry can be edited in a text area; a longer one is pasted, edited in the editor, or cleared. */
export const isEditableArea = (field: Field, entry: Entry): boolean =>
  isMultiline(field) && typedText(entry).length <= maxAreaLength;

/** Longer entries, in UTF-16 units, would take too long to wrap and draw on every key. */
const maxAreaLength = 100_000;
export const maxLineLength = 10_000;

/** Whether a text is one line that can be edited; any other is pasted or cleared. */
export const isEditableLine = (text: string): boolean =>
  text.length <= maxLineLength && !text.includes('\n') && unseenIn(text) === undefined;

/** Parses typed text into the entry of a field. */
export function entryFrom(field: Field, typed: string): Entry {
  // In a field of one line nobody would see what is left out; in several it is shown, and taken out by hand.
  const text = isMultiline(field) ? withLineFeeds(typed) : withoutUnseen(inOneLine(typed)).text;
  if (field.kind === 'strings') return wordsIn(text);
  return field.hidden === undefined ? text : replacementOf(field.hidden, text);
}

/** The text typed before or after the placeholder of a hidden value; empty if the placeholder was only shortened. */
const replacementOf = (hidden: string, text: string): string =>
  text === hidden ? text : text.includes(hidden) ? text.replace(hidden, '') : hidden.startsWith(text) ? '' : text;
