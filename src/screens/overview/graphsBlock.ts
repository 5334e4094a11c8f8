import { sparkRows } from '../../components/chart.ts';
import type { Glyphs } from '../../components/format.ts';
import { prepareSeries, summarize } from '../../components/graphData.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import type { DayGraph } from '../../resources/overview.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { quantity } from '../../text/numbers.ts';
import { day } from '../../text/times.ts';
import type { TileLine, TileLink } from '../home/tile.ts';
import type { OverviewBlock } from './layout.ts';

interface GraphsOptions {
  /** Undefined before they are read. */
  graphs: readonly DayGraph[] | undefined;
  /** Why there are none. */
  placeholder?: string;
  /** The lines of each. */
  rows: number;
  link?: TileLink;
}

/** Small graphs of the past day, each with its last value and its 95th percentile. */
export function graphsBlock({ graphs, placeholder, rows, link }: GraphsOptions): OverviewBlock {
  const block = { name: 'graphs', title: 'Last 24 hours', link } as const;
  const known = graphs?.filter(({ points }) => points.length > 0) ?? [];
  if (known.length === 0) {
    const why = placeholder ?? (graphs ? 'no readings yet' : '…');
    return { ...block, figures: [{ text: why, role: 'dim' }], lines: [], usual: 0 };
  }
  const read = known.map(readGraph);
  const widest = (of: 'name' | 'last' | 'p95') => Math.max(...read.map((graph) => widthOf(graph[of])));
  const widths = { names: widest('name'), last: widest('last'), p95: widest('p95') };
  const lines = read.flatMap((graph) => graphLines(graph, widths, rows));
  return { ...block, figures: [], lines, usual: lines.length };
}

/** The bars of the day before the last reading, and its figures in words; once for all drawings of the same answer. */
const readGraph = memoize(({ name, unit, points, isPast }: DayGraph) => {
  const to = points.at(-1)?.[0] ?? 0;
  const series = prepareSeries({ name, points }, { from: to - day, to });
  const summary = summarize(series);
  const values = series.points.map(([, value]) => value);
  return {
    name,
    bars: memoizeOne((width: number, rows: number, glyphs: Glyphs) => sparkRows(values, width, rows, glyphs)),
    last: isPast ? '–' : summary ? quantity(summary.last, unit) : '',
    p95: summary ? `p95 ${quantity(summary.p95, unit)}` : '',
  };
});

/** Cells of the bars before both figures stand beside them. */
const leastBars = 16;

/** A graph in `rows` lines: its name and its figures, and below them bars over the whole width; beside each other in one line. */
function graphLines(
  { name, bars, last, p95 }: ReturnType<typeof readGraph>,
  widths: { names: number; last: number; p95: number },
  rows: number,
): readonly TileLine[] {
  return Array.from({ length: rows }, (_, index): TileLine => {
    const draw: TileLine['draw'] = ({ width, theme }) => {
      const drawn = (cells: number, nth: number) =>
        bars(Math.max(0, cells), Math.max(1, rows - 1), theme.glyphs)[nth] ?? '';
      if (index > 0) return [{ text: drawn(width - 2, index - 1), role: 'series1' }];
      const room = width - 2 - widths.names - 1 - 2 - widths.last;
      const hasBoth = rows > 1 || room - 2 - widths.p95 >= leastBars;
      const between = hasBoth ? room - 2 - widths.p95 : room;
      return [
        { text: cell(name, widths.names + 1) },
        { text: rows > 1 ? ' '.repeat(Math.max(0, between)) : drawn(between, 0), role: 'series1' },
        { text: `  ${cell(last, widths.last, 'right')}` },
        { text: hasBoth ? `  ${cell(p95, widths.p95, 'right')}` : '', role: 'dim' },
      ];
    };
    return { id: `graph:${name}:${index}`, draw };
  });
}
