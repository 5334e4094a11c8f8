import { statusRole } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import type { Role } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { byUrgency } from '../../resources/problems/problem.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import type { Load, Row } from '../../resources/resource.ts';
import { sorted } from '../../store/sorting.ts';
import { textIn } from '../../text/words.ts';
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
import { managedTile } from '../home/accountTiles.ts';
import { fleetTile, serverFigures, serversTile } from '../home/computeTiles.ts';
import { drawTiles, placeTiles } from '../home/drawTiles.ts';
import { problemTile, problemTitles, severityCounts } from '../home/problemTile.ts';
import { type HomeData, linkToList, noteLine, placeholderTile, type Tile } from '../home/tile.ts';
import { homeTiles } from '../home/useHomeData.ts';
import { createRowTable } from '../list/rowTable.ts';
import { balancersBoard } from './balancersBoard.ts';
import { bigBoard } from './bigBoard.ts';
import {
  type AccountColumn,
  type AccountPart,
  accountColumn,
  activityBoard,
  type Board,
  type BoardContext,
  drawStacked,
  firstWith,
  pagedTile,
  pagedUnder,
  partOf,
  type WallAccounts,
  withActivity,
} from './board.ts';
import { type OwnedRow, ownedBy, rowsUnder } from './rowsBoard.ts';
import { allProblems } from './wall.ts';

const servers = resourceNamed('servers');
const severities: readonly (Severity | undefined)[] = ['critical', 'warning', undefined];
const roles: readonly Role[] = ['bad', 'warn', 'busy', 'plain', 'dim', 'good'];

/** The servers of an account by label; those of a lower rank are worse. */
function withRanks(account: AccountPart): readonly (OwnedRow & { rank: number })[] {
  const { view, problems } = account.data;
  const worst = new Map<string, number>();
  for (const { resource, params, severity } of problems.problems) {
    const place = severities.indexOf(severity);
    const id = params[servers.param];
    if (resource !== servers.name || id === undefined || place < 0) continue;
    worst.set(id, Math.min(place, worst.get(id) ?? place));
  }
  return sorted(view.rows(servers.name), 'Label', servers.columns, view).map((row) => ({
    account,
    row,
    rank: (worst.get(idOf(servers, row)) ?? 2) * roles.length + roles.indexOf(statusRole(textIn(row.status) ?? '')),
  }));
}

const load: Load = 'cpu';

/** The load of the servers over the past day, the busiest first. */
const fleetBoard: Board = {
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

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The lists on the boards, which are read as often as those of a screen. */
export const boardResources: readonly string[] = [servers.name, balancersBoard.name, services.name, issues.name];

const home: Board = {
  name: 'home',
  title: 'Home',
  isEmpty: () => false,
  draw: ([{ data }], context) => ({
    lines: drawTiles(placeTiles(homeTiles(data), context.width, context.height), context)(),
  }),
};

/** The board of an interruption. */
export const problemsBoard: Board = {
  name: 'problems',
  title: 'Problems',
  isEmpty: () => false,
  showsAll: true,
  draw: (accounts, context) => {
    const column = accountColumn(accounts, context);
    const tile = column.head ? tileOfAll(accounts, column) : problemTile(accounts[0].data, Number.POSITIVE_INFINITY);
    const isCalm = tile.lines.every(({ problem }) => problem === undefined);
    const titles = isCalm ? undefined : context.theme.paint('dim', problemTitles(column.room));
    return withActivity(pagedUnder(column, tile, context, titles), accounts, context);
  },
};

/** The problems of several accounts, the worst first, then what was not examined of each. */
function tileOfAll(accounts: WallAccounts, column: AccountColumn): Tile {
  const tiles = accounts.map((account) => ({ account, ...problemTile(account.data, Number.POSITIVE_INFINITY) }));
  // Where nothing is wrong, each account says what it has examined.
  const calm = tiles.flatMap(({ account, lines }) => lines.map((line) => ({ account, line })));
  const found = calm
    .flatMap(({ account, line }) => (line.problem ? [{ account, line, problem: line.problem }] : []))
    .sort((one, other) => byUrgency(one.problem, other.problem));
  const notes = tiles.flatMap(({ account, note }) =>
    note === undefined ? [] : [{ account, line: noteLine('problems:note', note) }],
  );
  const { data } = accounts[0];
  return {
    ...problemTile(data, 0),
    figures: severityCounts({ ...data, problems: allProblems(accounts) }),
    lines: [...(found.length > 0 ? found : calm), ...notes].map(({ account, line }) => column.tileLine(account, line)),
    omitted: 0,
    note: undefined,
  };
}

const serversBoard: Board = {
  name: 'servers',
  title: servers.many,
  showsAll: true,
  isEmpty: (view) => view.rows(servers.name).length === 0,
  draw: (accounts, context) => {
    const { data } = firstWith(accounts, (one) => one.data.queryState(servers.name)?.loadedAt !== undefined);
    const tile = serversTile(data);
    // By their worst problem, then by status, then by account and label.
    const rows = accounts.flatMap(withRanks).sort((one, other) => one.rank - other.rank);
    if (rows.length === 0) return withActivity(pagedTile(tile, context), accounts, context);
    const lists = accounts.map((one) => one.data.view.rows(servers.name));
    const summary = accountColumn(accounts, context).head ? serverFigures(lists, data.glyphs) : stateAndLoad(data);
    return withActivity(rowsUnder({ ...tile, summary }, servers, rows, accounts, context), accounts, context);
  },
};

/** The servers of one account by status, and their load. */
function stateAndLoad(data: HomeData): readonly Span[] {
  const { figures, summary = figures } = serversTile(data);
  const { summary: load = [], figures: measured } = fleetTile(data);
  const isPart = [...data.fleet.requested()].length < data.view.rows(servers.name).length;
  return [...summary, ...load, ...(isPart ? measured : [])];
}

const managedBoard: Board = {
  name: 'managed',
  title: 'Managed',
  isEmpty: (view) => view.rows(services.name).length + view.rows(issues.name).length === 0,
  draw: (accounts, context) => {
    const [account] = accounts;
    const { data } = account;
    const { view } = data;
    const tile = managedTile(data);
    const watched = ownedBy(account, sorted(view.rows(services.name), services.sort, services.columns, view));
    const found = ownedBy(account, sorted(view.rows(issues.name), issues.sort, issues.columns, view));
    if (!tile || watched.length + found.length === 0)
      return withActivity(pagedTile(tile ?? nothingManaged, context), accounts, context);
    if (found.length === 0)
      return withActivity(rowsUnder(tile, services, watched, accounts, context), accounts, context);
    // Each part has a heading and titles; the issues get up to half of the height.
    const forIssues = Math.min(found.length + 2, Math.floor(context.height / 2));
    const above = rowsUnder(tile, services, watched, accounts, { ...context, height: context.height - forIssues });
    const title: Tile = {
      name: 'managed',
      title: issues.many,
      figures: [{ text: String(found.length) }],
      link: linkToList(issues.name),
      lines: [],
    };
    const below = rowsUnder(title, issues, found, accounts, { ...context, height: forIssues });
    const pages = Math.max(above.pages ?? 1, below.pages ?? 1);
    return withActivity({ lines: [...above.lines, ...below.lines], pages }, accounts, context);
  },
};

const nothingManaged = placeholderTile({ name: 'managed', title: 'Managed', link: linkToList(services.name) }, 'none');

/** All boards, in their order. */
export const boards: readonly Board[] = [
  home,
  problemsBoard,
  serversBoard,
  fleetBoard,
  balancersBoard,
  managedBoard,
  activityBoard,
  bigBoard,
];
