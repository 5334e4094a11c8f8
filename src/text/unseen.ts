/** Characters of an input that cannot be seen: they steer a terminal, hide or reorder what is beside them. */

import { escapeSequence, invisible, markInvisible } from './cells.ts';

/** All control characters but the tab and the line feed, and what else breaks lines. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;
const isControl = new RegExp(`^${controls.source}$`);
const unseen = new RegExp(`${controls.source}|${invisible.source}`, 'gu');

/** Tells most texts that have none of these characters apart at once. */
const maybe = /[^\t\n\x20-\x7e\xa0-\xac\xae-\u02ff]/;

/** The names of the control characters below the space, in their order. */
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

function markOf(character: string, offset: number, whole: string): string {
  if (!isControl.test(character)) return markInvisible(character, offset, whole);
  const code = character.charCodeAt(0);
  const name = code === 0x7f ? 'DEL' : controlNames[code];
  return `⟨${name ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}

/** The text with a mark, `⟨ESC⟩` or `⟨RLO⟩`, for each character that cannot be seen; tabs and line feeds stay. */
export const withMarks = (text: string): string => (maybe.test(text) ? text.replace(unseen, markOf) : text);

/** The first character of a text that cannot be seen, by its mark, and its place: line and character, both counted from 1; tabs and line feeds can. */
export function unseenIn(text: string) {
  if (!maybe.test(text)) return undefined;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    const mark = markOf(character, index, text);
    if (mark === character) continue;
    const lines = text.slice(0, index).split('\n');
    return { mark, line: lines.length, at: [...(lines.at(-1) ?? '')].length + 1 };
  }
  return undefined;
}

/** A pasted or typed text without what cannot be seen in it, and the number of the characters and sequences left out. */
export function withoutUnseen(text: string): { text: string; dropped: number } {
  if (!maybe.test(text)) return { text, dropped: 0 };
  let dropped = 0;
  const drop = () => {
    dropped++;
    return '';
  };
  const seen = text
    .toWellFormed()
    .replace(escapeSequence, drop)
    .replace(controls, drop)
    .replace(invisible, (character, offset, whole) =>
      markInvisible(character, offset, whole) === character ? character : drop(),
    );
  return { text: seen, dropped };
}

/** All line breaks as line feeds. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** A text as one line of input: line breaks and tabs as spaces. */
export const inOneLine = (text: string, lineBreak = ' '): string =>
  text.replace(/[\r\n\v\f\x85\u2028\u2029]+/g, lineBreak).replace(/\t/g, ' ');
