import { fitSpans, painted, type Span } from '../../components/spans.ts';
import type { Hue } from '../../components/theme.ts';
import { isInProgress } from '../../resources/account/events.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Query } from '../../store/cache.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { timeOf } from '../../text/times.ts';
import { drawTiles, type PlacedTile } from '../home/drawTiles.ts';
import { activityLine, activityTile, happeningTile, maxActivity, pastEvents } from '../home/eventTiles.ts';
import {
  countOfLines,
  type DrawContext,
  type HomeData,
  headingLine,
  lineSpans,
  type Tile,
  type TileLine,
  visibleLines,
} from '../home/tile.ts';

export interface BoardContext extends DrawContext {
  /** Lines. */
  height: number;
  /** The page that is shown, from 0 on; a board with fewer pages shows its first one. */
  page: number;
  /** Some accounts of a wall of several are not open. */
  isPartial?: boolean;
}

/** Divides so many lines into pages of `room` lines. */
export function partOf(count: number, room: number, page: number) {
  const pages = room > 0 ? Math.max(1, Math.ceil(count / room)) : 1;
  const from = page < pages ? page * room : 0;
  const to = Math.min(count, from + Math.max(0, room));
  const text = `${grouped(from + 1)}–${grouped(to)} of ${grouped(count)}`;
  /** `37–72 of 120`; nothing where one page shows all. */
  const position: readonly Span[] = pages > 1 ? [{ text, role: 'dim' }] : [];
  return { from, to, pages, position };
}

/** A tile over a whole board, one page of its lines after the other; a note stands on the last one. */
export function pagedTile(tile: Tile, context: BoardContext): BoardContent {
  const { lines, omitted = 0, note, figures } = tile;
  const isShort = lines.length + omitted + (note ? 1 : 0) < context.height;
  const part = partOf(lines.length, context.height - (note || omitted > 0 ? 2 : 1), context.page);
  const isLast = part.to === lines.length;
  const shown = {
    ...tile,
    lines: lines.slice(part.from, part.to),
    figures: [...part.position, ...figures],
    omitted: isLast ? omitted : 0,
    note: isLast ? note : undefined,
  };
  return {
    lines: drawStacked([{ tile: isShort ? tile : shown, height: context.height }], context),
    pages: part.pages,
    filled: Math.min(context.height, 1 + countOfLines(isShort ? tile : shown)),
  };
}

/** Lines of exactly the width of the board, at most as many as its height. */
export interface BoardContent {
  lines: readonly string[];
  /** By profile: queries about single rows that are visible. */
  queriesOf?: Readonly<Record<string, readonly Query[]>>;
  /** The number of pages; one by default. */
  pages?: number;
  /** Lines from the first on that show something; all by default. */
  filled?: number;
}

/** One account of a wall. */
export interface AccountPart {
  profile: string;
  /** The colour of its profile. */
  hue: Hue | undefined;
  data: HomeData;
}

/** All accounts of a board, or the only one. */
export type WallAccounts = readonly [AccountPart, ...AccountPart[]];

/** One screen of the wall monitor. */
export interface Board {
  name: string;
  title: string;
  /** Lists that it reads besides those of all boards. */
  reads?: readonly string[];
  /** It shows all accounts of a wall of several at once; the others show one account after the other. */
  showsAll?: true;
  isEmpty: (view: CacheView) => boolean;
  draw: (accounts: WallAccounts, context: BoardContext) => BoardContent;
}

/** Draws tiles below each other; each height includes the heading. */
export function drawStacked(
  tiles: readonly { tile: Tile; height: number }[],
  context: BoardContext,
): readonly string[] {
  const placed: PlacedTile[] = [];
  let top = 0;
  for (const { tile, height } of tiles) {
    const region = { tile: tile.name, left: 0, top, width: context.width, height };
    if (height > 0) placed.push({ region, lines: [headingLine(tile), ...visibleLines(tile, height - 1)] });
    top += Math.max(0, height);
  }
  return drawTiles(placed, { ...context, height: Math.min(top, context.height) })();
}

/** The column in front of the lines of several accounts that names the account of each; one account has none. */
export type AccountColumn = ReturnType<typeof accountColumn>;

const title = 'ACCOUNT';
const margin = '  ';
/** Longer names are cut, in cells. */
const maxName = 24;

/** Lays out the column for these accounts. */
export function accountColumn(accounts: WallAccounts, context: BoardContext) {
  const { theme, width, isPartial } = context;
  const isAlone = accounts.length === 1 && !isPartial;
  const most = Math.min(maxName, Math.floor(width / 5));
  const cells = Math.max(widthOf(title), Math.min(most, Math.max(...accounts.map(({ profile }) => widthOf(profile)))));
  /** Cells behind it. */
  const room = isAlone ? width : Math.max(0, width - margin.length - cells);
  /** A finished line behind the name of its account. */
  const before = ({ profile, hue }: AccountPart, line: string) => {
    if (isAlone) return line;
    const name = cell(profile, cells);
    return `${margin}${hue ? theme.hue(hue, name) : name}${line}`;
  };
  return {
    room,
    before,
    /** Its title; empty for one account. */
    head: isAlone ? '' : theme.paint('dim', margin + cell(title, cells)),
    /** The same for a line of a tile. */
    tileLine: (account: AccountPart, line: TileLine): TileLine => {
      if (isAlone) return line;
      const text = painted(theme, fitSpans(lineSpans(line, { ...context, width: room }, false), room));
      return { ...line, id: `${account.profile} ${line.id}`, text: before(account, text) };
    },
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
    .flatMap((account) => pastEvents(account.data.view.events).map((event) => ({ account, event })))
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
