import { second, timerDelay } from '../../text/times.ts';

/** More rows take milliseconds to be looked through, so that is done every few seconds instead of at each answer. */
const manyRows = 2000;
const maxPauseMs = 5 * second;

interface Updates {
  /**
   * Updates soon: after the notification that is being delivered, or after a pause where there are many rows.
   * @param rows the rows that the update looks through; where they are not given, it does not wait for a pause
   */
  soon(rows?: number): void;
  cancel(): void;
}

/** Batches updates. */
export function createUpdates(update: () => void): Updates {
  let cancel: (() => void) | undefined;
  const updates: Updates = {
    soon(rows) {
      if (rows === undefined) updates.cancel();
      else if (cancel) return;
      if (rows !== undefined && rows > manyRows) {
        const pause = setTimeout(update, timerDelay(Math.min(maxPauseMs, rows / 3))).unref();
        cancel = () => clearTimeout(pause);
      } else {
        const soon = setImmediate(update);
        cancel = () => clearImmediate(soon);
      }
    },
    cancel() {
      cancel?.();
      cancel = undefined;
    },
  };
  return updates;
}
