import type { Series } from '../../resources/compute/statistics.ts';

/** The times at which any of these series has a reading, ascending, each once; in milliseconds since the epoch. */
export const readingTimes = (series: readonly Series[], from: number, to: number): readonly number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(([time]) => time)))]
    .filter((time) => time >= from && time <= to)
    .sort((one, other) => one - other);

/**
 * The time of a crosshair moved by `by` readings; a hidden one appears at the end it is moved from.
 * @param times at least one, ascending
 */
export function stepCrosshair(times: readonly number[], at: number | undefined, by: number): number | undefined {
  if (at === undefined) return by < 0 ? times.at(-1) : times[0];
  const next = times.findIndex((time) => time >= at);
  const index = next < 0 ? times.length - 1 : next;
  return times[Math.max(0, Math.min(times.length - 1, index + by))];
}

/** The number of readings that one key press moves the crosshair, so that it moves about one cell. */
export const crosshairStride = (readings: number, columns: number): number =>
  Math.max(1, Math.round(readings / Math.max(1, columns)));
