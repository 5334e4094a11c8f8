import { isRow, type Row } from '../../resources/row.ts';
import { isSame } from '../rows.ts';
import { type HistoryEntry, isDone } from './history.ts';
import { own, pathText, undone, type ValueChange } from './valueChanges.ts';

/** A moment of a row: right before an entry of its history or right after it. */
export interface Moment {
  /** The id of the entry. */
  entry: string;
  side: 'before' | 'after';
}

/** A row at a moment, as far as it is known. */
export interface RowThen {
  row: Row;
  /** The paths of values that were changed meanwhile, and nothing tells by what. */
  unexplained: readonly string[];
}

/**
 * The row as it was at a moment, from the row as it is and all that is known to have changed since; undefined where the
 * history has no such entry.
 * @param entries the latest first
 */
export function rowAt(row: Row, entries: readonly HistoryEntry[], { entry, side }: Moment): RowThen | undefined {
  const place = entries.findIndex(({ id }) => id === entry);
  if (place < 0) return undefined;
  const since = entries.slice(0, side === 'before' ? place + 1 : place).filter(isDone);
  const changes = since.flatMap((one) => one.changes);
  const unexplained = new Set<string>();
  let then = row;
  for (const change of changes) {
    if (!isSame(valueAt(then, change), change.after)) unexplained.add(pathText(change));
    then = undone(then, [change]);
  }
  return { row: then, unexplained: [...unexplained] };
}

const valueAt = (row: Row, { path }: ValueChange): unknown =>
  path.reduce<unknown>((value, name) => (isRow(value) ? own(value, name) : undefined), row);
