import { clean, wrapCells } from '../text/cells.ts';
import type { Role, Theme } from './theme.ts';

/**
 * A text of several lines, e.g. a script or a zone file, as clean lines of at most `width` cells.
 * @param maxLines the rest of the text is left out
 */
export function textLines(text: string, width: number, maxLines = 20_000): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= text.length && lines.length < maxLines) {
    const end = text.indexOf('\n', start);
    const line = text
      .slice(start, end < 0 ? undefined : end)
      .replace(/\r$/, '')
      .replace(/\t/g, '    ');
    lines.push(...wrapCells(clean(line, 65_536), width));
    if (end < 0) break;
    start = end + 1;
  }
  return lines.slice(0, maxLines);
}

/** A sentence as lines of so many cells at most, which begin `indent` cells from the edge. */
export const saidLines = (theme: Theme, text: string, room: number, role: Role, indent = 1): readonly string[] =>
  wrapCells(clean(text), room).map((line) => theme.paint(role, ' '.repeat(indent) + line));
