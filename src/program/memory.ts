import { getHeapStatistics } from 'node:v8';

/** The share of the heap that the program may use; soon after it Node aborts without restoring the terminal. */
const maxShare = 0.95;
/** The part of the limit that V8 reserves for young objects: at most this, and no more than a quarter. */
const maxYoungBytes = 192 * 2 ** 20;

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Throws an Error with a sentence for the user when the memory that Node allows is nearly used up. Takes a microsecond. */
export function checkMemory(): void {
  const { used_heap_size: used, heap_size_limit: all } = getHeapStatistics();
  const limit = Math.max(all - maxYoungBytes, all * 0.75);
  if (used < limit * maxShare) return;
  throw new Error(
    `${mebibytes(used)} of ${mebibytes(limit)} MiB of memory are in use; NODE_OPTIONS=--max-old-space-size=${2 * mebibytes(limit)} allows more`,
  );
}
