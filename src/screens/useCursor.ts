import { useMemo, useRef } from 'react';

/** Where the cursor is now: on the item of its id; where that item has gone, at the place it had. */
export function useCursor<T>(items: readonly T[], wanted: string | undefined, idOf: (item: T) => string): number {
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what identifies an item stays the same
  const found = useMemo(
    () => (wanted === undefined ? -1 : items.findIndex((item) => idOf(item) === wanted)),
    [items, wanted],
  );
  last.current = found >= 0 ? found : Math.max(0, Math.min(last.current, items.length - 1));
  return last.current;
}
