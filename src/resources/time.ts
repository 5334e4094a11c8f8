/** The time of an API timestamp, which has no zone and is UTC, in ms since the epoch; NaN when it is none. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
}

const longestTimer = 2 ** 31 - 1;

/**
 * Bounds a wait in milliseconds to what a timer takes: Node warns of a negative one, and one that is too long, or no
 * number, would be over at once.
 */
export const timerDelay = (wait: number): number =>
  Number.isNaN(wait) ? longestTimer : Math.min(longestTimer, Math.max(0, wait));
