import { progressBar } from '../../components/chart.ts';
import { type Glyphs, statusRole } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import type { Role } from '../../components/theme.ts';
import { memoizeIncremental } from '../../resources/differences.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { compareTexts } from '../../store/sorting.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { countWord, countWords, type WordCount } from '../../text/words.ts';
import { linkToList, nameSpan, statusCount, type TileLine } from './tile.ts';

/** A value and the number of rows that have it. */
export type ValueCount = Pick<WordCount, 'value' | 'count'>;

/**
 * Counts rows by a value; the most frequent first, then by value. Words that differ only in case are one, written as in
 * the first row. Only rows that change are counted again.
 */
export function countsBy(read: (row: Row) => unknown): (rows: readonly Row[]) => readonly ValueCount[] {
  const valueText = (row: Row) => String(read(row) ?? 'unknown');
  const countsIn = memoizeIncremental<Map<string, WordCount>, Row>(
    (rows) => countWords(rows.map(valueText)),
    (counts, differences) => {
      const isCounted = differences.every(
        ({ before, after }) =>
          (!before || countWord(counts, valueText(before), -1)) && (!after || countWord(counts, valueText(after), 1)),
      );
      return isCounted ? counts : undefined;
    },
  );
  return (rows) =>
    [...countsIn(rows).values()].sort((one, other) => other.count - one.count || compareTexts(one.value, other.value));
}

/** The filter for rows with a value in the column of a title. */
export const filterFor = (title: string, value: string): string =>
  `${title.toLowerCase().replaceAll(' ', '-')}:${/\s/.test(value) ? `"${value}"` : value}`;

const labelWidth = 16;
const amountWidth = 7;
const maxBarWidth = 40;

/** Draws the count of each value as a number and a bar, linked to those rows in the list of the resource. */
export function countLines(
  { name }: Resource,
  title: string,
  counts: readonly ValueCount[],
  format: (value: string) => Span,
): readonly TileLine[] {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return counts.map(({ value, count }) => ({
    id: `${name}:${title}:${value}`,
    link: linkToList(name, filterFor(title, value)),
    draw: (context, isCurrent) => {
      const { text, role } = format(value);
      const label = cell(text, Math.min(labelWidth, context.width - amountWidth - 2));
      const room = Math.min(maxBarWidth, context.width - 2 - widthOf(label) - amountWidth - 2);
      return [
        nameSpan(label, isCurrent, role),
        { text: `${cell(grouped(count), amountWidth, 'right')}  ` },
        { text: shareBar(count, total, room, context.theme.glyphs), role: role ?? 'series1' },
      ];
    },
  }));
}

/** A share as a bar; at least half a cell, so that one among many still shows. */
function shareBar(count: number, total: number, room: number, glyphs: Glyphs): string {
  if (room <= 0) return '';
  const share = Math.max((count / Math.max(1, total)) * 100, 50 / room);
  return progressBar(share, room, glyphs).replace(/[\u2591.]+$/, '');
}

/** Counts rows by status, as glyphs and numbers; bad ones first, statuses of one glyph together. */
export function statusCounts(counts: readonly ValueCount[], glyphs: Glyphs): readonly Span[] {
  const groups = Map.groupBy(counts, ({ value }) => statusRole(value));
  const urgency = (role: Role) => (role === 'bad' ? 0 : role === 'warn' ? 1 : 2);
  return [...groups]
    .sort(([one], [other]) => urgency(one) - urgency(other))
    .map(([, alike]) => {
      const count = alike.reduce((sum, one) => sum + one.count, 0);
      return statusCount(alike[0]?.value ?? '', grouped(count), glyphs);
    });
}

/** Whether a status is a bad one. */
export const isBad = (status = ''): boolean => statusRole(status) === 'bad';
