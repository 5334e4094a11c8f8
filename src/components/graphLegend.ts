import { cell, clean, widthOf } from '../text/cells.ts';
import { quantity } from '../text/numbers.ts';
import type { Timestamp } from '../text/times.ts';
import { seriesMarks } from './canvas.ts';
import type { Glyphs } from './format.ts';
import { nearestValue, type PreparedSeries, summarize } from './graphData.ts';
import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

/** The colours of the series in their order. */
export const seriesRoles: readonly Role[] = ['series1', 'series2', 'series3', 'series4', 'series5', 'series6'];

/** Colour and mark of a series by its index; a series that is only compared with another is dim. */
export function seriesStyle(
  { comparedWith }: Pick<PreparedSeries, 'comparedWith'>,
  index: number,
  glyphs: Glyphs,
): { role: Role; mark: string } {
  const marks = seriesMarks[glyphs];
  const role = comparedWith === undefined ? seriesRoles[index % seriesRoles.length] : 'dim';
  return { role: role ?? 'plain', mark: marks[(comparedWith ?? index) % marks.length] ?? '*' };
}

interface LegendColumn {
  title: string;
  texts: readonly string[];
  /** When there is no room, the column with the highest number is dropped first. */
  dropOrder: number;
}

/** The position of the crosshair. */
export interface Crosshair {
  at: Timestamp;
  label: string;
}

/**
 * The table below a graph: a line of headings, and a line for each series with mark, name, last, least, mean, 95th
 * percentile and largest value. Columns that do not fit are left out; the last line counts series that do not fit.
 * @param height the lines available; with fewer than two there is no table
 */
export function legendLines(
  series: readonly PreparedSeries[],
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
  const written = (per: string) => fittingColumns(legendColumns(shown, per, crosshair), width - nameWidth - 3);
  const [named, short] = [written(unit), written(unit.replace(/^\w{4,}\//, '/'))];
  // The heading of the graph has the whole unit.
  const headings = named.length < short.length ? short : named;
  const lines: (readonly Span[])[] = [headingLine(headings, nameWidth)];
  shown.forEach((one, index) => {
    const { mark, role } = seriesStyle(one, index, glyphs);
    lines.push([
      { text: ` ${mark} `, role },
      { text: cell(one.name, nameWidth), role: role === 'dim' ? role : undefined },
      { text: headings.map((heading) => cellText(heading, heading.texts[index] ?? '')).join('') },
    ]);
  });
  const hidden = series.length - shown.length;
  return hidden > 0 ? [...lines, [{ text: cell(`   and ${hidden} more`, width), role: 'dim' }]] : lines;
}

const headingLine = (headings: readonly LegendColumn[], nameWidth: number): readonly Span[] => [
  { text: ' '.repeat(nameWidth + 3) },
  { text: headings.map((heading) => cellText(heading, heading.title)).join(''), role: 'dim' },
];

const columnWidth = ({ title, texts }: LegendColumn) => Math.max(...[title, ...texts].map(widthOf)) + 2;

const cellText = (heading: LegendColumn, text: string) => text.padStart(columnWidth(heading));

function legendColumns(
  series: readonly PreparedSeries[],
  unit: string,
  crosshair: Crosshair | undefined,
): readonly LegendColumn[] {
  const summaries = series.map(summarize);
  const written = (value: number | undefined) => (value === undefined ? '–' : quantity(value, unit));
  const statistic = (title: string, key: 'last' | 'min' | 'avg' | 'p95' | 'max', dropOrder: number): LegendColumn => ({
    title,
    texts: summaries.map((numbers) => written(numbers?.[key])),
    dropOrder,
  });
  const there = crosshair && {
    title: `AT ${crosshair.label}`,
    texts: series.map((one) => written(nearestValue(one, crosshair.at))),
    dropOrder: 0,
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

function fittingColumns(headings: readonly LegendColumn[], width: number): readonly LegendColumn[] {
  const needed = headings.reduce((sum, heading) => sum + columnWidth(heading), 0);
  if (needed <= width) return headings;
  const most = Math.max(...headings.map(({ dropOrder }) => dropOrder));
  const fewer = headings.filter(({ dropOrder }) => dropOrder !== most);
  return fittingColumns(fewer, width);
}
