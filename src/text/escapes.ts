import { textOf } from './words.ts';

/** A value as one word of a shell's command line, in quotes where it is not plain: whatever it holds is no command. */
export function shellWord(value: unknown): string {
  const text = textOf(value);
  return /^[\w.:@%+=,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Characters as JSON escapes them, `\u202e`. */
export const unicodeEscape = (characters: string): string =>
  Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

const hidden = /[\p{Default_Ignorable_Code_Point}\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|(?<=\p{M}{4})\p{M}/gu;

/** A value as JSON that a terminal can be shown: each character that would steer it or cannot be seen is escaped. */
export const visibleJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? String(value)).replace(hidden, unicodeEscape);

/** Characters that steer a terminal, or turn the direction of what follows; not the ends of lines, and tabs. */
const steering = /[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** A text for a terminal or a pipe: what would steer it is written as JSON does, `\u001b`. */
export const printable = (text: string): string => text.replace(steering, unicodeEscape);

/** A text without control characters but tabs and line feeds; pasted into a shell they would be keys. */
export const withoutControls = (text: string, instead = ''): string =>
  text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, instead);

/** Stands before the address of every link that the program makes itself; no text from elsewhere can have it. */
export const linkMark = `${Math.random().toString(36).slice(2)}:`;

/** A text that leads to an address (OSC 8), without the blanks around it; unchanged where there is no address. */
export const linked = (text: string, address: string | undefined): string =>
  address === undefined
    ? text
    : text.replace(/\S(?:.*\S)?/s, (inner) => `\x1b]8;;${linkMark}${address}\x1b\\${inner}\x1b]8;;\x1b\\`);

/** Longer addresses are no links. */
const maxUnits = 2000;

/**
 * The address that a text names, as a browser writes it: `http`, `https` or `mailto`, in printable ASCII, without a user
 * or password. A bare host is reached by `https`. Undefined for anything else.
 */
export function webAddress(text: string): string | undefined {
  if (text.length > maxUnits || !/^[^\s\p{C}]+$/u.test(text)) return undefined;
  const isHost = /^[^:/]+\.[^:/]+$/.test(text);
  const url = URL.parse(isHost ? `https://${text}/` : text);
  if (!url || !/^(?:https?|mailto):$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.href.length <= maxUnits && /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}
