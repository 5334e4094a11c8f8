import type { Resource, Row } from '../../resources/resource.ts';
import { paramsOf } from '../../store/cache.ts';
import type { Event } from '../../store/events.ts';
import { cell } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import type { HomeData } from '../home/tile.ts';
import { createRowTable } from '../list/rowTable.ts';
import type { BoardContent, BoardContext } from './board.ts';

/** As many rows as fit under the titles of their columns, and the number of the others. */
export function rowsSection(
  resource: Resource,
  rows: readonly Row[],
  { view }: HomeData,
  { theme, width, height }: BoardContext,
): BoardContent {
  const events = view.events as readonly Event[];
  const pen = { resource, columns: resource.columns, theme, cacheView: view };
  const { head, operations, line } = createRowTable(pen)(rows, width, { events });
  const room = Math.max(0, height - 1);
  const visible = rows.slice(0, rows.length > room ? Math.max(0, room - 1) : room);
  const hidden = rows.length - visible.length;
  const answerOf = (row: Row, operation: string) =>
    view.answer(resource.name, operation, paramsOf(resource, row)) as Row | undefined;
  const lines = [
    head,
    ...visible.map((row) => line(row, {}, answerOf)),
    ...(hidden > 0 ? [theme.paint('accent', cell(`   ${grouped(hidden)} more`, width))] : []),
  ];
  const queries = operations.flatMap((operation) =>
    visible.map((row) => ({ resource: resource.name, operation, params: paramsOf(resource, row) })),
  );
  return { lines: lines.slice(0, height), queries };
}
