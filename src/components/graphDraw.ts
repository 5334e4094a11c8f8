import { day } from '../text/times.ts';
import { canvas } from './canvas.ts';
import { type GraphPoint, nearestValue, type PreparedSeries, segmentsOf } from './graphData.ts';
import { type GraphLayout, timeColumn, timeDot, valueDot, valueRow } from './graphLayout.ts';
import { seriesStyle } from './graphLegend.ts';
import { joinSpans, type Span } from './spans.ts';
import type { Role } from './theme.ts';

/** The least and the largest reading of some columns of cells, the last included. */
interface Range {
  from: number;
  to: number;
  low: number;
  high: number;
}

/** A series as it is drawn: stretches of a line without gaps, and the ranges around it. */
interface DrawnSeries {
  stretches: readonly (readonly GraphPoint[])[];
  ranges: readonly Range[];
}

/** From so many readings together, their mean is drawn as the line and their range as a band. */
const meanFrom = 3;
/** In longer windows a day is so narrow that each of its nights would be a notch: days are drawn as one. */
const daysFrom = 10 * day;

/** Whether a graph has one series, apart from what it is compared with: bands of several would cover each other. */
const isAlone = ({ series }: Pick<GraphLayout, 'series'>) =>
  series.filter(({ comparedWith }) => comparedWith === undefined).length === 1;

/** The readings that share a point of the line: those of a day, of a column of cells, or each has its own. */
function sharingOf({ window, columns, series }: GraphLayout, { interval }: PreparedSeries) {
  const span = window.to - window.from;
  if (span > daysFrom && day / interval >= meanFrom) return 'day';
  return isAlone({ series }) && span / columns / interval >= meanFrom ? 'column' : 'none';
}

/** Says what the line of a graph is where it is not the readings themselves; nothing where it is. */
export function meaning(frame: GraphLayout): string {
  const sharing = frame.series.map((one) => sharingOf(frame, one)).find((one) => one !== 'none');
  if (!sharing) return '';
  return `${sharing === 'day' ? 'daily ' : ''}mean${isAlone(frame) ? ' and range' : ''}`;
}

/**
 * Every reading on the line; where several share a point, their mean there, and around the line of a graph that has only
 * one a band from the least to the largest.
 */
export function drawnSeries(frame: GraphLayout, series: PreparedSeries): DrawnSeries {
  const stretches = segmentsOf(series);
  const sharing = sharingOf(frame, series);
  if (sharing === 'none') return { stretches, ranges: [] };
  const placeOf =
    sharing === 'day' ? (time: number) => Math.floor(time / day) : (time: number) => timeColumn(frame, time);
  const shared = stretches.map((stretch) => sharedPoints(frame, stretch, placeOf));
  return {
    stretches: shared.map((those) => those.map(({ mean }) => mean)),
    ranges: isAlone(frame) && series.comparedWith === undefined ? shared.flat() : [],
  };
}

/** The readings of a stretch by the place they share. */
function sharedPoints(
  frame: GraphLayout,
  stretch: readonly GraphPoint[],
  placeOf: (time: number) => number,
): readonly (Range & { mean: GraphPoint })[] {
  const found: (Range & { mean: GraphPoint; place: number; count: number })[] = [];
  for (const [time, value] of stretch) {
    const [place, column] = [placeOf(time), timeColumn(frame, time)];
    const last = found.at(-1);
    if (last?.place !== place) {
      found.push({ place, from: column, to: column, low: value, high: value, mean: [time, value], count: 1 });
      continue;
    }
    const count = last.count + 1;
    const [meanTime, mean] = last.mean;
    last.mean = [meanTime + (time - meanTime) / count, mean + (value - mean) / count];
    last.low = Math.min(last.low, value);
    last.high = Math.max(last.high, value);
    last.to = column;
    last.count = count;
  }
  return found;
}

const strokes = {
  unicode: { grid: '┈', dash: '╌', cross: '│', band: '░' },
  ascii: { grid: '.', dash: '-', cross: '|', band: ':' },
} as const;

/** Draws the field of a graph: grid, crosshair, threshold, lines and marks, the later over the earlier. */
export function drawField(frame: GraphLayout): CellGrid {
  const field = cellGrid(frame.columns, frame.rows);
  drawGrid(frame, field);
  drawCrosshair(frame, field);
  drawThreshold(frame, field);
  const drawn = frame.series.map((one) => drawnSeries(frame, one));
  drawBands(frame, field, drawn);
  drawLines(frame, field, drawn);
  labelThreshold(frame, field);
  if (frame.series.length > 1) drawMarks(frame, field, drawn);
  drawCrosshairMarks(frame, field, drawn);
  return field;
}

