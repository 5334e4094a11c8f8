import type { Load } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { sorted } from '../../store/sorting.ts';
import {
  dayWidth,
  endOfDay,
  fleetDrawing,
  fleetResource,
  fullScaleOf,
  type HeatMap,
  idOfServer,
} from '../fleet/fleetColumns.ts';
import { fleetLegend } from '../fleet/fleetLines.ts';
import { fleetTile } from '../home/computeTiles.ts';
import type { HomeData } from '../home/tile.ts';
import { createRowTable } from '../list/rowTable.ts';
import { type Board, type BoardContext, drawStacked, partOf } from './board.ts';

const servers = resourceNamed('servers');
const load: Load = 'cpu';

/** The load of the servers over the past day, the busiest first. */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Fleet',
  isEmpty: (view) => view.rows(servers.name).length === 0,
  draw: ([{ data }], context) => {
    const rows = sorted(data.view.rows(servers.name), 'Label', servers.columns, data.view);
    // The heading, the times and the legend take a line each.
    const { from, to, pages, position } = partOf(rows.length, context.height - 3, context.page);
    const tile = fleetTile(data);
    const figures = [...position, ...tile.figures, ...(tile.summary ?? [])];
    const heading = drawStacked([{ tile: { ...tile, figures, lines: [], note: undefined }, height: 1 }], context);
    return { lines: rows.length === 0 ? heading : [...heading, ...heatMap(rows, [from, to], data, context)], pages };
  },
};

function heatMap(
  rows: readonly Row[],
  part: readonly [from: number, to: number],
  { view, fleet }: HomeData,
  context: BoardContext,
): readonly string[] {
  const { theme, now, width } = context;
  const resource = fleetResource(load, fleet);
  const { columns, sort } = resource;
  const visible = sorted(rows, sort, columns, view).slice(...part);
  const days = rows.flatMap((row) => fleet.dayOf(idOfServer(row)) ?? []);
  const map: HeatMap = { theme, load, fullScale: fullScaleOf(days, load), until: endOfDay(now, days), now: () => now };
  const drawing = fleetDrawing(map, fleet, () => '…');
  const table = createRowTable({ resource, columns, theme, cacheView: view })(rows, width, { sort, drawing });
  return [table.head, ...visible.map((row) => table.line(row)), fleetLegend(map, dayWidth(table.placed), width)];
}
