import { formatValue, type Glyphs, glyphOf } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { marksOf, type Role, type Theme } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Answer, Collection } from '../../store/cache.ts';
import type { Fleet } from '../../store/fleet.ts';
import type { EventsReach } from '../../store/history/eventLog.ts';
import type { Overlay, Place } from '../../store/navigation.ts';
import type { ProblemsState } from '../../store/problems/problems.ts';
import type { Unexamined } from '../../store/problems/ruleQueries.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { placeOfArea } from '../places.ts';

/** The state of the query for a list, or for a resource of one row. */
export type QueryState = Pick<Answer, 'loading' | 'loadedAt' | 'error'> & Pick<Collection, 'results' | 'keptAt'>;

/** Everything that home is drawn from. */
export interface HomeData {
  /** With the newest events. */
  view: CacheView;
  /** Undefined before the resource was asked for. */
  queryState: (resource: string) => QueryState | undefined;
  problems: Pick<ProblemsState, 'problems' | 'acknowledged' | 'examinedAt'> & {
    /** Those of some accounts are not known. */
    isPartial?: boolean;
  };
  unexamined: readonly Unexamined[];
  /** Answers that rules look at are still to come, and the part of them that is there, in percent. */
  isExamining?: boolean;
  examinedPercent?: number;
  /** Lists of the account are still to come, or to be examined for the first time. */
  isLoading?: boolean;
  /** The load of servers. */
  fleet: Pick<Fleet, 'dayOf' | 'requested'>;
  /** Why no events are shown: they are not read yet, or cannot be read. Undefined once they were read. */
  noEventsReason?: string;
  /** Absent where all events of a day are known, and all that is in progress. */
  eventsReach?: EventsReach;
  readOnly: boolean;
  glyphs: Glyphs;
}

/** Enter on a line opens this. */
export interface TileLink {
  place: Place;
  filter?: string;
  /** The key of that list's view, where the list is a tab of the place. */
  viewKey?: string;
  /** Opened over the present place instead of going anywhere. */
  overlay?: Overlay;
}

export interface DrawContext {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Cells. */
  width: number;
}

/** A line of a tile; the cursor stands on those with a link only. */
export interface TileLine {
  id: string;
  link?: TileLink;
  problem?: Problem;
  /** The line as it is already painted, exactly as wide as its place, and so under the cursor; then it is not drawn. */
  text?: string;
  current?: () => string;
  /** The number of things that it tells; 1 by default. */
  count?: number;
  /** Draws all behind the cursor, which takes two cells of the width; strings of the API are cleaned when it is painted. */
  draw: (context: DrawContext, isCurrent: boolean) => readonly Span[];
}

/** Ages are drawn again after this many milliseconds. */
export const ageStepMs = 5_000;

/** The parts of home, the most important first. */
export const tileNames = [
  'problems',
  'happening',
  'servers',
  'regions',
  'fleet',
  'nodebalancers',
  'managed',
  'storage',
  'money',
  'tickets',
  'activity',
] as const;
export type TileName = (typeof tileNames)[number];

/** A heading with figures, and lines. */
export interface Block {
  name: string;
  title: string;
  /** Beside the title, the most important first. */
  figures: readonly Span[];
  /** The link of the heading. */
  link?: TileLink;
  lines: readonly TileLine[];
  /** The number of things left out because no screen has room for them. */
  omitted?: number;
  /** A sentence at the end. */
  note?: string;
}

/** One part of home. */
export interface Tile extends Block {
  name: TileName;
  /** The figures of a tile of one line; `figures` by default. */
  summary?: readonly Span[];
  /** The title of a tile of one line; `title` by default. */
  short?: string | undefined;
  link: TileLink;
}

/** A line behind the cursor, or behind a blank in its place. */
export const lineSpans = (line: TileLine, context: DrawContext, isCurrent: boolean): readonly Span[] => [
  { text: `${isCurrent ? marksOf(context.theme).pointer : ' '} `, role: 'accent' },
  ...line.draw(context, isCurrent),
];

/** The part of a line that is highlighted under the cursor. */
export const nameSpan = (text: string, isCurrent: boolean, role?: Role): Span => ({
  text,
  role: isCurrent ? 'cursor' : role,
});

/** As many spans as fit, each after two blanks; the first is cut rather than left out where six cells of it remain. */
export function fittingSpans(spans: readonly Span[], width: number): readonly Span[] {
  const shown: Span[] = [];
  let used = 0;
  for (const span of spans) {
    used += 2 + widthOf(span.text);
    if (used > width && (shown.length > 0 || width < 8)) break;
    shown.push({ text: '  ' }, { ...span, text: cut(span.text, width - 2) });
  }
  return shown;
}

/** The cells of spans beside each other. */
export const widthOfSpans = (spans: readonly Span[]) => spans.reduce((sum, { text }) => sum + widthOf(text), 0);

type Named = Pick<Block, 'name' | 'title'>;