function drawGrid(frame: GraphLayout, field: CellGrid): void {
  const distance = frame.glyphs === 'ascii' ? 4 : 1;
  for (const tick of frame.scale.ticks.slice(1)) {
    for (let column = 0; column < frame.columns; column += distance)
      field.put(column, valueRow(frame, tick), strokes[frame.glyphs].grid, 'dim');
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
  for (let row = 0; row < frame.rows; row += 1)
    field.put(timeColumn(frame, crosshair), row, strokes[frame.glyphs].cross, 'title');
}

/** Marks the lines at the crosshair: the readings, or the means that stand for them. */
function drawCrosshairMarks(frame: GraphLayout, field: CellGrid, drawn: readonly DrawnSeries[]): void {
  const { crosshair } = frame.spec;
  if (crosshair === undefined) return;
  frame.series.forEach((series, index) => {
    const points = drawn[index]?.stretches.flat() ?? [];
    const interval = points.length === series.points.length ? series.interval : Number.POSITIVE_INFINITY;
    const value = nearestValue({ points, interval }, crosshair);
    if (value !== undefined) putMark(frame, field, index, crosshair, value);
  });
}

function putMark(frame: GraphLayout, field: CellGrid, index: number, time: number, value: number): void {
  const series = frame.series[index];
  if (!series) return;
  const { mark, role } = seriesStyle(series, index, frame.glyphs);
  field.put(timeColumn(frame, time), valueRow(frame, value), mark, role);
}

/** Every fourth dot, staggered from cell to cell, so that the line stands out without colour as well. */
const isDotted = (x: number, y: number) => x % 2 === 0 && (y + x / 2) % 2 === 0;

/** Draws the ranges of all series as one dim band with its edges. */
function drawBands(frame: GraphLayout, field: CellGrid, drawn: readonly DrawnSeries[]): void {
  const { columns, rows, dots, glyphs } = frame;
  const ranges = drawn.flatMap((one) => one.ranges);
  if (ranges.length === 0) return;
  const band = canvas(columns, rows, dots, 1);
  for (const { from, to, low, high } of ranges) {
    const [bottom, top] = [valueDot(frame, low), valueDot(frame, high)];
    for (let x = from * dots.across; x < (to + 1) * dots.across; x += 1) {
      for (let y = bottom; y <= top; y += 1) {
        if (isDotted(x, y) || y === bottom || y === top || dots.across === 1) band.column(x, y, y, 0);
      }
    }
  }
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const dotted = band.at(column, row);
      if (dotted) field.put(column, row, dotted.glyph ?? strokes[glyphs].band, 'dim');
    }
  }
}

function drawLines(frame: GraphLayout, field: CellGrid, drawn: readonly DrawnSeries[]): void {
  const { columns, rows, dots, series } = frame;
  const dotted = canvas(columns, rows, dots, series.length);
  const looks = series.map((one, index) => seriesStyle(one, index, frame.glyphs));
  series.forEach((one, index) => {
    for (const stretch of drawn[index]?.stretches ?? []) {
      let before: readonly [number, number] | undefined;
      // A few points of one column become a vertical line from the least to the largest value.
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
      const there = dotted.at(column, row);
      const look = there && looks[there.series];
      if (look) field.put(column, row, there.glyph ?? look.mark, look.role);
    }
  }
}

/** Puts marks on every line at regular distances and at its end, so that lines differ without colour. */
function drawMarks(frame: GraphLayout, field: CellGrid, drawn: readonly DrawnSeries[]): void {
  const distance = Math.max(12, Math.floor(frame.columns / 3));
  drawn.forEach((series, index) => {
    const offset = Math.floor(((index + 0.5) * distance) / drawn.length);
    for (const [time, value] of markedPoints(frame, series, offset, distance))
      putMark(frame, field, index, time, value);
  });
}

function markedPoints(frame: GraphLayout, { stretches }: DrawnSeries, offset: number, distance: number) {
  const real = stretches.flat();
  let next = offset;
  return real.filter(([time], index) => {
    const column = timeColumn(frame, time);
    if (index < real.length - 1 && column < next) return false;
    next = column + distance;
    return true;
  });
}

/** A grid of cells that are overwritten one by one and read line by line. */
type CellGrid = ReturnType<typeof cellGrid>;

/** Creates an empty grid of `columns` × `rows` cells. */
export function cellGrid(columns: number, rows: number) {
  const texts: string[] = Array.from({ length: columns * rows }, () => ' ');
  const roles: (Role | undefined)[] = Array.from({ length: columns * rows }, () => undefined);

  /** Writes a text from a cell to the right; characters outside of the grid are dropped. */
  function put(column: number, row: number, text: string, role: Role): void {
    if (row < 0 || row >= rows) return;
    [...text].forEach((character, offset) => {
      const at = column + offset;
      if (at < 0 || at >= columns) return;
      texts[row * columns + at] = character;
      roles[row * columns + at] = role;
    });
  }

  /** Whether all cells between two columns are empty or have this role. */
  const isFree = (row: number, from: number, to: number, role: Role): boolean =>
    roles.slice(row * columns + from, row * columns + to).every((own) => own === undefined || own === role);

  /** One line; neighbours of the same role share a span. */
  const spans = (row: number): readonly Span[] =>
    joinSpans(
      Array.from({ length: columns }, (_, column) => {
        const index = row * columns + column;
        return { text: texts[index] ?? ' ', role: roles[index] };
      }),
    );

  return { put, isFree, spans };
}
