/** The handlers of the keys that move a cursor; each answers why it did not move. */
export type MoveHandlers = ReturnType<typeof moveHandlers>;

/** The index of the first visible row: the cursor is visible, and the window moves as little as possible from `last`. */
export function scrollTop(last: number, count: number, cursor: number, height: number): number {
  const top = Math.max(Math.min(last, cursor), cursor - height + 1);
  return Math.max(0, Math.min(top, count - height));
}

/** The handlers that move the cursor `cursor`, an index below `count`; `set` gets its new index. */
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
