import type { Series } from '../../resources/compute/statistics.ts';

/** The times at which any of these series has a reading, ascending, each once; in milliseconds since the epoch. */
export const readingTimes = (series: readonly Series[], from: number, to: number): readonly number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(([time]) => time)))]
    .filter((time) => time >= from && time <= to)
    .sort((one, other) => one - other);

/**
 * Where a crosshair goes that is moved by so many readings; one that is not there yet comes in at the end it is moved from.
 * @param times at least one, ascending
 */
export function stepCrosshair(times: readonly number[], at: number | undefined, by: number): number | undefined {
  if (at === undefined) return by < 0 ? times.at(-1) : times[0];
  const next = times.findIndex((time) => time >= at);
  const index = next < 0 ? times.length - 1 : next;
  return times[Math.max(0, Math.min(times.length - 1, index + by))];
}

/** One press moves the crosshair by so many readings, so that it goes about one cell further. */
export const crosshairStride = (readings: number, columns: number): number =>
  Math.max(1, Math.round(readings / Math.max(1, columns)));
