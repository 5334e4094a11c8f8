import { textOf } from './words.ts';

/** A value as one word of a shell's command line, in quotes where it is not plain: whatever it holds is no command. */
export function shellWord(value: unknown): string {
  const text = textOf(value);
  return /^[\w.:@%+=,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
