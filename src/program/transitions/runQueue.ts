import { minute, second, type Timestamp, timerDelay } from '../../text/times.ts';

/** Begins at most some runs in a minute, and has fewer at once; the others wait. */
export interface RunQueue {
  /** Begins it when there is room; too many in the last minute are left out. */
  add(run: () => Promise<void>): void;
  /** Forgets what waits or is to be told. */
  stop(): void;
}

const maxAtOnce = 4;

/** So many runs begin in a minute. */
export const maxPerMinute = 30;

/** @param onLeftOut told how many runs were left out, once for those of a minute */
export function createRunQueue(now: () => Timestamp, onLeftOut: (count: number) => void): RunQueue {
  let begun: readonly Timestamp[] = [];
  let waiting: readonly (() => Promise<void>)[] = [];
  let running = 0;
  let leftOut = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function next(): void {
    const [first, ...rest] = waiting;
    if (!first || running >= maxAtOnce) return;
    waiting = rest;
    running++;
    void first().finally(() => {
      running--;
      next();
    });
  }

  function tell(): void {
    timer = undefined;
    toldAt = now();
    onLeftOut(leftOut);
    leftOut = 0;
  }

  return {
    add: (run) => {
      begun = begun.filter((at) => now() - at < minute);
      if (begun.length >= maxPerMinute) {
        leftOut++;
        // They come together.
        timer ??= setTimeout(tell, timerDelay(Math.max(second, toldAt + minute - now()))).unref();
        return;
      }
      begun = [...begun, now()];
      waiting = [...waiting, run];
      next();
    },
    stop: () => {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
