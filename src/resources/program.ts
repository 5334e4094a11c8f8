import { type Filled, filled } from './placeholders.ts';
import type { Row } from './row.ts';

/** A program on this machine that is run on a row instead of a request. */
export interface Program {
  /** The program and its arguments; paths of the row in braces are filled in. */
  argv: readonly string[];
  /** `terminal`: it has the terminal; `pane`: its output is shown whole; `notice`: its first line. */
  show: 'terminal' | 'pane' | 'notice';
  timeoutMs: number;
}

/** All that fills the arguments of a program in: the row, and what was asked for before. */
export const fillingOf = ({ row, body }: { row?: Row; body?: unknown }): Row => ({
  ...row,
  ...(body as Row | undefined),
});

/** The argument vector for a row, or why there is none, as a sentence without its full stop. */
export function argvOf({ argv }: Program, row: Row, label: string): { argv: readonly string[] } | { wrong: string } {
  const words: string[] = [];
  for (const word of argv) {
    const found = wordOf(word, row, label, words.includes('--'));
    if ('wrong' in found) return found;
    words.push(found.text);
  }
  return { argv: words };
}

/** One argument; what the API says must not become an option of the program. */
function wordOf(word: string, row: Row, label: string, isBehindOptions: boolean): Filled {
  const begins = word.startsWith('{') && !word.startsWith('{{') && !isBehindOptions;
  const first = /^\{([^{}]*)\}/.exec(word)?.[1];
  const head = begins && first !== undefined ? filled(`{${first}}`, row, label, optionRule) : undefined;
  return head && 'wrong' in head ? head : filled(word, row, label);
}

/** Why a program would take a value for something else, as the end of a sentence. */
export const optionRule = (value: string): string | undefined =>
  value.startsWith('-')
    ? 'begins with a dash, which the program would take for an option; put "--" before it'
    : undefined;
