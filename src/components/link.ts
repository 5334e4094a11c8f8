import { linkMark } from '../text/escapes.ts';

/** A text that leads to an address (OSC 8), without the blanks around it; unchanged where there is no address. */
export const linked = (text: string, address: string | undefined): string =>
  address === undefined
    ? text
    : text.replace(/\S(?:.*\S)?/s, (inner) => `\x1b]8;;${linkMark}${address}\x1b\\${inner}\x1b]8;;\x1b\\`);
