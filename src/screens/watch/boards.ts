import { statusRole } from '../../components/format.ts';
import type { Role } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { sorted } from '../../store/sorting.ts';
import { managedTile } from '../home/accountTiles.ts';
import { serversTile } from '../home/computeTiles.ts';
import { drawTiles, placeTiles } from '../home/drawTiles.ts';
import { activityTile, happeningTile } from '../home/eventTiles.ts';
import { problemTile } from '../home/problemTile.ts';
import { countOfLines, type HomeData, linkToList, placeholderTile, type Tile } from '../home/tile.ts';
import { homeTiles } from '../home/tiles.ts';
import { type Board, type BoardContent, type BoardContext, drawStacked } from './board.ts';
import { fleetBoard } from './fleetBoard.ts';
import { portsTile } from './portsTile.ts';
import { rowsSection } from './rowsSection.ts';

const servers = resourceNamed('servers');
const balancers = resourceNamed('nodebalancers');
const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The lists that are on the boards: they are read as often as what is on a screen. */
export const boardResources: readonly string[] = [servers, balancers, services, issues].map(({ name }) => name);

const home: Board = {
  name: 'home',
  title: 'Home',
  isEmpty: () => false,
  draw: (data, pen) => ({ lines: drawTiles(placeTiles(homeTiles(data), pen.width, pen.height), pen)() }),
};

/** The rotation stops here when something new is critical. */
export const problemsBoard: Board = {
  name: 'problems',
  title: 'Problems',
  isEmpty: () => false,
  draw: (data, pen) => ({ lines: drawStacked([{ tile: problemTile(data), height: pen.height }], pen) }),
};

const serversBoard: Board = {
  name: 'servers',
  title: servers.many,
  isEmpty: (view) => view.rows(servers.name).length === 0,
  draw: (data, pen) => {
    const tile = serversTile(data);
    const rows = data.view.rows(servers.name);
    return rows.length === 0 ? alone(tile, pen) : headed(tile, servers, worstFirst(rows, data), data, pen);
  },
};

const balancersBoard: Board = {
  name: 'nodebalancers',
  title: balancers.many,
  isEmpty: (view) => view.rows(balancers.name).length === 0,
  draw: (data, pen) => alone(portsTile(data), pen),
};

const managedBoard: Board = {
  name: 'managed',
  title: 'Managed',
  isEmpty: (view) => view.rows(services.name).length + view.rows(issues.name).length === 0,
  draw: (data, pen) => {
    const { view } = data;
    const tile = managedTile(data);
    const watched = sorted(view.rows(services.name), services.sort, services.columns, view);
    const found = sorted(view.rows(issues.name), issues.sort, issues.columns, view);
    if (!tile || watched.length + found.length === 0) return alone(tile ?? nothingManaged, pen);
    if (found.length === 0) return headed(tile, services, watched, data, pen);
    // Both have their heading and titles; the services give way to the issues, but for the half of what there is.
    const forIssues = Math.min(found.length + 2, Math.floor(pen.height / 2));
    const above = headed(tile, services, watched, data, { ...pen, height: pen.height - forIssues });
    const title: Tile = {
      name: 'managed',
      title: issues.many,
      figures: [{ text: String(found.length) }],
      link: linkToList(issues.name),
      lines: [],
    };
    return { lines: [...above.lines, ...headed(title, issues, found, data, { ...pen, height: forIssues }).lines] };
  },
};

const nothingManaged = placeholderTile({ name: 'managed', title: 'Managed', link: linkToList(services.name) }, 'none');

const activityBoard: Board = {
  name: 'activity',
  title: 'Activity',
  isEmpty: (view) => view.events.length === 0,
  draw: (data, pen) => {
    const happening = happeningTile(data);
    const height = Math.min(countOfLines(happening) + 1, Math.floor(pen.height / 2));
    const below = { tile: activityTile(data), height: pen.height - height };
    return { lines: drawStacked([{ tile: happening, height }, below], pen) };
  },
};

/** Every board, in the order in which they come. */
export const boards: readonly Board[] = [
  home,
  problemsBoard,
  serversBoard,
  fleetBoard,
  balancersBoard,
  managedBoard,
  activityBoard,
];

const alone = (tile: Tile, pen: BoardContext): BoardContent => ({
  lines: drawStacked([{ tile, height: pen.height }], pen),
});

/** The heading of a tile with its figures, and under it rows as in a list. */
function headed(tile: Tile, resource: Resource, rows: readonly Row[], data: HomeData, pen: BoardContext): BoardContent {
  const heading = { ...tile, figures: tile.summary ?? tile.figures, lines: [], note: undefined };
  const { lines, queries } = rowsSection(resource, rows, data, { ...pen, height: pen.height - 1 });
  return { lines: [...drawStacked([{ tile: heading, height: 1 }], pen), ...lines], queries };
}

const severities: readonly (Severity | undefined)[] = ['critical', 'warning', undefined];
const roles: readonly Role[] = ['bad', 'warn', 'busy', 'plain', 'dim', 'good'];

/** Servers in the order of their worst problems, those without any by status, then as people sort labels. */
function worstFirst(rows: readonly Row[], { view, problems }: HomeData): readonly Row[] {
  const worst = new Map<string, number>();
  for (const { resource, params, severity } of problems.problems) {
    const place = severities.indexOf(severity);
    const id = params[servers.param];
    if (resource !== servers.name || id === undefined || place < 0) continue;
    worst.set(id, Math.min(place, worst.get(id) ?? place));
  }
  const rankOf = (row: Row) =>
    (worst.get(idOf(servers, row)) ?? 2) * roles.length + roles.indexOf(statusRole(servers.status?.(row) ?? ''));
  return sorted(rows, 'Label', servers.columns, view).toSorted((one, other) => rankOf(one) - rankOf(other));
}
