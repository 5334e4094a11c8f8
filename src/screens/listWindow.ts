import { memoizeOne } from '../resources/memoize.ts';
import { type MoveHandlers, moveHandlers, scrollTop } from './useScroll.ts';

/**
 * Keeps the cursor on the item of its id, and visible; where that item is gone, at its last index.
 * `wanted` is the id under the cursor, `height` the number of lines.
 */
export function createListWindow<T>() {
  let [cursor, top] = [0, 0];
  const indexIn = memoizeOne((items: readonly T[], wanted: string | undefined, idOf: (item: T) => string) => {
    const isWanted = (item: T) => idOf(item) === wanted;
    if (wanted === undefined || items.slice(cursor, cursor + 1).some(isWanted)) return cursor;
    return items.findIndex(isWanted);
  });
  const slice = memoizeOne((items: readonly T[], from: number, to: number) => items.slice(from, to));
  return (items: readonly T[], wanted: string | undefined, idOf: (item: T) => string, height: number) => {
    const index = indexIn(items, wanted, idOf);
    cursor = Math.max(0, Math.min(index < 0 ? cursor : index, items.length - 1));
    top = scrollTop(top, items.length, cursor, height);
    return {
      cursor,
      current: items[cursor],
      top,
      visible: slice(items, top, top + height),
      /** The handlers that move the cursor; `choose` gets the item under it. */
      movesTo: (choose: (item: T) => void): MoveHandlers =>
        moveHandlers(cursor, items.length, height, (index) => {
          cursor = index;
          choose(items[index] as T);
        }),
    };
  };
}
