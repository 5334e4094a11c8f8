const esc = '\u001b';

const named: Readonly<Record<string, string>> = {
  up: `${esc}[A`,
  down: `${esc}[B`,
  right: `${esc}[C`,
  left: `${esc}[D`,
  home: `${esc}[H`,
  end: `${esc}[F`,
  pageUp: `${esc}[5~`,
  pageDown: `${esc}[6~`,
  insert: `${esc}[2~`,
  delete: `${esc}[3~`,
  enter: '\r',
  esc,
  tab: '\t',
  'shift-tab': `${esc}[Z`,
  space: ' ',
  f1: `${esc}OP`,
  backspace: '\u007f',
  'shift-up': `${esc}[1;2A`,
  'shift-down': `${esc}[1;2B`,
  focusIn: `${esc}[I`,
  focusOut: `${esc}[O`,
};

/** The bytes a terminal sends for a lone escape key: the start of every other sequence too. */
export const loneEscape = esc;

/**
 * The bytes a terminal sends for one key: a name (`down`, `enter`, `shift-tab`), `ctrl-` and a letter, one character,
 * or `alt-` and one of these. Throws for anything else, so that a mistyped name is not typed letter by letter.
 */
export function bytesOf(key: string): string {
  const sequence = named[key];
  if (sequence !== undefined) return sequence;
  if (/^ctrl-[a-z]$/.test(key)) return String.fromCharCode(key.charCodeAt(5) - 96);
  if (key.startsWith('alt-')) return esc + bytesOf(key.slice(4));
  if ([...key].length === 1 || key.startsWith(esc)) return key;
  throw new Error(`no key is called ${key}; the names are ${Object.keys(named).join(', ')}, ctrl-x and alt-x`);
}

/** A pasted text as a terminal sends it in bracketed paste mode. */
export const pasted = (text: string): string => `${esc}[200~${text}${esc}[201~`;
