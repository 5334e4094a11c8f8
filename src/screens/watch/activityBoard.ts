import { isInProgress } from '../../resources/account/events.ts';
import { timeOf } from '../../text/times.ts';
import { activityLine, activityTile, happeningTile, maxActivity, pastEvents } from '../home/eventTiles.ts';
import { countOfLines, type Tile } from '../home/tile.ts';
import {
  type AccountColumn,
  type AccountPart,
  accountColumn,
  type Board,
  type BoardContent,
  type BoardContext,
  drawStacked,
  firstWith,
  pagedUnder,
  type WallAccounts,
} from './board.ts';

/** The events in progress, and below them the finished ones, the newest first. */
export const activityBoard: Board = {
  name: 'activity',
  title: 'Activity',
  showsAll: true,
  isEmpty: (view) => view.events.length === 0,
  draw: (accounts, context) => {
    const column = accountColumn(accounts, context);
    const happening = allHappening(accounts, column);
    const height = Math.min(countOfLines(happening) + 1, Math.floor(context.height / 2));
    const above = drawStacked([{ tile: happening, height }], context);
    const below = pagedUnder(column, allActivity(accounts, column), { ...context, height: context.height - height });
    return { ...below, lines: [...above, ...below.lines] };
  },
};

/** So many free lines below a board show the activity. */
const minActivity = 5;

/** Fills the free lines of a board of one page, where these are enough, with what happened last. */
export function withActivity(content: BoardContent, accounts: WallAccounts, context: BoardContext): BoardContent {
  const { lines, pages = 1, filled = lines.length } = content;
  const height = context.height - filled - 1;
  if (pages > 1 || height < minActivity) return content;
  const column = accountColumn(accounts, context);
  const tile = allActivity(accounts, column);
  // No page is turned below a board, so that nothing tells of others.
  const first = { ...tile, lines: tile.lines.slice(0, height - (column.head ? 2 : 1)) };
  const below = pagedUnder(column, first, { ...context, height, page: 0 });
  return { ...content, lines: [...lines.slice(0, filled), ' '.repeat(context.width), ...below.lines] };
}

function allHappening(accounts: WallAccounts, column: AccountColumn): Tile {
  const lines = accounts
    .filter(({ data }) => data.view.events.some(isInProgress))
    .flatMap((account) => happeningTile(account.data).lines.map((line) => column.tileLine(account, line)));
  const tile = happeningTile(withEvents(accounts).data);
  return lines.length > 0 ? { ...tile, figures: [{ text: String(lines.length) }], lines } : tile;
}

/** The finished events of all accounts, the newest first. */
function allActivity(accounts: WallAccounts, column: AccountColumn): Tile {
  const lines = accounts
    .flatMap((account) => pastEvents(account.data.view).map((event) => ({ account, event })))
    .sort((one, other) => (timeOf(other.event.created) || 0) - (timeOf(one.event.created) || 0))
    .slice(0, maxActivity)
    .map(({ account, event }) => column.tileLine(account, activityLine(event)));
  const tile = activityTile(withEvents(accounts).data);
  return lines.length > 0 ? { ...tile, lines } : tile;
}

/** The account that says for all that there is nothing: the one of which least is known. */
const withEvents = (accounts: WallAccounts): AccountPart =>
  firstWith(
    accounts,
    ({ data }) => data.eventsReach !== undefined && data.noEventsReason === undefined,
    ({ data }) => data.eventsReach !== undefined,
    ({ data }) => data.noEventsReason === undefined,
  );
