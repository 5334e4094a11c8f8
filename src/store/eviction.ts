/**
 * Evicts the least recently used entries of a cache that nobody retains.
 * @param maxEntries exceeded only while all entries are retained
 */
export function createEviction(maxEntries: number) {
  /** Counts the holders of each entry, the least recently used first. */
  const holders = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const now = (holders.get(key) ?? 0) + by;
    holders.delete(key);
    holders.set(key, now);
  }

  return {
    /** Keeps an entry; returns a function that releases it. Both count as uses. */
    retain: (key: string) => {
      count(key, 1);
      return () => count(key, -1);
    },
    /** Forgets the entries beyond the limit that nobody retains, the least recently used first; returns their keys. */
    evict: () => {
      const beyond = holders.size - maxEntries;
      if (beyond <= 0) return [];
      const free = [...holders].filter(([, held]) => held === 0).slice(0, beyond);
      for (const [key] of free) holders.delete(key);
      return free.map(([key]) => key);
    },
  };
}
