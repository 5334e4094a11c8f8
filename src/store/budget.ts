import type { Pace } from './paces.ts';

/** Counts the requests about single rows, of which the API allows 100 a minute in all. */
export interface Budget {
  /** When so many more requests of a pace may have begun, in ms since the epoch; at once where nothing stands against it. */
  freeAt(pace: Pace, count?: number): number;
  /** Whether so many are in flight that none of this pace may begin. */
  isFull(pace: Pace): boolean;
  /** Counts a request that begins. Returns what is to be called at its end, with the pause that the API asks for, in ms. */
  begin(pace: Pace): (retryAfterMs?: number) => void;
}

const minute = 60_000;
const maxPerMinute = 90;

export function createBudget(now: () => number): Budget {
  let begun: { at: number; pace: Pace }[] = [];
  let inFlight = 0;
  /** The API has asked to wait until then. */
  let pausedUntil = 0;

  /** When so many more requests fit into a limit; those beyond it wait until a minute after others began. */
  function fitAt(spent: readonly { at: number }[], perMinute: number, count: number): number {
    const beyond = spent.length + count - perMinute - 1;
    if (beyond < 0) return 0;
    const minutes = Math.floor(beyond / perMinute) + 1;
    return (spent[beyond % perMinute]?.at ?? now()) + minutes * minute;
  }

  return {
    freeAt: (pace, count = 1) => {
      if (pace.perMinute === undefined) return 0;
      begun = begun.filter(({ at }) => now() - at < minute);
      const own = begun.filter((one) => one.pace === pace);
      return Math.max(pausedUntil, fitAt(begun, maxPerMinute, count), fitAt(own, pace.perMinute, count));
    },
    isFull: ({ maxInflight }) => maxInflight !== undefined && inFlight >= maxInflight,
    begin: (pace) => {
      const weight = pace.maxInflight === undefined ? 0 : 1;
      inFlight += weight;
      if (pace.perMinute !== undefined) begun.push({ at: now(), pace });
      return (retryAfterMs = 0) => {
        inFlight -= weight;
        if (pace.perMinute !== undefined) pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
      };
    },
  };
}
