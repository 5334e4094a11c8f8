import { dayMs } from '../../resources/compute/load.ts';

/** The cells of a day on the screen. */
interface MomentScale {
  /** The end of the day shown, in ms since the epoch. */
  until: number;
  /** The time of one cell, in milliseconds. */
  cellMs: number;
}

/** The cell of a time, which is the end of one; a time before the day is its first cell. */
export function cellAt(moment: number | undefined, { until, cellMs }: MomentScale): number | undefined {
  if (moment === undefined) return undefined;
  const cell = Math.ceil((moment - (until - dayMs)) / cellMs) - 1;
  return Math.max(0, Math.min(Math.round(dayMs / cellMs) - 1, cell));
}

/** The end of a cell. */
export const endOfCell = (cell: number, { until, cellMs }: MomentScale): number => until - dayMs + (cell + 1) * cellMs;

/** The time that is looked at after a step of one cell; from none, the end that it is moved from. */
export function stepMoment(moment: number | undefined, by: 1 | -1, scale: MomentScale): number {
  const last = Math.round(dayMs / scale.cellMs) - 1;
  const cell = cellAt(moment, scale);
  if (cell === undefined) return endOfCell(by < 0 ? last : 0, scale);
  return endOfCell(Math.max(0, Math.min(last, cell + by)), scale);
}
