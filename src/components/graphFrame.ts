import { widthOf } from '../text/cells.ts';
import { type Dots, type Drawing, drawings } from './braille.ts';
import type { Glyphs } from './format.ts';
import type { GraphSeries, GraphWindow, Prepared } from './graphData.ts';
import { niceScale, type Scale, tickLabels } from './scale.ts';

/** A graph to draw; times are milliseconds since the epoch, sizes terminal cells. */
export interface GraphSpec {
  title: string;
  series: readonly GraphSeries[];
  /** `%`, `bit/s`, `blocks/s` and the like. */
  unit: string;
  width: number;
  height: number;
  /** The first point by default. */
  from?: number;
  /** `now` by default, else the last point. */
  to?: number;
  now?: number;
  /** The value from which an alert is sent. */
  threshold?: number;
  /** The time at which the values of all series are read. */
  crosshair?: number;
}

/** Where everything of a graph lies. */
export interface Frame {
  spec: GraphSpec;
  series: readonly Prepared[];
  window: GraphWindow;
  glyphs: Glyphs;
  dots: Dots;
  scale: Scale;
  /** The labels of the ticks of `scale`. */
  labels: readonly string[];
  /** Cells left of the vertical axis. */
  gutter: number;
  /** Cells of the field of lines. */
  columns: number;
  rows: number;
}

/** Lays out the field of a graph whose series hold `values`, at least one. A threshold far above them is left out of the scale. */
export function frameOf(
  spec: GraphSpec,
  series: readonly Prepared[],
  window: GraphWindow,
  values: readonly number[],
  rows: number,
  glyphs: Glyphs,
  drawing: Drawing,
): Frame {
  const least = values.reduce((one, other) => Math.min(one, other));
  const most = values.reduce((one, other) => Math.max(one, other));
  const inReach = spec.threshold !== undefined && spec.threshold <= most * 4 ? spec.threshold : 0;
  const top = spec.unit === '%' && most <= 0 ? 100 : Math.max(most, inReach);
  const scale = niceScale(least, top, Math.max(1, Math.floor(rows / 3)));
  const labels = tickLabels(scale, spec.unit);
  const gutter = Math.max(3, ...labels.map(widthOf)) + 1;
  const columns = spec.width - gutter - 1;
  return { spec, series, window, glyphs, dots: drawings[drawing], scale, labels, gutter, columns, rows };
}

/** The dot of a value, counted from the bottom. */
export function dotOf({ scale, rows, dots }: Frame, value: number): number {
  const share = (value - scale.low) / (scale.high - scale.low);
  return Math.round(share * (rows * dots.down - 1));
}

/** The row of a value, counted from the top. */
export const rowOf = (frame: Frame, value: number): number =>
  Math.min(frame.rows - 1, Math.max(0, frame.rows - 1 - Math.floor(dotOf(frame, value) / frame.dots.down)));

/** The dot of a time, counted from the left. */
export function dotAt({ window, columns, dots }: Frame, time: number): number {
  const share = (time - window.from) / (window.to - window.from);
  return Math.round(share * (columns * dots.across - 1));
}

/** The column of a time, counted from the left; it may lie outside. */
export const columnAt = (frame: Frame, time: number): number => Math.floor(dotAt(frame, time) / frame.dots.across);
