import { type ReactNode, useEffect, useReducer, useRef } from 'react';
import type { Row } from '../../resources/resource.ts';

interface DebouncedRowProps {
  /** The row under the cursor. */
  row: Row;
  id: string;
  /** The index of the first row of the list on the screen. */
  top: number;
  /** Draws a row. */
  children: (row: Row) => ReactNode;
}

/** The pane beside the list follows the cursor after this pause. */
const debounceMs = 100;

/**
 * Shows the row under the cursor once the cursor pauses. After one step it still shows the previous row, or the new one
 * where the list scrolls: the terminal scrolls the pane with it, so that all of it is sent anyway. During further steps
 * it shows nothing, so that a held key redraws only the list and the terminal can scroll it.
 */
export function DebouncedRow({ row, id, top, children }: DebouncedRowProps) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const newest = useRef({ row, id });
  newest.current = { row, id };
  const shown = useRef(newest.current);
  /** The first row of the list since the cursor rests; undefined while it does not. */
  const restingTop = useRef<number>(undefined);
  const firstStep = useRef<string>(undefined);
  useEffect(() => {
    restingTop.current = undefined;
    const timer = setTimeout(() => {
      restingTop.current = top;
      if (shown.current.id === id) return;
      shown.current = newest.current;
      drawAgain();
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [id, top]);

  if (shown.current.id !== id && restingTop.current !== undefined) {
    firstStep.current = id;
    if (restingTop.current !== top) shown.current = newest.current;
  }
  if (shown.current.id === id) return children(row);
  return firstStep.current === id ? children(shown.current.row) : null;
}
