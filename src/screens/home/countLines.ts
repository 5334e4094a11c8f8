import { progressBar } from '../../components/chart.ts';
import { formatValue, type Glyphs, statusRole } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import type { Role } from '../../components/theme.ts';
import { followed } from '../../resources/differences.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { countWord, countWords, type WordCount } from '../../text/words.ts';
import { linkToList, nameSpan, pointerSpan, statusCount, type TileLine } from './tile.ts';

/** One value and how many rows have it. */
export type ValueCount = Pick<WordCount, 'value' | 'count'>;

/**
 * Counts rows by a value; the most frequent first, then by value. Words that differ in their capitals only are one,
 * written as in the first row. Of rows that change, only those are counted anew.
 */
export function countsBy(read: (row: Row) => unknown): (rows: readonly Row[]) => readonly ValueCount[] {
  const textOf = (row: Row) => String(read(row) ?? 'unknown');
  const countsIn = followed<Map<string, WordCount>, Row>(
    (rows) => countWords(rows.map(textOf)),
    (counts, differences) => {
      const isPlain = differences.every(
        ({ before, after }) =>
          (!before || countWord(counts, textOf(before), -1)) && (!after || countWord(counts, textOf(after), 1)),
      );
      return isPlain ? counts : undefined;
    },
  );
  return (rows) =>
    [...countsIn(rows).values()].sort((one, other) => other.count - one.count || one.value.localeCompare(other.value));
}

/** A filter that leaves the rows that have this value in the column of this title. */
export const filterFor = (title: string, value: string): string =>
  `${title.toLowerCase().replaceAll(' ', '-')}:${/\s/.test(value) ? `"${value}"` : value}`;

const labelWidth = 16;
const amountWidth = 7;
const longestBar = 40;

/** Draws the rows of each value as numbers and bars; each leads to its rows in the list of the resource. */
export function countLines(
  { name }: Resource,
  title: string,
  counts: readonly ValueCount[],
  written: (value: string) => Span,
): readonly TileLine[] {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return counts.map(({ value, count }) => ({
    id: `${name}:${title}:${value}`,
    link: linkToList(name, filterFor(title, value)),
    draw: (pen, isCurrent) => {
      const { text, role } = written(value);
      const label = cell(text, Math.min(labelWidth, pen.width - amountWidth - 2));
      const room = Math.min(longestBar, pen.width - 2 - widthOf(label) - amountWidth - 2);
      return [
        pointerSpan(pen, isCurrent),
        nameSpan(label, isCurrent, role),
        { text: `${cell(grouped(count), amountWidth, 'right')}  ` },
        { text: shareBar(count, total, room, pen.theme.glyphs), role: role ?? 'series1' },
      ];
    },
  }));
}

/** A share as a bar; what is there at all shows, however few it is among many. */
function shareBar(count: number, total: number, room: number, glyphs: Glyphs): string {
  if (room <= 0) return '';
  const share = Math.max((count / Math.max(1, total)) * 100, 50 / room);
  return progressBar(share, room, glyphs).replace(/[\u2591.]+$/, '');
}

/** Counts rows by status, as glyphs and numbers; what is in trouble first, statuses of one glyph together. */
export function statusCounts(counts: readonly ValueCount[], glyphs: Glyphs): readonly Span[] {
  const groups = Map.groupBy(counts, ({ value }) => statusRole(value));
  const urgent = (role: Role) => (role === 'bad' ? 0 : role === 'warn' ? 1 : 2);
  return [...groups]
    .sort(([one], [other]) => urgent(one) - urgent(other))
    .map(([, alike]) => {
      const count = alike.reduce((sum, one) => sum + one.count, 0);
      return statusCount(alike[0]?.value ?? '', grouped(count), glyphs);
    });
}

/** A status as it is written in lists. */
export const statusSpan =
  (glyphs: Glyphs) =>
  (status: string): Span => {
    const { text, role } = formatValue(status, 'status', { now: 0, glyphs });
    return { text, role };
  };

/** The title of the column that shows the status of a resource. */
export const statusTitle = (name: string): string =>
  resourceNamed(name).columns.find((column) => column.format === 'status')?.title ?? 'Status';
