import { timerDelay } from '../../text/times.ts';

/** More rows take milliseconds to be looked through, so that is done every few seconds instead of at each answer. */
const manyRows = 2000;

/**
 * Batches updates, and leaves the notification that is being delivered.
 * @param rows the rows that an update looks through
 */
export function createUpdates(update: () => void, rows: () => number): { soon(): void; cancel(): void } {
  let cancel: (() => void) | undefined;
  return {
    soon() {
      if (cancel) return;
      if (rows() > manyRows) {
        const pause = setTimeout(update, timerDelay(rows() / 3)).unref();
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
}
