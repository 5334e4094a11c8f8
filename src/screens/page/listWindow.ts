import { memoizeOne } from '../../resources/memoize.ts';

/**
 * Keeps the cursor on the item of its id, and visible; where that item is gone, at its last index.
 * `wanted` is the id under the cursor, `height` the number of lines, `free` that of those that nothing covers. With `isHeld` the item that is shown under a cursor
 * without an item of its own keeps it, as long as `order`, which names the choice and order of the items, is the same.
 */
export function createListWindow<T>() {
  let [cursor, top] = [0, 0];
  let shown: { order: string; id: string | undefined } | undefined;
  const indexIn = memoizeOne((items: readonly T[], wanted: string, idOf: (item: T) => string) => {
    const isWanted = (item: T) => idOf(item) === wanted;
    if (items.slice(cursor, cursor + 1).some(isWanted)) return cursor;
    return items.findIndex(isWanted);
  });
  const slice = memoizeOne((items: readonly T[], from: number, to: number) => items.slice(from, to));
  return (
    items: readonly T[],
    wanted: string | undefined,
    idOf: (item: T) => string,
    height: number,
    isHeld = false,
    order = '',
    free = height,
  ) => {
    const isAnew = shown?.order !== order;
    if (isAnew && wanted === undefined) cursor = 0;
    let index = wanted === undefined ? cursor : indexIn(items, wanted, idOf);
    const held = isHeld && !isAnew ? shown?.id : undefined;
    if (held !== undefined && (wanted === undefined || index < 0)) index = indexIn(items, held, idOf);
    cursor = Math.max(0, Math.min(index < 0 ? cursor : index, items.length - 1));
    const current = items[cursor];
    shown = { order, id: current && idOf(current) };
    top = scrollTop(top, items.length, cursor, free);
    return {
      cursor,
      current,
      top,
      visible: slice(items, top, top + height),
      /** The handlers that move the cursor; `choose` gets the item under it. */
      movesTo: (choose: (item: T) => void) =>
        moveHandlers(cursor, items.length, height, (index) => {
          cursor = index;
          choose(items[index] as T);
        }),
    };
  };
}

/** The index of the first visible row: the cursor is visible, and the window moves as little as possible from `last`. */
export const scrollTop = (last: number, count: number, cursor: number, height: number): number =>
  Math.max(0, Math.min(Math.max(Math.min(last, cursor), cursor - height + 1), count - height));

/** The handlers that move the cursor `cursor`, an index below `count`; `set` gets its new index. Each answers why it did not move. */
export function moveHandlers(cursor: number, count: number, page: number, set: (index: number) => void) {
  const to = (index: number, end: string) => {
    if (count === 0) return 'There is nothing to move to.';
    const next = Math.max(0, Math.min(index, count - 1));
    set(next);
    return next === cursor ? end : undefined;
  };
  const [above, below] = ['Nothing is above.', 'Nothing is below.'];
  return {
    up: () => to(cursor - 1, above),
    down: () => to(cursor + 1, below),
    pageUp: () => to(cursor - page, above),
    pageDown: () => to(cursor + page, below),
    first: () => to(0, above),
    last: () => to(count - 1, below),
  };
}
