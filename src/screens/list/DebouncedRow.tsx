import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Row } from '../../resources/resource.ts';

interface DebouncedRowProps {
  /** The row under the cursor. */
  row: Row;
  id: string;
  /** Draws a row; it names the row that it is about. */
  children: (row: Row) => ReactNode;
}

/** The cursor stands still for so many milliseconds before what is beside the list follows it. */
const debounceMs = 100;

/**
 * Shows the row on which the cursor rests. After one step it still shows the row before, until the cursor has rested;
 * while the steps go on it shows nothing, so that a held key redraws the list only and the terminal can scroll it.
 */
export function DebouncedRow({ row, id, children }: DebouncedRowProps) {
  const [shown, setShown] = useState({ row, id });
  const firstStep = useRef<string>(undefined);
  useEffect(() => {
    if (shown.id === id) return undefined;
    const timer = setTimeout(() => setShown({ row, id }), debounceMs);
    return () => clearTimeout(timer);
  }, [row, id, shown.id]);

  if (shown.id === id) {
    firstStep.current = undefined;
    return children(row);
  }
  firstStep.current ??= id;
  return firstStep.current === id ? children(shown.row) : null;
}
