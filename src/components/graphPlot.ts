import { cut, widthOf } from '../text/cells.ts';
import { quantity } from '../text/numbers.ts';
import { dateText, day } from '../text/times.ts';
import type { Glyphs } from './format.ts';
import { type GraphWindow, graphWindow, nearestValue, prepareSeries, summarize } from './graphData.ts';
import { cellGrid, drawField, drawnSeries, meaning, showsThreshold } from './graphDraw.ts';
import { type GraphLayout, type GraphSpec, layoutGraph, timeColumn, valueRow } from './graphLayout.ts';
import { legendLines } from './graphLegend.ts';
import { timeTicks } from './scale.ts';
import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

const axes = {
  unicode: { side: '│', sideTick: '┤', corner: '└', floor: '─', floorTick: '┬' },
  ascii: { side: '|', sideTick: '+', corner: '+', floor: '-', floorTick: '+' },
} as const;

/** The lines of a graph, exactly `height` of them, none wider than `width` cells. Its times are UTC. */
export function plotGraph(spec: GraphSpec, glyphs: Glyphs): readonly (readonly Span[])[] {
  const planned = plan(spec, glyphs);
  if (typeof planned === 'string') return message(spec, planned);
  const { frame, legend, axisHeight } = planned;
  const field = drawField(frame);
  const plot = valueAxis(frame).map((side, row) => [...side, ...field.spans(row)]);
  return [titleLine(frame), ...plot, ...timeAxis(frame).slice(0, axisHeight), ...legend];
}

/** The time at a cell of a graph's lines, counted from 0; undefined where it has no time axis. */
export function timeAt(spec: GraphSpec, glyphs: Glyphs, cell: number): number | undefined {
  const planned = plan(spec, glyphs);
  if (typeof planned === 'string') return undefined;
  const { window, gutter, columns } = planned.frame;
  const share = Math.max(0, Math.min(1, (cell - gutter - 1) / Math.max(1, columns - 1)));
  return window.from + share * (window.to - window.from);
}

/** The measures of a graph, or why there is none. */
function plan(spec: GraphSpec, glyphs: Glyphs) {
  const { width, height, unit, crosshair } = spec;
  const window = graphWindow(spec.series, spec);
  const series = spec.series.map((one) => prepareSeries(one, window));
  const values = series.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  if (values.length === 0) return spec.empty ?? 'no data yet';
  if (height < 3 || width < 20) return 'too small';

  const axisHeight = height >= 6 ? 2 : 0;
  const spare = height - 1 - axisHeight - Math.max(4, Math.ceil(height * 0.4));
  const cross = crosshair === undefined ? undefined : { at: crosshair, label: timeLabel(crosshair, window) };
  const room = spec.brief ? 0 : Math.min(spare, series.length + 1);
  const legend = legendLines(series, unit, width, room, glyphs, cross);
  const rows = height - 1 - axisHeight - legend.length;
  const frame = fittedLayout(layoutGraph(spec, series, window, values, rows, glyphs));
  return { frame, legend, axisHeight };
}

/** The layout with the scale of what is drawn, where means are drawn in place of readings. */
function fittedLayout(frame: GraphLayout): GraphLayout {
  if (meaning(frame) === '') return frame;
  const drawn = frame.series.map((one) => drawnSeries(frame, one));
  const values = drawn.flatMap(({ stretches, ranges }) => [
    ...stretches.flatMap((stretch) => stretch.map(([, value]) => value)),
    ...ranges.flatMap(({ low, high }) => [low, high]),
  ]);
  return layoutGraph(frame.spec, frame.series, frame.window, values, frame.rows, frame.glyphs);
}

function message({ title, width, height }: GraphSpec, says: string): readonly (readonly Span[])[] {
  const lines = Array.from({ length: Math.max(0, height) }, (): readonly Span[] => [{ text: ' ' }]);
  if (height > 0) lines[0] = [{ text: cut(title, width), role: 'title' }];
  const left = ' '.repeat(Math.max(0, Math.floor((width - says.length) / 2)));
  if (height > 1) lines[Math.floor(height / 2)] = [{ text: left + cut(says, width), role: 'dim' }];
  return lines;
}

function titleLine(frame: GraphLayout): readonly Span[] {
  const { title, unit, width, threshold } = frame.spec;
  const hidden = threshold !== undefined && !showsThreshold(frame);
  const note = hidden ? `${arrows[frame.glyphs]} alert ${quantity(threshold, unit)}` : '';
  const noted = note !== '' && note.length + 10 < width;
  const room = noted ? width - note.length - 2 : width;
  const name = cut(title, room);
  const after = cut(`  ${unit}${asideOf(frame)}`, room - widthOf(name));
  const gap = noted ? ' '.repeat(width - widthOf(name) - widthOf(after) - note.length) : '';
  return [
    { text: name, role: 'title' },
    { text: after + gap, role: 'dim' },
    { text: noted ? note : '', role: 'warn' },
  ];
}

