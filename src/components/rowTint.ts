import { widthOf } from '../text/cells.ts';
import type { RowColors, Theme } from './theme.ts';

/** Texts with a background of their own: inverse ones, and cells of a heat map. */
const ownBackground = /(\x1b\[7m.*?\x1b\[27m|\x1b\[48;[\d;]+m.*?\x1b\[49m)/;
const sgr = /\x1b\[[\d;]*m/g;
const endOfColor = /\x1b\[39m/g;

/**
 * A finished line with the background of its state over the whole width; unchanged where it has none. The colours of
 * its texts stay, and so do texts with a background of their own.
 * @param width cells of the whole line
 */
export function rowTinted(
  { rows }: Theme,
  { isCurrent, isMarked }: { isCurrent: boolean; isMarked: boolean },
  line: string,
  width: number,
): string {
  const colors = isMarked ? rows.marked : isCurrent ? rows.current : undefined;
  if (!colors) return line;
  const padding = ' '.repeat(Math.max(0, width - widthOf(line.replace(sgr, ''))));
  return `${line}${padding}`
    .split(ownBackground)
    .map((part, index) => (index % 2 === 1 || part === '' ? part : tinted(part, colors)))
    .join('');
}

/** No colour begins where another does: Ink would leave it out again. */
function tinted(text: string, { foreground, background }: RowColors): string {
  const own = `\x1b[${foreground}m`;
  const inner = `${own}${text.replace(endOfColor, own)}`.replaceAll(own, (_, at: number, whole: string) =>
    /^(?:\x1b\[[39]\d|$)/.test(whole.slice(at + own.length)) ? '' : own,
  );
  return `\x1b[${background}m${inner}\x1b[39m\x1b[49m`;
}
