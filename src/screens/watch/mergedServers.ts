import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import type { Event } from '../../store/events.ts';
import { shownColumns } from '../../store/views/columns.ts';
import { serverFigures, serversTile } from '../home/computeTiles.ts';
import { createRowTable } from '../list/rowTable.ts';
import { queriesAbout } from '../list/useVisibleAnswers.ts';
import { accountColumn, firstWith } from './accountColumn.ts';
import { type AccountPart, type BoardContext, drawStacked, type MergedContent, pagedTile, partOf } from './board.ts';
import { withAllActivity } from './mergedActivity.ts';
import { rankedServers } from './rankedServers.ts';

const servers = resourceNamed('servers');

interface OwnedServer {
  account: AccountPart;
  row: Row;
  rank: number;
}

const rowsOf = ({ data }: AccountPart): readonly Row[] => data.view.rows(servers.name);

/** The servers of all accounts, the worst first, then by account and label. */
export function mergedServers(accounts: readonly AccountPart[], context: BoardContext): MergedContent {
  const first = firstWith(accounts, ({ data }) => data.queryState(servers.name)?.loadedAt !== undefined);
  const tile = serversTile(first.data);
  const all = accounts
    .flatMap((account): OwnedServer[] =>
      rankedServers(rowsOf(account), account.data).map((ranked) => ({ account, ...ranked })),
    )
    .sort((one, other) => one.rank - other.rank);
  if (all.length === 0) return withAllActivity(pagedTile(tile, context), accounts, context);
  const { from, to, pages, position } = partOf(all.length, context.height - 2, context.page);
  const figures = serverFigures(accounts.map(rowsOf), first.data.glyphs);
  const heading = {
    ...tile,
    // The position ends with the count.
    figures: position.length > 0 ? [...position, ...figures.slice(1)] : figures,
    lines: [],
  };
  const { lines, queriesOf } = serverRows(accounts, all.slice(from, to), context);
  const above = drawStacked([{ tile: heading, height: 1 }], context);
  const content = { lines: [...above, ...lines].slice(0, context.height), pages, queriesOf };
  return withAllActivity(content, accounts, context);
}

/** Servers under the titles of their columns, each drawn with what is known of its own account. */
function serverRows(
  accounts: readonly AccountPart[],
  visible: readonly OwnedServer[],
  context: BoardContext,
): Pick<MergedContent, 'lines' | 'queriesOf'> {
  const column = accountColumn(accounts, context);
  const tables = accounts
    .filter((account) => rowsOf(account).length > 0)
    .map((account) => {
      const { view } = account.data;
      const pen = { resource: servers, columns: shownColumns(servers.columns), theme: context.theme, cacheView: view };
      const table = createRowTable(pen);
      const draw = (contents?: readonly number[]) =>
        table(rowsOf(account), column.room, { events: view.events as readonly Event[], contents });
      return { account, draw, contents: draw().contents() };
    });
  // All accounts have the same columns, as wide as the widest value of any.
  const widest = servers.columns.map((_, nth) => Math.max(0, ...tables.map(({ contents }) => contents[nth] ?? 0)));
  const drawn = new Map(tables.map(({ account, draw }) => [account, draw(widest)]));
  const [one] = drawn.values();
  const queriesOf: Record<string, readonly Query[]> = {};
  for (const [account, { operations }] of drawn) {
    const own = visible.flatMap((server) => (server.account === account ? [server.row] : []));
    queriesOf[account.profile] = queriesAbout(servers, own, operations);
  }
  const lines = visible.map(({ account, row }) => column.before(account, drawn.get(account)?.line(row) ?? ''));
  return { lines: [column.head(one?.head), ...lines], queriesOf };
}
