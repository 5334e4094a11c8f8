import type { Resource, Row } from '../../resources/resource.ts';
import { paramsOf, type Query } from '../../store/cache.ts';
import type { Event } from '../../store/events.ts';
import { shownColumns } from '../../store/views/columns.ts';
import type { HomeData } from '../home/tile.ts';
import { createRowTable } from '../list/rowTable.ts';
import { type BoardContent, type BoardContext, type BoardPage, partOf } from './board.ts';

/** One page of rows under the titles of their columns. */
export function rowsSection(
  resource: Resource,
  rows: readonly Row[],
  { view }: HomeData,
  { theme, width, height, page }: BoardContext,
): BoardContent & Pick<BoardPage, 'position'> {
  const events = view.events as readonly Event[];
  const pen = { resource, columns: shownColumns(resource.columns), theme, cacheView: view };
  const { head, operations, line } = createRowTable(pen)(rows, width, { events });
  const { from, to, pages, position } = partOf(rows.length, height - 1, page);
  const visible = rows.slice(from, to);
  const lines = [head, ...visible.map((row) => line(row))].slice(0, height);
  return { lines, queries: queriesAbout(resource, visible, operations), pages, position };
}

/** A query of each operation about each row. */
export const queriesAbout = (
  resource: Resource,
  rows: readonly Row[],
  operations: readonly string[],
): readonly Query[] =>
  operations.flatMap((operation) =>
    rows.map((row) => ({ resource: resource.name, operation, params: paramsOf(resource, row) })),
  );
