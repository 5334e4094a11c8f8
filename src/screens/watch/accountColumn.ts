import { fitSpans, painted } from '../../components/spans.ts';
import { cell, widthOf } from '../../text/cells.ts';
import type { Tile, TileLine } from '../home/tile.ts';
import { type AccountPart, type BoardContent, type BoardContext, pagedTile, type WallAccounts } from './board.ts';

/** The column in front of the lines of several accounts that names the account of each; one account has none. */
export interface AccountColumn {
  /** Cells behind it. */
  room: number;
  /** Its title; empty for one account. */
  head: string;
  /** A finished line behind the name of its account. */
  before: (account: AccountPart, line: string) => string;
  /** The same for a line of a tile. */
  tileLine: (account: AccountPart, line: TileLine) => TileLine;
}

const title = 'ACCOUNT';
const margin = '  ';
/** Longer names are cut, in cells. */
const maxName = 24;

/** Lays out the column for these accounts. */
export function accountColumn(accounts: WallAccounts, context: BoardContext): AccountColumn {
  const { theme, width, isPartial } = context;
  if (accounts.length === 1 && !isPartial)
    return { room: width, head: '', before: (_, line) => line, tileLine: (_, line) => line };
  const most = Math.min(maxName, Math.floor(width / 5));
  const cells = Math.max(widthOf(title), Math.min(most, Math.max(...accounts.map(({ profile }) => widthOf(profile)))));
  const room = Math.max(0, width - margin.length - cells);
  const before: AccountColumn['before'] = ({ profile, hue }, line) => {
    const name = cell(profile, cells);
    return `${margin}${hue ? theme.hue(hue, name) : name}${line}`;
  };
  return {
    room,
    before,
    head: theme.paint('dim', margin + cell(title, cells)),
    tileLine: (account, line) => ({
      ...line,
      id: `${account.profile} ${line.id}`,
      text: before(account, painted(theme, fitSpans(line.draw({ ...context, width: room }, false), room))),
    }),
  };
}

/** A tile over a whole board; of several accounts with the titles of its columns below its heading on each page. */
export function pagedUnder(
  { head, room }: AccountColumn,
  tile: Tile,
  context: BoardContext,
  titles = ' '.repeat(room),
): BoardContent {
  if (!head) return pagedTile(tile, context);
  const { lines, pages, filled = lines.length } = pagedTile(tile, { ...context, height: context.height - 1 });
  const titled = [...lines.slice(0, 1), head + titles, ...lines.slice(1)];
  return { lines: titled.slice(0, context.height), pages, filled: filled + 1 };
}

/** The first account of which the events, say, are known; the questions are asked in turn until one has such an account. */
export const firstWith = (accounts: WallAccounts, ...questions: ((account: AccountPart) => boolean)[]): AccountPart =>
  questions.map((isKnown) => accounts.find(isKnown)).find((found) => found !== undefined) ?? accounts[0];