/** The heading of a tile: its title and figures, then a rule up to the edge. */
export const headingLine = ({ name, title, figures = [], link }: Named & Partial<Block>): TileLine => ({
  id: name,
  link,
  draw: (context, isCurrent) => {
    const shown = fittingSpans(figures, context.width - widthOf(title) - 4);
    const room = context.width - widthOf(title) - widthOfSpans(shown) - 3;
    const rule = room > 0 ? ` ${marksOf(context.theme).dash.repeat(room)}` : '';
    return [nameSpan(title, isCurrent, 'title'), ...shown, { text: rule, role: 'dim' }];
  },
});

const summaryTitleWidth = 13;

/** A tile as one line. */
export function summaryLine(tile: Tile): TileLine {
  const { name, short: title = tile.title, figures, summary = figures, link } = tile;
  return {
    id: name,
    link,
    draw: (context, isCurrent) => [
      nameSpan(title, isCurrent, 'title'),
      { text: ' '.repeat(Math.max(0, summaryTitleWidth - widthOf(title))) },
      ...fittingSpans(summary, context.width - Math.max(summaryTitleWidth, widthOf(title)) - 2),
    ],
  };
}

/** The number of lines below the heading of a tile. */
export const countOfLines = ({ lines, omitted = 0, note }: Block): number => lines.length + omitted + (note ? 1 : 0);

/** The lines below the heading of a tile in `room` lines; the last one counts those left out. */
export function visibleLines(tile: Block, room: number): readonly TileLine[] {
  const { name, lines, omitted = 0, note, link } = tile;
  if (countOfLines(tile) <= room) return note ? [...lines, noteLine(`${name}:note`, note)] : lines;
  // In little room another line is worth more than the number of the rest, which the heading has.
  if (room < 4 || name === 'activity') return lines.slice(0, room);
  const left = lines.slice(room - 1).reduce((sum, { count = 1 }) => sum + count, omitted);
  return [
    ...lines.slice(0, room - 1),
    {
      id: `${name}:more`,
      link,
      draw: (_, isCurrent) => [
        nameSpan(`${grouped(left)} more`, isCurrent, 'accent'),
        { text: note ? `  ${note}` : '', role: 'dim' },
      ],
    },
  ];
}

/** A sentence without a link. */
export const noteLine = (id: string, text: string): TileLine => ({
  id,
  draw: ({ width }) => [{ text: cut(text, width - 2), role: 'dim' }],
});

const labelWidth = 13;
const amountWidth = 11;

/** A label, an amount and remarks, the most important first. */
export const amountLine = (
  id: string,
  link: TileLink,
  label: string,
  amount: Span,
  remarks: readonly Span[] = [],
): TileLine => ({
  id,
  link,
  draw: (context, isCurrent) => {
    const name = cell(label, Math.min(labelWidth, context.width - amountWidth - 2));
    return [
      nameSpan(name, isCurrent),
      { ...amount, text: cell(amount.text, amountWidth, 'right') },
      ...fittingSpans(remarks, context.width - 2 - widthOf(name) - amountWidth),
    ];
  },
});

/** In cells: at the far edge of a wider line nobody would find whose its end is. */
const maxItemWidth = 34;

/** An item of a list: a mark, a name, and something at the right edge, which is that of lines that are so wide. */
export const itemLine = (id: string, link: TileLink, mark: Span, name: string, end = '', wide = 0): TileLine => ({
  id,
  link,
  draw: (context, isCurrent) => {
    const right = end && `  ${end}`;
    const beside = 2 + widthOf(mark.text) + widthOf(right);
    const room = Math.min(context.width, Math.max(maxItemWidth, wide, beside + widthOf(clean(name)))) - beside;
    const label = cut(name, room);
    return [
      mark,
      nameSpan(label, isCurrent),
      { text: ' '.repeat(Math.max(0, room - widthOf(label))) },
      { text: right, role: 'dim' },
    ];
  },
});

/** A tile without data, with a word or two in its heading. */
export function placeholderTile(tile: Pick<Tile, 'name' | 'title' | 'link'>, text: string): Tile {
  return { ...tile, figures: [{ text, role: 'dim' }], lines: [] };
}

/** Shown in place of data that is not there; undefined once it was read, in an earlier session if not in this one. */
export const placeholderText = (state: QueryState | undefined): string | undefined =>
  state?.keptAt === undefined ? unreadText(state) : undefined;

/** Tells why data was not read in this session; undefined once it was. */
export function unreadText(state: QueryState | undefined): string | undefined {
  if (state?.error?.status === 403) return 'not allowed';
  if (state?.loadedAt !== undefined) return undefined;
  return state?.error && !state.loading ? 'not read' : '…';
}

/** A link to the list of a resource, or to its only row. */
export const linkToList = (name: string, filter?: string): TileLink => {
  const resource = resourceNamed(name);
  return { place: placeOfArea(resource), ...(isSingle(resource) ? {} : { filter: filter ?? '' }) };
};

/** A count after the glyph of a status, in its colour. */
export function statusCount(status: string, count: string, glyphs: Glyphs): Span {
  const { text, role } = formatValue(status, 'status', { glyphs });
  return { text: `${glyphOf(text)} ${count}`, role };
}
