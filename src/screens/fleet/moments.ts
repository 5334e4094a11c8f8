import { bucketMs, dayMs, fineBuckets } from '../../resources/compute/load.ts';

/** The cells of a day on the screen. */
interface MomentScale {
  /** The end of the day shown, in ms since the epoch. */
  until: number;
  /** The time of one cell, in milliseconds. */
  cellMs: number;
  /** The time now, within the last cells: the day ends with the half hour that has begun. */
  now: number;
}

/** The cell of a time, which is the end of one; a time before the day is its first cell. */
export function cellAt(moment: number | undefined, scale: MomentScale): number | undefined {
  if (moment === undefined) return undefined;
  return Math.max(0, Math.min(lastCell(scale), cellOf(moment, scale)));
}

const cellOf = (time: number, { until, cellMs }: MomentScale): number =>
  Math.ceil((time - (until - dayMs)) / cellMs) - 1;

/** The newest cell of which a reading can be known; all can where the clock of the API is ahead of ours. */
const lastCell = (scale: MomentScale): number =>
  cellOf(scale.until - scale.now < bucketMs ? Math.min(scale.until, scale.now - readingMs) : scale.until, scale);

/** A reading is the mean of the five minutes before it, and read so often. */
const readingMs = dayMs / fineBuckets;

/** The end of a cell. */
export const endOfCell = (cell: number, { until, cellMs }: MomentScale): number => until - dayMs + (cell + 1) * cellMs;

/** The time that is looked at after a step of one cell; from none, the end that it is moved from. */
export function stepMoment(moment: number | undefined, by: 1 | -1, scale: MomentScale): number {
  const last = lastCell(scale);
  const cell = cellAt(moment, scale);
  if (cell === undefined) return endOfCell(by < 0 ? last : 0, scale);
  return endOfCell(Math.max(0, Math.min(last, cell + by)), scale);
}
