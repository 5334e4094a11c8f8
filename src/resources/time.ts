/** The time of an API timestamp, which has no zone and is UTC, in ms since the epoch; NaN when it is none. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
}
