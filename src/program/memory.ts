import { getHeapStatistics, type HeapInfo } from 'node:v8';

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

const lookMs = 2000;
/** After so many calm looks the program rests: keys pressed soon after a collection cost a quarter more. */
const calmLooks = 5;
/** And so many after a collection: work that never ends, such as reading a long list anew, takes the room again at once. */
const laterCalmLooks = 30;
/** While nobody presses keys and no long list comes, less is made between two looks. */
const maxMadeBytes = 4 * 2 ** 20;
/** A collection takes 30 ms, for which so much is worth it. */
const minGivenBytes = 12 * 2 ** 20;

/**
 * Returns what is called when something was done: it gives memory back once the program rests. By itself V8 keeps the room
 * that the busiest moment took.
 * @param collect collects all garbage
 */
export function giveBackAtRest(
  collect: () => Promise<void> = collectGarbage,
  heap: () => Pick<HeapInfo, 'total_physical_size' | 'used_heap_size'> = getHeapStatistics,
): () => void {
  let collectedTo = 0;
  let looking: NodeJS.Timeout | undefined;
  const look = (before: number, calm = 0) => {
    looking = setTimeout(async () => {
      const { total_physical_size: room, used_heap_size: used } = heap();
      const looks = Math.abs(used - before) < maxMadeBytes ? calm + 1 : 0;
      if (looks < (collectedTo === 0 ? calmLooks : laterCalmLooks)) return look(used, looks);
      if (room >= collectedTo + minGivenBytes) {
        await collect().catch(() => {});
        collectedTo = heap().total_physical_size;
      }
      looking = undefined;
    }, lookMs).unref();
  };
  return () => {
    if (!looking) look(heap().used_heap_size);
  };
}

/** No other way needs an option of V8, under which Node would compile its own modules at each start. No port is opened. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect());
}
