import type { Theme } from '../../components/theme.ts';
import type { Completion } from '../../store/filter/completion.ts';
import { cut, widthOf, wrapCells } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import type { ListRows } from './listRows.ts';

/** Before the filter. */
export const filterLabel = ' filter: ';

/** Below this many cells an error begins on the line after its caret. */
const minRoom = 24;

const maxErrorLines = 4;

/** The error of a filter: a caret under its place and the sentence behind it, wrapped where it is longer. */
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
  return 1 + (error ? errorLines(error, width).length : isTyping ? 1 : 0);
}

/** The completions as one line: those around the chosen one, each with its count, and how many there are beyond. */
export function choiceLine(theme: Theme, choices: readonly Completion[], chosen: number, width: number): string {
  const room = width - filterLabel.length - beyondWidth;
  const texts = choices.map(({ name, count }) => ({ name, count: count === undefined ? '' : ` ${grouped(count)}` }));
  const pages: number[][] = [[]];
  let used = 0;
  for (const [index, { name, count }] of texts.entries()) {
    const cells = widthOf(name) + count.length + gap.length;
    if (used > 0 && used + cells > room) {
      pages.push([]);
      used = 0;
    }
    pages.at(-1)?.push(index);
    used += cells;
  }
  const page = pages.find((indexes) => indexes.includes(chosen)) ?? [];
  const shown = page.flatMap((index) => {
    const text = texts[index];
    if (!text) return [];
    const name = cut(text.name, room);
    return [`${index === chosen ? theme.paint('cursor', name) : name}${theme.paint('dim', text.count)}`];
  });
  const beyond = choices.length - 1 - (page.at(-1) ?? 0);
  const more = beyond > 0 ? theme.paint('dim', `${gap}+${beyond}`) : '';
  return `${' '.repeat(filterLabel.length)}${shown.join(gap)}${more}`;
}

const gap = '   ';

/** Cells for the number of the choices beyond. */
const beyondWidth = 8;
