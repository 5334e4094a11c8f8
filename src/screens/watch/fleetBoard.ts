import { bucketEnd, bucketMs, type Load, loadNames, loadOf } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import { widthOf } from '../../text/cells.ts';
import { fleetHead, fleetLayout, fleetLegend, fleetLine } from '../fleet/fleetLines.ts';
import { dayReader, divisorOf, fleetOrders, fullScaleOf, sortServers } from '../fleet/fleetRows.ts';
import { fleetTile } from '../home/fleetTile.ts';
import type { HomeData } from '../home/tile.ts';
import { type Board, type BoardContext, drawStacked, partOf } from './board.ts';

const servers = resourceNamed('servers');
const load: Load = 'cpu';

/** The load of the servers over the past day, the busiest first. */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Fleet',
  isEmpty: (view) => view.rows(servers.name).length === 0,
  draw: (data, context) => {
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
  const dayOf = dayReader(servers, load, fleet.dayOf);
  const visible = sortServers(rows, fleetOrders[0] ?? '', load, dayOf, servers, view).slice(...part);
  const layout = fleetLayout(width, widest(rows, servers.label), widest(rows, regionOf));
  const fullScale = fullScaleOf(rows, load, dayOf);
  const days = visible.map((row) => fleet.dayOf(idOf(servers, row)));
  const until = Math.max(bucketEnd(now) - bucketMs, ...days.map((day) => day?.until ?? 0));
  const map = { theme, layout, fullScale, unit: loadNames[load].unit };
  const lines = visible.map((row, index) => {
    const day = days[index];
    return fleetLine(map, {
      label: servers.label(row),
      region: regionOf(row),
      isCurrent: false,
      isMarked: false,
      day: loadOf(row, load, day),
      says: '…',
      shift: day ? Math.round((until - day.until) / bucketMs) : 0,
      divisor: divisorOf(row, load),
    });
  });
  return [fleetHead(theme, layout, until), ...lines, fleetLegend(map, width)];
}

const regionOf = (row: Row) => String(at(row, 'region') ?? '');

const widest = (rows: readonly Row[], textOf: (row: Row) => string) =>
  rows.reduce((cells, row) => Math.max(cells, widthOf(textOf(row))), 0);
