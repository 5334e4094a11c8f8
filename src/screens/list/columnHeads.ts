import { areChosen, columnGap } from '../../components/tableLayout.ts';
import { marksOf } from '../../components/theme.ts';
import type { Row } from '../../resources/resource.ts';
import { cell } from '../../text/cells.ts';
import { drawnIn, formatCell, type PlacedRowColumn, type RowContext } from './rowLines.ts';

/** Cells before the first column: the cursor and the mark. */
export const gutter = 3;

export const isSortedBy = ({ title }: { title: string }, sort: string | undefined) => sort?.replace(/^-/, '') === title;

/** The column titles, with an arrow at the sorted one, and the number of chosen columns that have no room. */
export function headerLine(
  placed: readonly PlacedRowColumn[],
  context: RowContext,
  sort: string | undefined,
  row: Row | undefined,
  width: number,
) {
  const { indent = 0 } = context;
  const { up, down } = marksOf(context.theme);
  const cells = placed.map(({ column, width }) => {
    const drawn = drawnIn(context.drawing, column)?.head?.(width);
    if (drawn !== undefined) return drawn;
    const align = row ? formatCell(row, column, context).align : 'left';
    const arrow = isSortedBy(column, sort) ? (sort?.startsWith('-') ? down : up) : '';
    return cell(`${column.title.toUpperCase()}${arrow}`, width, align);
  });
  const titles = `${' '.repeat(gutter + indent)}${cells.join(columnGap)}`;
  const taken = placed.reduce((sum, one) => sum + one.width + columnGap.length, gutter + indent - columnGap.length);
  const cutOff = areChosen(context.columns) ? context.columns.length - placed.length : 0;
  const sign = cutOff > 0 ? `+${cutOff}`.padStart(Math.max(0, width - taken)) : '';
  return context.theme.paint('dim', `${titles}${sign}`);
}

/** The column at a cell of a line, counted from 0, and the cell within it, which may be in the blank behind it. */
export function columnAt(
  { placed, indent }: { placed: readonly PlacedRowColumn[]; indent: number },
  cell: number,
): (PlacedRowColumn & { cell: number }) | undefined {
  let start = gutter + indent;
  for (const one of placed) {
    if (cell >= start && cell < start + one.width + columnGap.length) return { ...one, cell: cell - start };
    start += one.width + columnGap.length;
  }
  return undefined;
}
