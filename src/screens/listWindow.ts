import { memoizeOne } from '../resources/remembered.ts';
import { type Moves, movesOf, topOf } from './useScroll.ts';

/** The part of a list that is in sight. */
export interface ListWindow<T> {
  /** The item under the cursor, and its index. */
  current: T | undefined;
  cursor: number;
  /** The visible items, and the index of the first. */
  visible: readonly T[];
  top: number;
  /** The keys that move the cursor; `choose` is told where it goes. */
  movesTo(choose: (item: T) => void): Moves;
}

/**
 * Keeps the cursor on the item of its id, and in sight; where that item has gone, at the place it had.
 * `wanted` is the id under the cursor, `height` the number of lines.
 */
export function createListWindow<T>() {
  let [cursor, top] = [0, 0];
  const placeIn = memoizeOne((items: readonly T[], wanted: string | undefined, idOf: (item: T) => string) => {
    const isWanted = (item: T) => idOf(item) === wanted;
    if (wanted === undefined || items.slice(cursor, cursor + 1).some(isWanted)) return cursor;
    return items.findIndex(isWanted);
  });
  const part = memoizeOne((items: readonly T[], from: number, to: number) => items.slice(from, to));
  return (
    items: readonly T[],
    wanted: string | undefined,
    idOf: (item: T) => string,
    height: number,
  ): ListWindow<T> => {
    const place = placeIn(items, wanted, idOf);
    cursor = Math.max(0, Math.min(place < 0 ? cursor : place, items.length - 1));
    top = topOf(top, items.length, cursor, height);
    return {
      current: items[cursor],
      cursor,
      visible: part(items, top, top + height),
      top,
      movesTo: (choose) =>
        movesOf(cursor, items.length, height, (index) => {
          cursor = index;
          choose(items[index] as T);
        }),
    };
  };
}
