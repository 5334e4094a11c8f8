import { cutSpans, painted, type Span, wrapSpans } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import type { CutCell } from './rowTable.ts';

/** A list of fewer lines needs all of them for its rows. */
const minHeight = 16;
const maxLines = 3;

/** Cells left of the text, as before the columns. */
const indent = 3;

/**
 * The number of lines at the foot of a list that show in full what the line under the cursor cuts: the same for all of its
 * rows, so that the list does not move with the cursor; none where no column is cut.
 * @param cutWidth cells that the cut values of a row need at most
 */
export function readerLineCount(cutWidth: number, width: number, height: number): number {
  if (cutWidth === 0 || height < minHeight) return 0;
  const wanted = Math.ceil(cutWidth / Math.max(1, width - indent));
  return Math.min(wanted, maxLines, Math.floor(height / 8));
}

/** Cells in full with their titles, on exactly `count` lines. */
export function readerLines(theme: Theme, cells: readonly CutCell[], width: number, count: number): readonly string[] {
  const spans = cells.flatMap(({ title, text }, index): readonly Span[] => [
    { text: `${index > 0 ? '   ' : ''}${title.toUpperCase()} `, role: 'dim' },
    { text },
  ]);
  const lines = spans.length > 0 ? wrapSpans(spans, Math.max(1, width - indent)) : [];
  return Array.from({ length: count }, (_, index) => {
    const line = lines[index] ?? [];
    const isCut = index === count - 1 && lines.length > count;
    const shown = isCut ? [...cutSpans(line, 0, textOf(line).trimEnd().length - 1), { text: '…' }] : line;
    return `${' '.repeat(indent)}${painted(theme, shown)}`;
  });
}

const textOf = (spans: readonly Span[]) => spans.map(({ text }) => text).join('');
