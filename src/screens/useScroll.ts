import { useRef } from 'react';

/** The handlers of the keys that move a cursor. */
export interface MoveHandlers {
  up: () => void;
  down: () => void;
  pageUp: () => void;
  pageDown: () => void;
  first: () => void;
  last: () => void;
}

/** The index of the first visible row. */
export function useScroll(count: number, cursor: number, height: number): number {
  const top = useRef(0);
  top.current = scrollTop(top.current, count, cursor, height);
  return top.current;
}

/** The index of the first visible row: the cursor is visible, and the window moves as little as possible from `last`. */
export function scrollTop(last: number, count: number, cursor: number, height: number): number {
  const top = Math.max(Math.min(last, cursor), cursor - height + 1);
  return Math.max(0, Math.min(top, count - height));
}

/** The handlers that move the cursor `cursor`, an index below `count`; `set` gets its new index. */
export function moveHandlers(cursor: number, count: number, page: number, set: (index: number) => void): MoveHandlers {
  const to = (index: number) => count > 0 && set(Math.max(0, Math.min(index, count - 1)));
  return {
    up: () => to(cursor - 1),
    down: () => to(cursor + 1),
    pageUp: () => to(cursor - page),
    pageDown: () => to(cursor + page),
    first: () => to(0),
    last: () => to(count - 1),
  };
}
