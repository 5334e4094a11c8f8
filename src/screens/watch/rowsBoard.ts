import type { Resource, Row } from '../../resources/resource.ts';
import type { Event } from '../../store/events.ts';
import { shownColumns } from '../../store/views/columns.ts';
import { grouped } from '../../text/numbers.ts';
import { activityTile } from '../home/eventTiles.ts';
import type { HomeData, Tile } from '../home/tile.ts';
import { createRowTable } from '../list/rowTable.ts';
import { queriesAbout } from '../list/useVisibleAnswers.ts';
import { type BoardContent, type BoardContext, type BoardPage, drawStacked, partOf } from './board.ts';

/** So many free lines below a board show the activity. */
const minActivity = 5;

/** Fills the free lines of a board of one page with what happened last. */
export const withActivity = (content: BoardContent, data: HomeData, context: BoardContext): BoardContent =>
  filledUp(content, context, (height) => drawStacked([{ tile: activityTile(data), height }], context));

/** Draws in the free lines of a board of one page, where these are enough. */
export function filledUp<Content extends BoardContent>(
  content: Content,
  { width, height }: BoardContext,
  draw: (height: number) => readonly string[],
): Content {
  const { lines, pages = 1, filled = lines.length } = content;
  const free = height - filled - 1;
  if (pages > 1 || free < minActivity) return content;
  return { ...content, lines: [...lines.slice(0, filled), ' '.repeat(width), ...draw(free)] };
}

/** The heading of a tile with its summary, and under it rows as in a list. */
export function rowsUnder(
  tile: Tile,
  resource: Resource,
  rows: readonly Row[],
  data: HomeData,
  context: BoardContext,
): BoardContent {
  const { lines, position, ...rest } = rowsSection(resource, rows, data, { ...context, height: context.height - 1 });
  const count = grouped(rows.length);
  const summary = tile.summary ?? tile.figures;
  // The position ends with the count.
  const figures = position.length > 0 ? [...position, ...summary.filter(({ text }) => text !== count)] : summary;
  const heading = { ...tile, figures, lines: [], note: undefined };
  return { ...rest, lines: [...drawStacked([{ tile: heading, height: 1 }], context), ...lines] };
}

/** One page of rows under the titles of their columns. */
function rowsSection(
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
