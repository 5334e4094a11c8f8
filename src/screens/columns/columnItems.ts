import type { Column } from '../../resources/resource.ts';
import { titled } from '../../store/filter/fields.ts';
import { type ChosenColumn, columnCalled, type ShownColumn } from '../../store/views/columns.ts';

/** A column in the chooser. */
export interface ColumnItem extends ChosenColumn {
  /** Its title on the screen. */
  shownAs: string;
  isOn: boolean;
  /** One request about each row fills it. */
  isRequested: boolean;
}

/** The columns in the order of the list: those that are chosen, or else shown, are on. */
export function columnItems(
  columns: readonly Column[],
  chosen: readonly ChosenColumn[] | undefined,
  shown: readonly ShownColumn[],
): readonly ColumnItem[] {
  const itemOf = (column: Column, isOn: boolean): ColumnItem => ({
    value: titled(column),
    shownAs: column.title,
    isOn,
    isRequested: column.asks !== undefined,
  });
  if (!chosen)
    return columns.map((column) =>
      itemOf(
        column,
        shown.some(({ title }) => title === column.title),
      ),
    );
  const own = chosen.map((one): ColumnItem => {
    const column = columnCalled(columns, one.value);
    const known = column && itemOf(column, true);
    return { isRequested: false, ...known, isOn: true, ...one, shownAs: one.title ?? column?.title ?? one.value };
  });
  const isChosen = (column: Column) => chosen.some(({ value }) => columnCalled(columns, value) === column);
  return [...own, ...columns.filter((column) => !isChosen(column)).map((column) => itemOf(column, false))];
}

/** The columns that are on, as they are kept. */
export const chosenOf = (items: readonly ColumnItem[]): readonly ChosenColumn[] =>
  items
    .filter(({ isOn }) => isOn)
    .map(({ value, title, width }) => ({ value, ...(title !== undefined && { title }), ...(width && { width }) }));

/** The items with one of them at another place. */
export function moved(items: readonly ColumnItem[], from: number, to: number): readonly ColumnItem[] {
  const item = items[from];
  return item ? items.toSpliced(from, 1).toSpliced(to, 0, item) : items;
}

/** The widest that a column can be made, in cells. */
const maxWidth = 200;

/** A width that is one cell more or less. */
export const widthAfter = (width: number, by: 1 | -1): number => Math.max(1, Math.min(maxWidth, width + by));
