import { useMemo, useRef } from 'react';

/** Where the cursor is now: on the item of its id; where that item has gone, at the place it had. */
export function useCursor<T>(items: readonly T[], wanted: string | undefined, idOf: (item: T) => string): number {
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what identifies an item stays the same
  const found = useMemo(
    () => (wanted === undefined ? -1 : placeOf(items, wanted, idOf, last.current)),
    [items, wanted],
  );
  last.current = found >= 0 ? found : Math.max(0, Math.min(last.current, items.length - 1));
  return last.current;
}

/** Where the item of an id is, -1 where it is not: as a rule near the place that it had. */
function placeOf<T>(items: readonly T[], id: string, idOf: (item: T) => string, near: number): number {
  const isThere = (place: number) => place >= 0 && place < items.length && idOf(items[place] as T) === id;
  for (let away = 0; away <= items.length; away++) {
    if (isThere(near + away)) return near + away;
    if (isThere(near - away)) return near - away;
  }
  return -1;
}
