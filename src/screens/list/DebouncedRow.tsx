import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Row } from '../../resources/resource.ts';

interface DebouncedRowProps {
  /** The row under the cursor. */
  row: Row;
  id: string;
  /** Draws a row. */
  children: (row: Row) => ReactNode;
}

/** The pane beside the list follows the cursor after this pause. */
const debounceMs = 100;

/**
 * Shows the row under the cursor once the cursor pauses. After one step it still shows the previous row; during further
 * steps it shows nothing, so that a held key redraws only the list and the terminal can scroll it.
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
