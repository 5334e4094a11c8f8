import { wrapCells } from '../../text/cells.ts';
import type { ListRows } from './listRows.ts';

/** Before the filter. */
export const filterLabel = ' filter: ';

/** Below this many cells an error begins on the line after its caret. */
const minRoom = 24;

const maxErrorLines = 4;

/** What is wrong with a filter: a caret under the place and the sentence behind it, wrapped where it is longer. */
export function errorLines({ error, position }: NonNullable<ListRows['error']>, width: number): readonly string[] {
  const caret = `${' '.repeat(filterLabel.length + position)}^`;
  const room = width - caret.length - 1;
  const [first = ''] = room < minRoom ? [] : wrapCells(error, room);
  const indent = ' '.repeat(filterLabel.length);
  const rest = wrapCells(error.slice(first.length).trim(), width - indent.length).filter((line) => line !== '');
  return [`${caret} ${first}`, ...rest.map((line) => indent + line)].slice(0, maxErrorLines);
}

/** The lines that a filter takes: itself, and what is said below it. */
export function filterHeight(filter: string, isTyping: boolean, error: ListRows['error'], width: number): number {
  if (!isTyping && filter === '') return 0;
  return 1 + (error ? errorLines(error, width).length : 0);
}
