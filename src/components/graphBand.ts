import { day } from '../text/times.ts';
import { type GraphPoint, type PreparedSeries, segmentsOf } from './graphData.ts';
import { type GraphLayout, timeColumn } from './graphLayout.ts';

/** The least and the largest reading of some columns of cells, the last included. */
export interface Range {
  from: number;
  to: number;
  low: number;
  high: number;
}

/** A series as it is drawn: stretches of a line without gaps, and the ranges around it. */
export interface DrawnSeries {
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
