import { useMemo } from 'react';
import type { Placed } from '../../components/tableLayout.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/records.ts';
import { type RowPen, rowLine } from './rowLines.ts';

export interface ShownRows {
  visible: readonly Row[];
  placed: readonly Placed[];
  pen: RowPen;
  /** The further operations that the columns shown need. */
  operations: readonly string[];
  /** The row under the cursor. */
  current: Row | undefined;
  /** The ids of the marked rows. */
  marked: ReadonlySet<string>;
}

/** A row as it was drawn last, and what that depended on beside what all rows have in common. */
interface Drawn {
  text: string;
  of: readonly unknown[];
}

/** The ages in a list are brought up to date no more often than this while keys are pressed, in milliseconds. */
const agesLast = 5_000;

/** The lines of the visible rows by their ids; a row is written anew only when something of it has changed. */
export function useRowLines({ visible, placed, pen, operations, current, marked }: ShownRows): readonly {
  id: string;
  text: string;
}[] {
  const { resource, theme, known, events, lazyAnswer } = pen;
  const age = Math.floor(known.now / agesLast);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what all rows have in common; where it changes, none is as it was
  const drawn = useMemo(() => new WeakMap<Row, Drawn>(), [placed, resource, theme, known, events, age]);
  return visible.map((row) => {
    const id = idOf(resource, row);
    const at = { cursor: row === current, marked: marked.has(id) };
    const of = [at.cursor, at.marked, ...operations.map((operation) => lazyAnswer?.(row, operation))];
    const last = drawn.get(row);
    if (last?.of.every((one, index) => one === of[index])) return { id, text: last.text };
    const text = rowLine(row, placed, pen, at);
    drawn.set(row, { text, of });
    return { id, text };
  });
}
