import { canvas } from './braille.ts';
import { type Prepared, stretches, valueAt } from './graphData.ts';
import { columnAt, dotAt, dotOf, type Frame, rowOf } from './graphFrame.ts';
import { type Layer, layer } from './graphLayer.ts';
import { seriesLook } from './graphLegend.ts';

const strokes = {
  unicode: { grid: '┈', dash: '╌', cross: '│' },
  ascii: { grid: '.', dash: '-', cross: '|' },
} as const;

/** The field of a graph: grid, threshold, crosshair, lines and marks, the later over the earlier. */
export function drawField(frame: Frame): Layer {
  const field = layer(frame.columns, frame.rows);
  drawGrid(frame, field);
  drawCrosshair(frame, field);
  drawThreshold(frame, field);
  drawLines(frame, field);
  labelThreshold(frame, field);
  if (frame.series.length > 1) drawMarks(frame, field);
  drawCrossMarks(frame, field);
  return field;
}

function drawGrid(frame: Frame, field: Layer): void {
  const distance = frame.glyphs === 'ascii' ? 4 : 1;
  for (const tick of frame.scale.ticks.slice(1)) {
    for (let column = 0; column < frame.columns; column += distance) {
      field.put(column, rowOf(frame, tick), strokes[frame.glyphs].grid, 'dim');
    }
  }
}

/** Whether the scale reaches up to the threshold. */
export const showsThreshold = ({ spec, scale }: Frame): boolean =>
  spec.threshold !== undefined && spec.threshold <= scale.high && spec.threshold > scale.low;

function drawThreshold(frame: Frame, field: Layer): void {
  const { threshold } = frame.spec;
  if (threshold === undefined || !showsThreshold(frame)) return;
  field.put(0, rowOf(frame, threshold), strokes[frame.glyphs].dash.repeat(frame.columns), 'warn');
}

const alertLabel = ' alert ';

/** Names the threshold where its line is free, as far to the right as can be. */
function labelThreshold(frame: Frame, field: Layer): void {
  const { threshold } = frame.spec;
  if (threshold === undefined || !showsThreshold(frame)) return;
  const row = rowOf(frame, threshold);
  for (let column = frame.columns - alertLabel.length - 2; column >= 0; column -= 1) {
    if (!field.isFree(row, column, column + alertLabel.length, 'warn')) continue;
    field.put(column, row, alertLabel, 'warn');
    return;
  }
}

function drawCrosshair(frame: Frame, field: Layer): void {
  const { crosshair } = frame.spec;
  if (crosshair === undefined) return;
  for (let row = 0; row < frame.rows; row += 1) {
    field.put(columnAt(frame, crosshair), row, strokes[frame.glyphs].cross, 'title');
  }
}

function drawCrossMarks(frame: Frame, field: Layer): void {
  const { crosshair } = frame.spec;
  if (crosshair === undefined) return;
  frame.series.forEach((series, index) => {
    const value = valueAt(series, crosshair);
    if (value !== undefined) putMark(frame, field, index, crosshair, value);
  });
}

function putMark(frame: Frame, field: Layer, index: number, time: number, value: number): void {
  const series = frame.series[index];
  if (!series) return;
  const { mark, role } = seriesLook(series, index, frame.glyphs);
  field.put(columnAt(frame, time), rowOf(frame, value), mark, role);
}

function drawLines(frame: Frame, field: Layer): void {
  const { columns, rows, dots, series } = frame;
  const dotted = canvas(columns, rows, dots, series.length);
  const looks = series.map((one, index) => seriesLook(one, index, frame.glyphs));
  series.forEach((one, index) => {
    for (const stretch of stretches(one)) {
      let before: readonly [number, number] | undefined;
      // Every point is drawn, also those that share a column: its line then rises from the least to the largest.
      for (const [time, value] of stretch) {
        const here = [dotAt(frame, time), dotOf(frame, value)] as const;
        const [fromX, fromY] = before ?? here;
        dotted.line(fromX, fromY, here[0], here[1], index, one.beside !== undefined);
        before = here;
      }
    }
  });
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const drawn = dotted.at(column, row);
      const look = drawn && looks[drawn.series];
      if (look) field.put(column, row, drawn.glyph ?? look.mark, look.role);
    }
  }
}

/** A mark on every line here and there and at its end, so that lines are told apart without colour. */
function drawMarks(frame: Frame, field: Layer): void {
  const distance = Math.max(12, Math.floor(frame.columns / 3));
  frame.series.forEach((series, index) => {
    const offset = Math.floor(((index + 0.5) * distance) / frame.series.length);
    for (const [time, value] of markedPoints(frame, series, offset, distance))
      putMark(frame, field, index, time, value);
  });
}

function markedPoints(frame: Frame, { points }: Prepared, offset: number, distance: number) {
  const real = points.filter(([, value]) => Number.isFinite(value));
  let next = offset;
  return real.filter(([time], index) => {
    const column = columnAt(frame, time);
    if (index < real.length - 1 && column < next) return false;
    next = column + distance;
    return true;
  });
}
