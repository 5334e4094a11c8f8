import { useMemo } from 'react';
import type { Placed } from '../../components/tableLayout.ts';
import { type CacheView, type Row, viewWith } from '../../resources/resource.ts';
import { isInProgress } from '../../store/events.ts';
import { idOf } from '../../store/records.ts';
import { type RowPen, rowLine, rowProgress } from './rowLines.ts';

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
  /** Changes under way on rows, by the rows' ids. */
  doing: ReadonlyMap<string, string>;
}

/** A row as it was drawn last, and what that depended on beside what all rows have in common. */
interface Drawn {
  text: string;
  of: readonly unknown[];
  /** Until when it tells the ages in it as they are, in ms since the epoch. */
  until: number;
}

/** Ages are left as they are for so many milliseconds while keys are pressed: those in seconds or minutes, and longer ones. */
const agesLast = { short: 5_000, long: 60_000 } as const;
const shortAge = /\d (s|min)\b/;

/** The lines of the visible rows by their ids; a row is written anew only when something of it has changed. */
export function useRowLines({ visible, placed, pen, operations, current, marked, doing }: ShownRows): readonly {
  id: string;
  text: string;
}[] {
  const { resource, theme, known, lazyAnswer } = pen;
  const events = useMemo(() => pen.events.filter(isInProgress), [pen.events]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what all rows have in common; where it changes, none is as it was
  const layouts = useMemo(() => new Map<string, WeakMap<Row, Drawn>>(), [resource, theme, known]);
  const drawn = drawnAs(layouts, placed);
  const { now } = known;
  const clock = clockOf(known);
  const own = { ...pen, events, known: clock.known };
  return visible.map((row) => {
    const id = idOf(resource, row);
    const at = { cursor: row === current, marked: marked.has(id), doing: doing.get(id) };
    const answers = operations.map((operation) => lazyAnswer?.(row, operation));
    const of = [at.cursor, at.marked, at.doing, rowProgress(row, own), ...answers];
    const last = drawn.get(row);
    if (last && now < last.until && last.of.every((one, index) => one === of[index])) return { id, text: last.text };
    clock.wasRead = false;
    const text = rowLine(row, placed, own, at);
    const until = clock.wasRead ? now + agesLast[shortAge.test(text) ? 'short' : 'long'] : Number.POSITIVE_INFINITY;
    drawn.set(row, { text, of, until });
    return { id, text };
  });
}

/** As many layouts as a list goes back and forth between: with something beside it and without. */
const mostLayouts = 3;

/** The rows that were drawn with their columns in these places. */
function drawnAs(layouts: Map<string, WeakMap<Row, Drawn>>, placed: readonly Placed[]): WeakMap<Row, Drawn> {
  const key = placed.map(({ index, width }) => `${index} ${width}`).join();
  const drawn = layouts.get(key) ?? new WeakMap<Row, Drawn>();
  layouts.delete(key);
  layouts.set(key, drawn);
  const [oldest] = layouts.keys();
  if (layouts.size > mostLayouts && oldest !== undefined) layouts.delete(oldest);
  return drawn;
}

/** Notes whether the time was looked at in the view. */
function clockOf(view: CacheView): { known: CacheView; wasRead: boolean } {
  const clock = {
    wasRead: false,
    known: viewWith(view, {
      get now() {
        clock.wasRead = true;
        return view.now;
      },
    }),
  };
  return clock;
}