const arrows = { unicode: '▲', ascii: '^' } as const;

/** Figures of a graph without a table, or that its line is a mean. */
function asideOf(frame: GraphLayout): string {
  const { spec, series } = frame;
  const [first] = series;
  if (!spec.brief || !first) return meaning(frame) && `  ${meaning(frame)}`;
  const numbers = summarize(first);
  const there = spec.crosshair === undefined ? undefined : nearestValue(first, spec.crosshair);
  const parts = [
    ['at', there],
    ['last', numbers?.last],
    ['max', numbers?.max],
    ['avg', numbers?.avg],
    ['p95', numbers?.p95],
  ] as const;
  const room = spec.width - widthOf(spec.title) - widthOf(spec.unit) - 2;
  return parts
    .map(([name, value]) => (value === undefined ? '' : `  ${name} ${quantity(value, spec.unit)}`))
    .reduce((line, part) => (widthOf(line) + widthOf(part) <= room ? line + part : line), '');
}

/** The labels and the line left of each row. */
function valueAxis(frame: GraphLayout): readonly (readonly Span[])[] {
  const { spec, scale, labels, gutter, rows, glyphs } = frame;
  const { side, sideTick } = axes[glyphs];
  const texts = new Map<number, { text: string; role: Role }>();
  scale.ticks.forEach((tick, index) => {
    texts.set(valueRow(frame, tick), { text: labels[index] ?? '', role: 'dim' });
  });
  if (spec.threshold !== undefined && showsThreshold(frame)) {
    const text = quantity(spec.threshold, spec.unit === '%' ? '%' : '');
    if (widthOf(text) < gutter) texts.set(valueRow(frame, spec.threshold), { text, role: 'warn' });
  }
  return Array.from({ length: rows }, (_, row) => {
    const { text, role } = texts.get(row) ?? { text: '', role: 'dim' };
    return [
      { text: `${text.padStart(gutter - 1)} `, role },
      { text: texts.has(row) ? sideTick : side, role: 'dim' },
    ];
  });
}

/** The line below the field and the times below the line. */
function timeAxis(frame: GraphLayout): readonly (readonly Span[])[] {
  const { spec, window, gutter, columns, glyphs } = frame;
  const { corner, floor, floorTick } = axes[glyphs];
  const base = cellGrid(columns, 2);
  base.put(0, 0, floor.repeat(columns), 'dim');
  const here = crosshairTime(frame);
  let free = 0;
  for (const { at, label } of timeTicks(window.from, window.to, Math.floor(columns / 10))) {
    const column = timeColumn(frame, at);
    const start = Math.min(columns - label.length, Math.max(0, column - Math.floor(label.length / 2)));
    base.put(column, 0, floorTick, 'dim');
    const isCovered = here && start < here.start + here.text.length && start + label.length > here.start;
    if (start < free || isCovered) continue;
    base.put(start, 1, label, 'dim');
    free = start + label.length + 1;
  }
  for (const { at, letter, role } of spec.marks ?? []) base.put(timeColumn(frame, at), 0, letter, role);
  if (here) base.put(here.start, 1, here.text, 'title');
  const zone = 'UTC'.padStart(gutter - 1);
  return [
    [{ text: ' '.repeat(gutter) + corner, role: 'dim' }, ...base.spans(0)],
    [{ text: `${zone}  `, role: 'dim' }, ...base.spans(1)],
  ];
}

/** The time of the crosshair between blanks, and its first column; undefined where it is not on the axis. */
function crosshairTime(frame: GraphLayout): { start: number; text: string } | undefined {
  const { spec, window, columns } = frame;
  if (spec.crosshair === undefined) return undefined;
  const column = timeColumn(frame, spec.crosshair);
  if (column < 0 || column >= columns) return undefined;
  const text = ` ${timeLabel(spec.crosshair, window)} `;
  return { start: Math.min(columns - text.length, Math.max(0, column - Math.floor(text.length / 2))), text };
}

/** The time of day, with the date where the window is longer than two days. */
const timeLabel = (at: number, { from, to }: GraphWindow) =>
  Number.isFinite(at) && Math.abs(at) < 8e15 ? dateText(at).slice(to - from > 2 * day ? 5 : 11) : '';
