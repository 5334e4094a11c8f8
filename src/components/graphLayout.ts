import { widthOf } from '../text/cells.ts';
import type { Timestamp } from '../text/times.ts';
import { dotGrids } from './canvas.ts';
import type { Glyphs } from './format.ts';
import type { GraphSeries, GraphWindow, PreparedSeries } from './graphData.ts';
import { niceScale, tickLabels } from './scale.ts';
import type { Role } from './theme.ts';

/** Something that happened at a time. */
export interface TimeMark {
  at: Timestamp;
  letter: string;
  role: Role;
}

/** A graph to draw; sizes are terminal cells. */
export interface GraphSpec {
  title: string;
  series: readonly GraphSeries[];
  /** `%`, `bit/s`, `blocks/s` and the like. */
  unit: string;
  width: number;
  height: number;
  /** The first point by default. */
  from?: Timestamp;
  /** `now` by default, else the last point. */
  to?: Timestamp;
  now?: Timestamp;
  /** The value above which the platform sends an alert. */
  threshold?: number;
  /** The time whose values the legend shows. */
  crosshair?: Timestamp;
  /** Letters on the time axis. */
  marks?: readonly TimeMark[];
  /** The scale holds at least this value, so that several graphs have the same. */
  top?: number;
  /** Without the table below it; a few figures stand beside the title. */
  brief?: boolean;
  /** Said where there is no value. */
  empty?: string;
}

/** The measures of a graph. */
export type GraphLayout = ReturnType<typeof layoutGraph>;

/** A threshold up to this many times the largest value lies within the scale. */
const nearAlert = 1.3;

/** Lays out a graph whose series hold `values`, at least one. The scale leaves out a threshold far above them. */
export function layoutGraph(
  spec: GraphSpec,
  series: readonly PreparedSeries[],
  window: GraphWindow,
  values: readonly number[],
  rows: number,
  glyphs: Glyphs,
) {
  const least = values.reduce((one, other) => Math.min(one, other));
  const most = values.reduce((one, other) => Math.max(one, other));
  const highest = Math.max(most, spec.top ?? 0);
  const near = spec.threshold !== undefined && spec.threshold <= highest * nearAlert ? spec.threshold : 0;
  const top = spec.unit === '%' && highest <= 0 ? 100 : Math.max(highest, near);
  const scale = niceScale(least, top, Math.max(1, Math.floor(rows / 3)));
  const labels = tickLabels(scale, spec.unit);
  /** Cells left of the vertical axis. */
  const gutter = Math.max(3, ...labels.map(widthOf)) + 1;
  /** Columns and rows of the field of lines, in cells. */
  const columns = spec.width - gutter - 1;
  return { spec, series, window, glyphs, dots: dotGrids[glyphs], scale, labels, gutter, columns, rows };
}

/** The dot row of a value, from the bottom. */
export function valueDot({ scale, rows, dots }: GraphLayout, value: number): number {
  const share = (value - scale.low) / (scale.high - scale.low);
  return Math.round(share * (rows * dots.down - 1));
}

/** The row of a value, from the top. */
export const valueRow = (frame: GraphLayout, value: number): number =>
  Math.min(frame.rows - 1, Math.max(0, frame.rows - 1 - Math.floor(valueDot(frame, value) / frame.dots.down)));

/** The dot column of a time, from the left. */
export function timeDot({ window, columns, dots }: GraphLayout, time: number): number {
  return Math.round(((time - window.from) / (window.to - window.from)) * (columns * dots.across - 1));
}

/** The column of a time, from the left; it may lie outside. */
export const timeColumn = (frame: GraphLayout, time: number): number =>
  Math.floor(timeDot(frame, time) / frame.dots.across);
