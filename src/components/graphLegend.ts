import { cell, clean, ellipses, widthOf } from '../text/cells.ts';
import { seriesMarks } from './braille.ts';
import type { Glyphs } from './format.ts';
import { type Prepared, summary, valueAt } from './graphData.ts';
import { quantity } from './scale.ts';
import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

const roles: readonly Role[] = ['series1', 'series2', 'series3', 'series4', 'series5', 'series6'];

/** The colour and the mark of a series, by its number from 0; one that others are compared with is dim. */
export function seriesLook(
  { beside }: Pick<Prepared, 'beside'>,
  index: number,
  glyphs: Glyphs,
): { role: Role; mark: string } {
  const marks = seriesMarks[glyphs];
  const role = beside === undefined ? roles[index % roles.length] : 'dim';
  return { role: role ?? 'plain', mark: marks[(beside ?? index) % marks.length] ?? '*' };
}

interface Heading {
  title: string;
  texts: readonly string[];
  /** The highest goes first when there is no room. */
  spare: number;
}

/** Where the crosshair stands. */
export interface Crosshair {
  /** Milliseconds since the epoch. */
  at: number;
  label: string;
}

/**
 * The table below a graph: one line of headings and one a series, with its mark, name, last, least, mean, 95th percentile and largest value.
 * Columns that do not fit are left out; series that do not fit are counted in the last line.
 * @param height lines there are in all; fewer than two leave no room for any
 */
export function legendLines(
  series: readonly Prepared[],
  unit: string,
  width: number,
  height: number,
  glyphs: Glyphs,
  crosshair?: Crosshair,
): readonly (readonly Span[])[] {
  if (height < 2 || series.length === 0) return [];
  const shown = series.length <= height - 1 ? series : series.slice(0, Math.max(0, height - 2));
  const nameWidth = Math.min(
    32,
    Math.max(8, ...shown.map(({ name }) => widthOf(clean(name)))),
    Math.max(8, width - 14),
  );
  const headings = fittingHeadings(headingsOf(shown, unit, glyphs, crosshair), width - nameWidth - 3);
  const lines: (readonly Span[])[] = [headingLine(headings, nameWidth)];
  shown.forEach((one, index) => {
    const { mark, role } = seriesLook(one, index, glyphs);
    lines.push([
      { text: ` ${mark} `, role },
      { text: cell(one.name, nameWidth, 'left', ellipses[glyphs]), role: role === 'dim' ? role : undefined },
      { text: headings.map((heading) => column(heading, heading.texts[index] ?? '')).join('') },
    ]);
  });
  const hidden = series.length - shown.length;
  return hidden > 0 ? [...lines, [{ text: cell(`   and ${hidden} more`, width), role: 'dim' }]] : lines;
}

const headingLine = (headings: readonly Heading[], nameWidth: number): readonly Span[] => [
  { text: ' '.repeat(nameWidth + 3) },
  { text: headings.map((heading) => column(heading, heading.title)).join(''), role: 'dim' },
];

const columnWidth = ({ title, texts }: Heading) => Math.max(...[title, ...texts].map(widthOf)) + 2;

const column = (heading: Heading, text: string) => text.padStart(columnWidth(heading));

function headingsOf(
  series: readonly Prepared[],
  unit: string,
  glyphs: Glyphs,
  crosshair: Crosshair | undefined,
): readonly Heading[] {
  const none = glyphs === 'ascii' ? '-' : '–';
  const summaries = series.map(summary);
  const written = (value: number | undefined) => (value === undefined ? none : quantity(value, unit));
  const statistic = (title: string, key: 'last' | 'min' | 'avg' | 'p95' | 'max', spare: number): Heading => ({
    title,
    texts: summaries.map((numbers) => written(numbers?.[key])),
    spare,
  });
  const there = crosshair && {
    title: `AT ${crosshair.label}`,
    texts: series.map((one) => written(valueAt(one, crosshair.at))),
    spare: 0,
  };
  return [
    ...(there ? [there] : []),
    statistic('LAST', 'last', 1),
    statistic('MIN', 'min', 5),
    statistic('AVG', 'avg', 3),
    statistic('P95', 'p95', 4),
    statistic('MAX', 'max', 2),
  ];
}

function fittingHeadings(headings: readonly Heading[], width: number): readonly Heading[] {
  const needed = headings.reduce((sum, heading) => sum + columnWidth(heading), 0);
  if (needed <= width) return headings;
  const most = Math.max(...headings.map(({ spare }) => spare));
  return fittingHeadings(
    headings.filter(({ spare }) => spare !== most),
    width,
  );
}
