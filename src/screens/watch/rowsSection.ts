import type { Resource, Row } from '../../resources/resource.ts';
import { paramsOf } from '../../store/records.ts';
import { cell } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import type { HomeData } from '../home/tile.ts';
import { headLine, layoutOf, measured, operationsOf, type RowPen, rowLine } from '../list/rowLines.ts';
import type { BoardPen, Shown } from './board.ts';

/** The rows of a resource under the titles of their columns, as many as fit, and how many more there are. */
export function rowsSection(
  resource: Resource,
  rows: readonly Row[],
  { view }: HomeData,
  { theme, width, height }: BoardPen,
): Shown {
  const pen: RowPen = {
    resource,
    columns: resource.columns,
    theme,
    known: view,
    events: view.events as RowPen['events'],
    lazyAnswer: (row, operation) => view.answer(resource.name, operation, paramsOf(resource, row)) as Row | undefined,
  };
  const room = Math.max(0, height - 1);
  const visible = rows.slice(0, rows.length > room ? Math.max(0, room - 1) : room);
  const hidden = rows.length - visible.length;
  const placed = layoutOf(measured(rows, pen), width, undefined);
  const lines = [
    headLine(placed, pen, undefined, rows[0]),
    ...visible.map((row) => rowLine(row, placed, pen, { cursor: false, marked: false })),
    ...(hidden > 0 ? [theme.paint('accent', cell(`   ${grouped(hidden)} more`, width))] : []),
  ];
  const questions = operationsOf(resource.columns, placed).flatMap((operation) =>
    visible.map((row) => ({ resource: resource.name, operation, params: paramsOf(resource, row) })),
  );
  return { lines: lines.slice(0, height), questions };
}
