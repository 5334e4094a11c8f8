/** Says which entries of a cache may go. */
export interface Eviction {
  /** Keeps an entry, used now, until the way back is taken; it is used once more then. */
  retain(key: string): () => void;
  /** The entries beyond the limit that nobody holds, the longest unused first; they are forgotten here. */
  evict(): readonly string[];
}

/** @param most how many entries there may be; more only while all of them are held */
export function createEviction(most: number): Eviction {
  /** Counts the holders of each entry; the longest unused first. */
  const holders = new Map<string, number>();

  function count(key: string, by: 1 | -1): void {
    const now = (holders.get(key) ?? 0) + by;
    holders.delete(key);
    holders.set(key, now);
  }

  return {
    retain: (key) => {
      count(key, 1);
      return () => count(key, -1);
    },
    evict: () => {
      const beyond = holders.size - most;
      if (beyond <= 0) return [];
      const free = [...holders].filter(([, held]) => held === 0).slice(0, beyond);
      for (const [key] of free) holders.delete(key);
      return free.map(([key]) => key);
    },
  };
}
