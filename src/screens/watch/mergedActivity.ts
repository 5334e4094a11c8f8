import { isInProgress } from '../../resources/account/events.ts';
import { timeOf } from '../../text/times.ts';
import { activityTile, happeningTile, maxActivity, pastEvents } from '../home/eventTiles.ts';
import { countOfLines, type Tile } from '../home/tile.ts';
import { accountColumn, firstWith, pagedUnder } from './accountColumn.ts';
import { type AccountPart, type BoardContent, type BoardContext, drawStacked, type MergedContent } from './board.ts';
import { filledUp } from './rowsBoard.ts';

/** The events in progress in all accounts, and below them the finished ones, the newest first. */
export function mergedActivity(accounts: readonly AccountPart[], context: BoardContext): MergedContent {
  const happening = allHappening(accounts, context);
  const height = Math.min(countOfLines(happening) + 1, Math.floor(context.height / 2));
  const above = drawStacked([{ tile: happening, height }], context);
  const below = allActivity(accounts, { ...context, height: context.height - height });
  return { ...below, lines: [...above, ...below.lines], filled: undefined };
}

/** The finished events of all accounts, the newest first, under a heading. */
function allActivity(accounts: readonly AccountPart[], context: BoardContext): BoardContent {
  const column = accountColumn(accounts, context);
  const found = accounts
    .flatMap((account) => {
      const past = pastEvents(account.data.view);
      const { lines } = activityTile(account.data);
      return past.flatMap((event, nth) => {
        const line = lines[nth];
        return line ? [{ account, line, at: timeOf(event.created) || 0 }] : [];
      });
    })
    .sort((one, other) => other.at - one.at)
    .slice(0, maxActivity)
    .map(({ account, line }) => column.tileLine(account, line));
  const tile = activityTile(withEvents(accounts).data);
  return pagedUnder(column.head(), found.length > 0 ? { ...tile, lines: found } : tile, context);
}

/** Fills the free lines of a board of one page with what happened last in all accounts. */
export const withAllActivity = <Content extends BoardContent>(
  content: Content,
  accounts: readonly AccountPart[],
  context: BoardContext,
): Content => filledUp(content, context, (height) => allActivity(accounts, { ...context, height, page: 0 }).lines);

function allHappening(accounts: readonly AccountPart[], context: BoardContext): Tile {
  const column = accountColumn(accounts, context);
  const lines = accounts
    .filter(({ data }) => data.view.events.some(isInProgress))
    .flatMap((account) => happeningTile(account.data).lines.map((line) => column.tileLine(account, line)));
  const tile = happeningTile(withEvents(accounts).data);
  return lines.length > 0 ? { ...tile, figures: [{ text: String(lines.length) }], lines } : tile;
}

/** The account that says for all that there is nothing: the one of which least is known. */
const withEvents = (accounts: readonly AccountPart[]): AccountPart =>
  firstWith(
    accounts.some(({ data }) => data.eventsReach) ? accounts.filter(({ data }) => data.eventsReach) : accounts,
    ({ data }) => data.noEventsReason === undefined,
  );
