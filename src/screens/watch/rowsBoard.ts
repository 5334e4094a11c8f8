import { memoizeOne } from '../../resources/memoize.ts';
import { type Resource, type Row, viewWith } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import type { Event } from '../../store/events.ts';
import { shownColumns } from '../../store/views/columns.ts';
import type { UserView } from '../../store/views/userViews.ts';
import { grouped } from '../../text/numbers.ts';
import { linkToList, type Tile } from '../home/tile.ts';
import { createListRows } from '../list/listRows.ts';
import { createRowTable } from '../list/rowTable.ts';
import { queriesAbout } from '../list/useFetches.ts';
import {
  type AccountPart,
  accountColumn,
  type Board,
  type BoardContent,
  type BoardContext,
  drawStacked,
  partOf,
  type WallAccounts,
  withActivity,
} from './board.ts';

/** A row, and the account that it belongs to. */
export interface OwnedRow {
  account: AccountPart;
  row: Row;
}

/** Rows of one account. */
export const ownedBy = (account: AccountPart, rows: readonly Row[]): readonly OwnedRow[] =>
  rows.map((row) => ({ account, row }));

/**
 * The heading of a tile with its summary, and under it one page of rows as in a list, with the titles of their columns,
 * each drawn with what is known of its own account.
 */
export function rowsUnder(
  tile: Tile,
  resource: Resource,
  rows: readonly OwnedRow[],
  accounts: WallAccounts,
  context: BoardContext,
): BoardContent {
  const { theme, height, page } = context;
  const column = accountColumn(accounts, context);
  const columns = shownColumns(resource.columns);
  const { from, to, pages, position } = partOf(rows.length, height - 2, page);
  const visible = rows.slice(from, to);
  const owned = Map.groupBy(rows, ({ account }) => account);
  const owners = accounts.filter((account) => owned.has(account));
  const tables = (owners.length > 0 ? owners : accounts).map((account) => {
    const { view } = account.data;
    const table = createRowTable({ resource, columns, theme, cacheView: view });
    const own = owned.get(account)?.map(({ row }) => row) ?? [];
    const draw = (contents?: readonly number[]) =>
      table(own, column.room, { events: view.events as readonly Event[], contents });
    return { account, draw, contents: draw().contents() };
  });
  // All accounts have the same columns, as wide as the widest value of any.
  const widest = columns.map((_, nth) => Math.max(0, ...tables.map(({ contents }) => contents[nth] ?? 0)));
  const drawn = new Map(tables.map(({ account, draw }) => [account, draw(widest)]));
  const queriesOf: Record<string, readonly Query[]> = {};
  for (const [account, { operations }] of drawn) {
    const shown = visible.flatMap((one) => (one.account === account ? [one.row] : []));
    queriesOf[account.profile] = queriesAbout(resource, shown, operations);
  }
  const [one] = drawn.values();
  const lines = visible.map(({ account, row }) => column.before(account, drawn.get(account)?.line(row) ?? ''));
  const count = grouped(rows.length);
  const summary = tile.summary ?? tile.figures;
  // The position ends with the count.
  const figures = position.length > 0 ? [...position, ...summary.filter(({ text }) => text !== count)] : summary;
  const heading = drawStacked([{ tile: { ...tile, figures, lines: [], note: undefined }, height: 1 }], context);
  return { lines: [...heading, column.head + (one?.head ?? ''), ...lines].slice(0, height), queriesOf, pages };
}

/** So many rows are fetched for a filter or an order at once. */
const maxFetched = 100;

/** The list of one of the user's own views. */
export function viewBoard({ name, resource, section, filter, sort }: UserView): Board {
  const rowsOf = createListRows();
  const belonging = memoizeOne((rows: readonly Row[]) => (section ? rows.filter(section.only) : rows));
  let isFetching = false;
  return {
    name,
    title: name,
    reads: [resource.name, ...(resource.reads ?? [])],
    isEmpty: (view) => belonging(view.rows(resource.name)).length === 0,
    draw: (accounts, context) => {
      const [account] = accounts;
      const { data, profile } = account;
      // Another view makes the filter look again at what was answered meanwhile.
      const view = isFetching ? viewWith(data.view, {}) : data.view;
      const all = belonging(data.view.rows(resource.name));
      const { rows, fetches } = rowsOf(resource, all, { filter, sort: sort ?? resource.sort }, view);
      isFetching = fetches.length > 0;
      const count = filter === '' ? grouped(rows.length) : `${grouped(rows.length)} of ${grouped(all.length)}`;
      const tile = {
        name: 'servers' as const,
        title: resource.many,
        figures: [{ text: count }, ...(filter === '' ? [] : [{ text: filter, role: 'dim' as const }])],
        link: linkToList(resource.name),
        lines: [],
      };
      const content = rowsUnder(tile, resource, ownedBy(account, rows), accounts, context);
      const queries = fetches.flatMap(({ operation, rows: those }) =>
        queriesAbout(resource, those.slice(0, maxFetched), [operation]),
      );
      const queriesOf = { [profile]: [...queries, ...(content.queriesOf?.[profile] ?? [])] };
      return withActivity({ ...content, queriesOf }, accounts, context);
    },
  };
}
