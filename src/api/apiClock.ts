import type { Timestamp } from '../text/times.ts';

/** Two times of the API's clock between which a moment lies. */
export interface TimeSpan {
  from: Timestamp;
  to: Timestamp;
}

/** A `Date` header counts whole seconds, the fraction cut off (RFC 9110, 5.6.7). */
const dateStepMs = 1000;

/**
 * The clock of the API as its answers tell it. It is kept as the difference from this machine's monotonic clock, so that
 * a wall clock that is wrong, or set, changes nothing.
 */
export function createApiClock() {
  /** The differences that fit what was told so far, in milliseconds. */
  let ahead: { least: number; most: number } | undefined;
  return {
    /**
     * Notes the `Date` of an answer.
     * @param sentAt when its request was sent and it had come, by the monotonic clock in milliseconds
     */
    note(date: Timestamp, sentAt: number, cameAt: number): void {
      const [least, most] = [date - cameAt, date + dateStepMs - sentAt];
      const before = ahead ?? { least, most };
      const both = { least: Math.max(least, before.least), most: Math.min(most, before.most) };
      // One that does not fit was told by a clock that was set since, or after this machine slept.
      ahead = both.least <= both.most ? both : { least, most };
    },
    /** Between which times it is now; undefined where no answer has told it. */
    now(): TimeSpan | undefined {
      const own = performance.now();
      return ahead && { from: own + ahead.least, to: own + ahead.most };
    },
  };
}
