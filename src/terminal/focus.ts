/** Switches focus reports on; terminals that have none ignore it. */
export const focusOn = '\x1b[?1004h';
/** Switches focus reports off. */
export const focusOff = '\x1b[?1004l';

/** Reads a focus report: true where the terminal got the focus, false where it lost it, undefined for other input. */
export function focusOf(input: string): boolean | undefined {
  if (input === '\x1b[I') return true;
  if (input === '\x1b[O') return false;
  return undefined;
}
