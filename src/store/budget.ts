import { minute, type Timestamp } from '../text/times.ts';
import type { Pace } from './paces.ts';

/** Counts the requests about single rows, of which the API allows 100 a minute in all. */
export interface Budget {
  /** When `count` more requests of a pace may have begun; in the past where they may begin now. */
  freeAt(pace: Pace, count?: number): Timestamp;
  /** Whether the maximum in flight is reached: one while a list is read, whose pages go first. */
  isFull(pace: Pace): boolean;
  /** Counts a request that begins; returns a function to call at its end, with the `Retry-After` of the API, in ms. */
  begin(pace: Pace): (retryAfterMs?: number) => void;
}

const maxPerMinute = 90;

export function createBudget(now: () => Timestamp): Budget {
  let begun: { at: number; pace: Pace }[] = [];
  let inFlight = 0;
  /** The requests in flight that have no maximum: lists, and what a screen is about. */
  let unlimited = 0;
  /** The end of the last `Retry-After`. */
  let pausedUntil = 0;

  /** When `count` more requests fit into a limit; each waits until a minute after an earlier one began. */
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
    isFull: ({ maxInflight }) => maxInflight !== undefined && inFlight >= (unlimited > 0 ? 1 : maxInflight),
    begin: (pace) => {
      const weight = pace.maxInflight === undefined ? 0 : 1;
      inFlight += weight;
      unlimited += 1 - weight;
      if (pace.perMinute !== undefined) begun.push({ at: now(), pace });
      return (retryAfterMs = 0) => {
        inFlight -= weight;
        unlimited -= 1 - weight;
        if (pace.perMinute !== undefined) pausedUntil = Math.max(pausedUntil, now() + retryAfterMs);
      };
    },
  };
}
