import { canvas } from './canvas.ts';
import { type CellGrid, cellGrid } from './cellGrid.ts';
import { nearestValue, type PreparedSeries, segmentsOf } from './graphData.ts';
import { type GraphLayout, timeColumn, timeDot, valueDot, valueRow } from './graphLayout.ts';
import { seriesStyle } from './graphLegend.ts';

const strokes = {
  unicode: { grid: '┈', dash: '╌', cross: '│' },
  ascii: { grid: '.', dash: '-', cross: '|' },
} as const;

/** Draws the field of a graph: grid, crosshair, threshold, lines and marks, the later over the earlier. */
export function drawField(frame: GraphLayout): CellGrid {
  const field = cellGrid(frame.columns, frame.rows);
  drawGrid(frame, field);
  drawCrosshair(frame, field);
  drawThreshold(frame, field);
  drawLines(frame, field);
  labelThreshold(frame, field);
  if (frame.series.length > 1) drawMarks(frame, field);
  drawCrosshairMarks(frame, field);
  return field;
}

function drawGrid(frame: GraphLayout, field: CellGrid): void {
  const distance = frame.glyphs === 'ascii' ? 4 : 1;
  for (const tick of frame.scale.ticks.slice(1)) {
    for (let column = 0; column < frame.columns; column += distance) {
      field.put(column, valueRow(frame, tick), strokes[frame.glyphs].grid, 'dim');
    }
  }
}

/** Whether the threshold lies within the scale. */
export const showsThreshold = ({ spec, scale }: GraphLayout): boolean =>
  spec.threshold !== undefined && spec.threshold <= scale.high && spec.threshold > scale.low;

function drawThreshold(frame: GraphLayout, field: CellGrid): void {
  const { threshold } = frame.spec;
  if (threshold === undefined || !showsThreshold(frame)) return;
  field.put(0, valueRow(frame, threshold), strokes[frame.glyphs].dash.repeat(frame.columns), 'warn');
}

const alertLabel = ' alert ';

/** Labels the threshold where its line is free, as far to the right as possible. */
function labelThreshold(frame: GraphLayout, field: CellGrid): void {
  const { threshold } = frame.spec;
  if (threshold === undefined || !showsThreshold(frame)) return;
  const row = valueRow(frame, threshold);
  for (let column = frame.columns - alertLabel.length - 2; column >= 0; column -= 1) {
    if (!field.isFree(row, column, column + alertLabel.length, 'warn')) continue;
    field.put(column, row, alertLabel, 'warn');
    return;
  }
}

function drawCrosshair(frame: GraphLayout, field: CellGrid): void {
  const { crosshair } = frame.spec;
  if (crosshair === undefined) return;
  for (let row = 0; row < frame.rows; row += 1) {
    field.put(timeColumn(frame, crosshair), row, strokes[frame.glyphs].cross, 'title');
  }
}

function drawCrosshairMarks(frame: GraphLayout, field: CellGrid): void {
  const { crosshair } = frame.spec;
  if (crosshair === undefined) return;
  frame.series.forEach((series, index) => {
    const value = nearestValue(series, crosshair);
    if (value !== undefined) putMark(frame, field, index, crosshair, value);
  });
}

function putMark(frame: GraphLayout, field: CellGrid, index: number, time: number, value: number): void {
  const series = frame.series[index];
  if (!series) return;
  const { mark, role } = seriesStyle(series, index, frame.glyphs);
  field.put(timeColumn(frame, time), valueRow(frame, value), mark, role);
}

function drawLines(frame: GraphLayout, field: CellGrid): void {
  const { columns, rows, dots, series } = frame;
  const dotted = canvas(columns, rows, dots, series.length);
  const looks = series.map((one, index) => seriesStyle(one, index, frame.glyphs));
  series.forEach((one, index) => {
    for (const stretch of segmentsOf(one)) {
      let before: readonly [number, number] | undefined;
      // Several points of one column become a vertical line from the least to the largest value.
      for (const [time, value] of stretch) {
        const here = [timeDot(frame, time), valueDot(frame, value)] as const;
        const [fromX, fromY] = before ?? here;
        dotted.line(fromX, fromY, here[0], here[1], index, one.comparedWith !== undefined);
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

/** Puts marks on every line at regular distances and at its end, so that lines differ without colour. */
function drawMarks(frame: GraphLayout, field: CellGrid): void {
  const distance = Math.max(12, Math.floor(frame.columns / 3));
  frame.series.forEach((series, index) => {
    const offset = Math.floor(((index + 0.5) * distance) / frame.series.length);
    for (const [time, value] of markedPoints(frame, series, offset, distance))
      putMark(frame, field, index, time, value);
  });
}

function markedPoints(frame: GraphLayout, { points }: PreparedSeries, offset: number, distance: number) {
  const real = points.filter(([, value]) => Number.isFinite(value));
  let next = offset;
  return real.filter(([time], index) => {
    const column = timeColumn(frame, time);
    if (index < real.length - 1 && column < next) return false;
    next = column + distance;
    return true;
  });
}
