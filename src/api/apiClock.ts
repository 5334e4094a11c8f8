import { durationText, minute, second, type Timestamp } from '../text/times.ts';

/** Two times of the API's clock between which a moment lies. */
export interface TimeSpan {
  from: Timestamp;
  to: Timestamp;
}

/** A `Date` header counts whole seconds, the fraction cut off (RFC 9110, 5.6.7). */
const dateStepMs = second;

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

/** Milliseconds that the clock of the API is ahead of this machine's, which tells `now`, in whole seconds; undefined where no answer has told it. */
export const clockDifference = (time: TimeSpan | undefined, now: Timestamp): number | undefined =>
  time && Math.round(((time.from + time.to) / 2 - now) / second) * second;

/** Tells of a clock that is more than a minute off, as ages and `in 3 min` mislead then; undefined of any other. @param ahead see `clockDifference` */
export const wrongClockText = (ahead = 0): string | undefined =>
  Math.abs(ahead) <= minute
    ? undefined
    : `is ${durationText(Math.abs(ahead) / second)} ${ahead < 0 ? 'ahead of' : 'behind'} the clock of the API; ages will be wrong. Set the clock.`;
