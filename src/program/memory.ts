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
/** With a long list it takes 100 ms; so much is worth that beside work that never ends, as on a wall. */
const manyGivenBytes = 2 * minGivenBytes;
/** Beside such work it is collected once in so many looks at the soonest. */
const quietLooks = 3;

/**
 * Returns what is called when something was done: it gives memory back once the program rests, and beside work while nobody
 * types. By itself V8 keeps the room that the busiest moment took.
 * @param typed the bytes that were typed so far
 * @param collect collects all garbage
 */
export function giveBackAtRest(
  typed: () => number,
  collect: () => Promise<void> = collectGarbage,
  heap: () => Pick<HeapInfo, 'total_physical_size' | 'used_heap_size'> = getHeapStatistics,
): () => void {
  let collectedTo = 0;
  /** The looks since the last collection, and those since somebody has typed. */
  let [since, quiet] = [0, 0];
  let looking: NodeJS.Timeout | undefined;
  const look = (before: number, bytes: number, calm = 0) => {
    looking = setTimeout(async () => {
      const { total_physical_size: room, used_heap_size: used } = heap();
      const looks = Math.abs(used - before) < maxMadeBytes ? calm + 1 : 0;
      since++;
      quiet = typed() === bytes ? quiet + 1 : 0;
      const isAtRest = looks >= (collectedTo === 0 ? calmLooks : laterCalmLooks);
      const isQuiet = quiet >= 2 * calmLooks && since >= quietLooks;
      const given = room - collectedTo;
      if (given >= minGivenBytes && (isAtRest || (isQuiet && given >= manyGivenBytes))) {
        since = 0;
        await collect().catch(() => {});
        collectedTo = heap().total_physical_size;
      } else if (!isAtRest) return look(used, typed(), looks);
      looking = undefined;
    }, lookMs).unref();
  };
  return () => {
    if (!looking) look(heap().used_heap_size, typed());
  };
}

/** No other way needs an option of V8, under which Node would compile its own modules at each start. No port is opened. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect());
}
