/** Asks the terminal to tell when it gets and loses the focus; terminals that cannot ignore it. */
export const focusOn = '\x1b[?1004h';
/** Ends what `focusOn` asked for. */
export const focusOff = '\x1b[?1004l';

/** Whether input is the terminal telling of its focus: true it has it, false it lost it; undefined for any other input. */
export function focusOf(input: string): boolean | undefined {
  if (input === '\x1b[I') return true;
  if (input === '\x1b[O') return false;
  return undefined;
}
