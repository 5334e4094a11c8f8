import { fitSpans, painted } from '../../components/spans.ts';
import { cell, widthOf } from '../../text/cells.ts';
import type { TileLine } from '../home/tile.ts';
import { type AccountPart, type BoardContent, type BoardContext, pagedTile } from './board.ts';

/** The column in front of the lines of several accounts that names the account of each. */
export interface AccountColumn {
  /** Cells behind it. */
  room: number;
  /** The titles of the columns, those behind it given as a line. */
  head: (titles?: string) => string;
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
export function accountColumn(accounts: readonly AccountPart[], context: BoardContext): AccountColumn {
  const { theme, width } = context;
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
    head: (titles = ' '.repeat(room)) => `${theme.paint('dim', margin + cell(title, cells))}${titles}`,
    tileLine: (account, line) => ({
      ...line,
      id: `${account.profile} ${line.id}`,
      text: before(account, painted(theme, fitSpans(line.draw({ ...context, width: room }, false), room))),
    }),
  };
}

/** A tile over a whole board, with titles below its heading on each page. */
export function pagedUnder(head: string, tile: Parameters<typeof pagedTile>[0], context: BoardContext): BoardContent {
  const { lines, pages, filled = lines.length } = pagedTile(tile, { ...context, height: context.height - 1 });
  return { lines: [...lines.slice(0, 1), head, ...lines.slice(1)].slice(0, context.height), pages, filled: filled + 1 };
}

/** The first account of which the events, say, are known; else the first. */
export function firstWith(accounts: readonly AccountPart[], isKnown: (account: AccountPart) => boolean): AccountPart {
  const found = accounts.find(isKnown) ?? accounts[0];
  if (!found) throw new Error('a wall has no account');
  return found;
}
