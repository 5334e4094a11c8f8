import { resourceNamed } from '../../resources/index.ts';
import { byUrgency } from '../../resources/problems/problem.ts';
import { sorted } from '../../store/sorting.ts';
import { managedTile } from '../home/accountTiles.ts';
import { serversTile } from '../home/computeTiles.ts';
import { drawTiles, placeTiles } from '../home/drawTiles.ts';
import { activityTile, happeningTile } from '../home/eventTiles.ts';
import { fleetTile } from '../home/fleetTile.ts';
import { problemTile, problemTitles, severityCounts } from '../home/problemTile.ts';
import { countOfLines, linkToList, noteLine, placeholderTile, type Tile } from '../home/tile.ts';
import { homeTiles } from '../home/tiles.ts';
import { accountColumn, firstWith, pagedUnder } from './accountColumn.ts';
import { allProblems } from './accountParts.ts';
import { bigBoard } from './bigBoard.ts';
import {
  type AccountPart,
  type Board,
  type BoardContext,
  drawStacked,
  type MergedContent,
  pagedTile,
} from './board.ts';
import { fleetBoard } from './fleetBoard.ts';
import { mergedActivity, withAllActivity } from './mergedActivity.ts';
import { mergedBalancers } from './mergedBalancers.ts';
import { mergedServers } from './mergedServers.ts';
import { portsTile } from './portsTile.ts';
import { rankedServers } from './rankedServers.ts';
import { rowsUnder, withActivity } from './rowsBoard.ts';

const servers = resourceNamed('servers');
const balancers = resourceNamed('nodebalancers');
const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The lists on the boards, which are read as often as those of a screen. */
export const boardResources: readonly string[] = [servers, balancers, services, issues].map(({ name }) => name);

const home: Board = {
  name: 'home',
  title: 'Home',
  isEmpty: () => false,
  draw: (data, context) => ({
    lines: drawTiles(placeTiles(homeTiles(data), context.width, context.height), context)(),
  }),
};

/** The board of an interruption. */
export const problemsBoard: Board = {
  name: 'problems',
  title: 'Problems',
  isEmpty: () => false,
  draw: (data, context) => withActivity(pagedTile(problemTile(data, Number.POSITIVE_INFINITY), context), data, context),
  merged: mergedProblems,
};

const serversBoard: Board = {
  name: 'servers',
  title: servers.many,
  isEmpty: (view) => view.rows(servers.name).length === 0,
  draw: (data, context) => {
    const tile = serversTile(data);
    const rows = data.view.rows(servers.name);
    if (rows.length === 0) return withActivity(pagedTile(tile, context), data, context);
    const { summary: load = [], figures: measured } = fleetTile(data);
    const isPart = [...data.fleet.requested()].length < rows.length;
    const summary = [...(tile.summary ?? tile.figures), ...load, ...(isPart ? measured : [])];
    return withActivity(
      rowsUnder(
        { ...tile, summary },
        servers,
        rankedServers(rows, data).map(({ row }) => row),
        data,
        context,
      ),
      data,
      context,
    );
  },
  merged: mergedServers,
};

const balancersBoard: Board = {
  name: 'nodebalancers',
  title: balancers.many,
  isEmpty: (view) => view.rows(balancers.name).length === 0,
  draw: (data, context) => {
    const { tile, queries } = portsTile(data, context.height - 1);
    return { ...withActivity(pagedTile(tile, context), data, context), queries };
  },
  merged: mergedBalancers,
};

const managedBoard: Board = {
  name: 'managed',
  title: 'Managed',
  isEmpty: (view) => view.rows(services.name).length + view.rows(issues.name).length === 0,
  draw: (data, context) => {
    const { view } = data;
    const tile = managedTile(data);
    const watched = sorted(view.rows(services.name), services.sort, services.columns, view);
    const found = sorted(view.rows(issues.name), issues.sort, issues.columns, view);
    if (!tile || watched.length + found.length === 0)
      return withActivity(pagedTile(tile ?? nothingManaged, context), data, context);
    if (found.length === 0) return withActivity(rowsUnder(tile, services, watched, data, context), data, context);
    // Each part has a heading and titles; the issues get up to half of the height.
    const forIssues = Math.min(found.length + 2, Math.floor(context.height / 2));
    const above = rowsUnder(tile, services, watched, data, { ...context, height: context.height - forIssues });
    const title: Tile = {
      name: 'managed',
      title: issues.many,
      figures: [{ text: String(found.length) }],
      link: linkToList(issues.name),
      lines: [],
    };
    const below = rowsUnder(title, issues, found, data, { ...context, height: forIssues });
    const pages = Math.max(above.pages ?? 1, below.pages ?? 1);
    return withActivity({ lines: [...above.lines, ...below.lines], pages }, data, context);
  },
};

const nothingManaged = placeholderTile({ name: 'managed', title: 'Managed', link: linkToList(services.name) }, 'none');

const activityBoard: Board = {
  name: 'activity',
  title: 'Activity',
  isEmpty: (view) => view.events.length === 0,
  draw: (data, context) => {
    const happening = happeningTile(data);
    const height = Math.min(countOfLines(happening) + 1, Math.floor(context.height / 2));
    const above = drawStacked([{ tile: happening, height }], context);
    const below = pagedTile(activityTile(data), { ...context, height: context.height - height });
    return { ...below, lines: [...above, ...below.lines] };
  },
  merged: mergedActivity,
};

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

/** The problems of all accounts, the worst first, then what was not examined of each. */
function mergedProblems(accounts: readonly AccountPart[], context: BoardContext): MergedContent {
  const column = accountColumn(accounts, context);
  const { data } = firstWith(accounts, () => true);
  const tiles = accounts.map((account) => ({ account, ...problemTile(account.data, Number.POSITIVE_INFINITY) }));
  const found = tiles
    .flatMap(({ account, lines }) =>
      lines.flatMap((line) => (line.problem ? [{ account, line, problem: line.problem }] : [])),
    )
    .sort((one, other) => byUrgency(one.problem, other.problem))
    .map(({ account, line }) => column.tileLine(account, line));
  // Where nothing is wrong, each account says what it has examined.
  const calm = tiles.flatMap(({ account, lines }) => lines.map((line) => column.tileLine(account, line)));
  const notes = tiles.flatMap(({ account, note }) =>
    note === undefined ? [] : [column.tileLine(account, noteLine('problems:note', note))],
  );
  const tile: Tile = {
    ...problemTile(data, 0),
    figures: severityCounts({ ...data, problems: allProblems(accounts) }),
    lines: [...(found.length > 0 ? found : calm), ...notes],
    omitted: 0,
    note: undefined,
  };
  const titles = found.length > 0 ? context.theme.paint('dim', problemTitles(column.room)) : undefined;
  return withAllActivity(pagedUnder(column.head(titles), tile, context), accounts, context);
}
