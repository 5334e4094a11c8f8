import { memoizeOne } from '../resources/memoize.ts';
import { type MoveHandlers, moveHandlers, scrollTop } from './useScroll.ts';

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
  return (items: readonly T[], wanted: string | undefined, idOf: (item: T) => string, height: number) => {
    const place = placeIn(items, wanted, idOf);
    cursor = Math.max(0, Math.min(place < 0 ? cursor : place, items.length - 1));
    top = scrollTop(top, items.length, cursor, height);
    return {
      cursor,
      current: items[cursor],
      top,
      visible: part(items, top, top + height),
      /** The keys that move the cursor; `choose` is told where it goes. */
      movesTo: (choose: (item: T) => void): MoveHandlers =>
        moveHandlers(cursor, items.length, height, (index) => {
          cursor = index;
          choose(items[index] as T);
        }),
    };
  };
}
