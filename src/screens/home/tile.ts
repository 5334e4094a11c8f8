import { formatValue, type Glyphs } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { marksOf, type Role, type Theme } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Answer, Collection } from '../../store/cache.ts';
import type { Fleet } from '../../store/fleet.ts';
import type { Place } from '../../store/navigation.ts';
import type { ProblemsState } from '../../store/problems.ts';
import type { Unexamined } from '../../store/survey.ts';
import { cell, cut, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { placeOfArea } from '../places.ts';

/** The state of reading a list, or of what there is only one of. */
export type QueryState = Pick<Answer, 'loading' | 'loadedAt' | 'error'> & Pick<Collection, 'results'>;

/** Everything that home is drawn from. */
export interface HomeData {
  /** With the newest events. */
  view: CacheView;
  /** The state of reading a resource; undefined before it began. */
  queryState: (resource: string) => QueryState | undefined;
  problems: Pick<ProblemsState, 'problems' | 'acknowledged' | 'examinedAt'>;
  unexamined: readonly Unexamined[];
  /** The load of servers. */
  fleet: Pick<Fleet, 'dayOf' | 'asked'>;
  /** Why there are no events: they are being read, or could not be. */
  noEventsReason?: string;
  readOnly: boolean;
  glyphs: Glyphs;
}

/** Where a line leads. */
export interface Link {
  place: Place;
  /** The filter that the list is looked at with. */
  filter?: string;
}

export interface DrawContext {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Cells. */
  width: number;
}

/** A line that the cursor can stand on when it leads somewhere. */
export interface TileLine {
  id: string;
  link?: Link;
  /** The problem that it tells of. */
  problem?: Problem;
  /** Not wider than the pen; strings of the API are cleaned when the spans are put together. */
  draw: (pen: DrawContext, isCurrent: boolean) => readonly Span[];
}

/** A line that is the same as long as what it tells of is the same. */
export function keptLine<T extends object>(lineOf: (of: T) => TileLine): (of: T) => TileLine {
  const lines = new WeakMap<T, TileLine>();
  return (of) => {
    const line = lines.get(of) ?? lineOf(of);
    lines.set(of, line);
    return line;
  };
}

/** The parts of home, in the order of their importance. */
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

/** One part of home: a heading with figures, and lines. */
export interface Tile {
  name: TileName;
  title: string;
  /** Stand beside the title, the most important first. */
  figures: readonly Span[];
  /** Stands there where the tile has no other line; the figures by default. */
  summary?: readonly Span[];
  /** The heading leads there. */
  link: Link;
  lines: readonly TileLine[];
  /** Lines beyond what any screen has room for, counted. */
  further?: number;
  /** A sentence at the end. */
  note?: string;
}

/** Stands before a line. */
export const pointerSpan = ({ theme }: DrawContext, isCurrent: boolean): Span => ({
  text: `${isCurrent ? marksOf(theme).pointer : ' '} `,
  role: 'accent',
});

/** The words of a line that tell which one it is. */
export const nameSpan = (text: string, isCurrent: boolean, role?: Role): Span => ({
  text,
  role: isCurrent ? 'cursor' : role,
});

const apart = '  ';

/** As many of these from the first on as fit, each with a space before it; the first is cut rather than left out. */
function fitting(spans: readonly Span[], width: number): readonly Span[] {
  const shown: Span[] = [];
  let used = 0;
  for (const span of spans) {
    used += apart.length + widthOf(span.text);
    if (used > width && shown.length > 0) break;
    shown.push({ text: apart }, { ...span, text: cut(span.text, width - apart.length) });
  }
  return shown;
}

const widthOfAll = (spans: readonly Span[]) => spans.reduce((sum, { text }) => sum + widthOf(text), 0);

/** The heading of a tile: its title and figures, then a rule up to the edge. */
export function headingLine({ name, title, figures, link }: Tile): TileLine {
  return {
    id: name,
    link,
    draw: (pen, isCurrent) => {
      const shown = fitting(figures, pen.width - widthOf(title) - 4);
      const room = pen.width - widthOf(title) - widthOfAll(shown) - 3;
      const rule = room > 0 ? ` ${marksOf(pen.theme).dash.repeat(room)}` : '';
      return [pointerSpan(pen, isCurrent), nameSpan(title, isCurrent, 'title'), ...shown, { text: rule, role: 'dim' }];
    },
  };
}

const briefTitleWidth = 13;

/** A tile as one line. */
export function summaryLine({ name, title, figures, summary = figures, link }: Tile): TileLine {
  return {
    id: name,
    link,
    draw: (pen, isCurrent) => [
      pointerSpan(pen, isCurrent),
      nameSpan(title, isCurrent, 'title'),
      { text: ' '.repeat(Math.max(0, briefTitleWidth - widthOf(title))) },
      ...fitting(summary, pen.width - briefTitleWidth - 2),
    ],
  };
}

/** Counts a tile's lines below its heading. */
export const countOfLines = ({ lines, further = 0, note }: Tile): number => lines.length + further + (note ? 1 : 0);

/** The lines of a tile that stand below its heading where there is room for so many; what is left out is counted. */
export function visibleLines(tile: Tile, room: number): readonly TileLine[] {
  const { name, lines, further = 0, note, link } = tile;
  if (countOfLines(tile) <= room) return note ? [...lines, noteLine(`${name}:note`, note)] : lines;
  // Where there is little room it is worth more than the number of those left out, which the heading tells.
  if (room < 4 || name === 'activity') return lines.slice(0, room);
  const hidden = `${grouped(lines.length + further - room + 1)} more`;
  return [
    ...lines.slice(0, room - 1),
    {
      id: `${name}:more`,
      link,
      draw: (pen, isCurrent) => [
        pointerSpan(pen, isCurrent),
        nameSpan(hidden, isCurrent, 'accent'),
        { text: note ? `  ${note}` : '', role: 'dim' },
      ],
    },
  ];
}

/** A sentence on which the cursor does not stand. */
export const noteLine = (id: string, says: string): TileLine => ({
  id,
  draw: ({ width }) => [{ text: `  ${cut(says, width - 2)}`, role: 'dim' }],
});

const labelWidth = 13;
const amountWidth = 11;

interface AmountLine {
  id: string;
  label: string;
  amount: Span;
  /** Further remarks, the most important first. */
  remarks?: readonly Span[];
  link: Link;
}

/** A label, an amount and remarks. */
export const amountLine = ({ id, label, amount, remarks = [], link }: AmountLine): TileLine => ({
  id,
  link,
  draw: (pen, isCurrent) => {
    const name = cell(label, Math.min(labelWidth, pen.width - amountWidth - 2));
    return [
      pointerSpan(pen, isCurrent),
      nameSpan(name, isCurrent),
      { ...amount, text: cell(amount.text, amountWidth, 'right') },
      ...fitting(remarks, pen.width - 2 - widthOf(name) - amountWidth),
    ];
  },
});

interface ItemLine {
  id: string;
  mark: Span;
  name: string;
  /** Stands at the right edge. */
  end?: string;
  link: Link;
}

/** One of several things: a mark, how it is called, and something at the right edge. */
export const itemLine = ({ id, mark, name, end = '', link }: ItemLine): TileLine => ({
  id,
  link,
  draw: (pen, isCurrent) => {
    const right = end === '' ? '' : `${apart}${end}`;
    const room = Math.max(0, pen.width - 2 - widthOf(mark.text) - widthOf(right));
    const label = cut(name, room);
    return [
      pointerSpan(pen, isCurrent),
      mark,
      nameSpan(label, isCurrent),
      { text: ' '.repeat(Math.max(0, room - widthOf(label))) },
      { text: right, role: 'dim' },
    ];
  },
});

/** A tile of which nothing is known: why, in two words. */
export const placeholderTile = (tile: Pick<Tile, 'name' | 'title' | 'link'>, words: string): Tile => ({
  ...tile,
  figures: [{ text: words, role: 'dim' }],
  lines: [],
});

/** Why nothing can be said of a resource, in two words; undefined once it was read. */
export function placeholderText(reading: QueryState | undefined): string | undefined {
  if (reading?.error?.status === 403) return 'not allowed';
  if (reading?.loadedAt !== undefined) return undefined;
  return reading?.error && !reading.loading ? 'not read' : '…';
}

/** The list of a resource, or what there is only one of. */
export const linkToList = (name: string, filter?: string): Link => {
  const resource = resourceNamed(name);
  return { place: placeOfArea(resource), ...(isSingle(resource) ? {} : { filter: filter ?? '' }) };
};

/** A number behind the glyph of a status, in its colour. */
export function statusCount(status: string, count: string, glyphs: Glyphs): Span {
  const { text, role } = formatValue(status, 'status', { now: 0, glyphs });
  return { text: `${text.split(' ', 1)[0] ?? ''} ${count}`, role };
}
