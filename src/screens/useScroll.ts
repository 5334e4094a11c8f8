import { useRef } from 'react';

/** The keys that move a cursor through a list. */
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

/** The first visible row after `last`, so that the cursor is in sight and the window moves as little as it can. */
export function scrollTop(last: number, count: number, cursor: number, height: number): number {
  const top = Math.max(Math.min(last, cursor), cursor - height + 1);
  return Math.max(0, Math.min(top, count - height));
}

/** The moves of a cursor that is an index; `set` is told where it goes. */
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
