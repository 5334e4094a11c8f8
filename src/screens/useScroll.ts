import { useRef } from 'react';

/** The keys that move a cursor through a list. */
export interface Moves {
  up: () => void;
  down: () => void;
  pageUp: () => void;
  pageDown: () => void;
  first: () => void;
  last: () => void;
}

/** The index of the first visible row, so that the cursor is in sight and the window moves as little as it can. */
export function useScroll(count: number, cursor: number, height: number): number {
  const top = useRef(0);
  const lowest = Math.max(0, count - height);
  if (cursor < top.current) top.current = cursor;
  if (cursor >= top.current + height) top.current = cursor - height + 1;
  top.current = Math.max(0, Math.min(top.current, lowest));
  return top.current;
}

/** The moves of a cursor that is an index; `set` is told where it goes. */
export function movesOf(cursor: number, count: number, page: number, set: (index: number) => void): Moves {
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
