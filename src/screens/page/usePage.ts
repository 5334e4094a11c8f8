import { createContext, useContext, useMemo, useRef, useState } from 'react';
import { pointerOf, type Theme } from '../../components/theme.ts';
import { createListWindow, moveHandlers, scrollTop } from './listWindow.ts';

/** The lines at the end of a place that a popup may cover: a cursor is kept out of them. */
export const CoveredContext = createContext(0);

/** Draws a line: whether the cursor is on its item, and whether it is the first visible one. */
type DrawLine = (isCurrent: boolean, isFirst: boolean) => string;

/** A line of a page. One with an id can have the cursor, and those that follow it belong to it. */
export type PageLine = string | { id?: string; text: string | DrawLine };

/** The lines of an item, with the cursor before the first and as much room before the others; `lead` stands before all. */
export const itemLines = (theme: Theme, id: string, lines: readonly string[], lead = ''): readonly PageLine[] =>
  lines.map((line, nth): PageLine => {
    if (nth > 0) return `${lead}  ${line}`;
    return { id, text: (isCurrent) => `${lead}${pointerOf(theme, isCurrent)} ${line}` };
  });

export interface PageOptions {
  lines: readonly PageLine[];
  /** The id under the cursor and who is told where it goes, where that outlives the page; else the page keeps it. */
  cursor?: string | undefined;
  setCursor?: (id: string) => void;
  /** Names the choice of lines: with another one a cursor without an item of its own begins anew, and nothing was seen. */
  order?: string | undefined;
  /** Whether the end of what grows is in sight, until somebody scrolls away from it; undefined where nothing grows. */
  startsAtEnd?: boolean;
}

/** Lines of one id: the indices of the first and the last of them. */
interface Item {
  id: string;
  from: number;
  end: number;
}

/** The items of a page and the one under the cursor. */
export type PageCursor = ReturnType<typeof usePageCursor>;

/** Lines without a cursor. */
export const noItems: PageCursor = { items: [], at: 0, current: undefined, choose: () => {} };

/** The cursor over the items of a page; where its item goes, it stays in its place. */
export function usePageCursor({ lines, cursor, setCursor, order }: PageOptions) {
  const items = useMemo(() => itemsIn(lines), [lines]);
  const [windowOf] = useState(createListWindow<Item>);
  const [own, setOwn] = useState<string>();
  const { current, cursor: at } = windowOf(items, setCursor ? cursor : own, ({ id }) => id, 1, false, order);
  return {
    items,
    at,
    /** Undefined where no line has an id. */
    current,
    choose: ({ id }: Item) => (setCursor ?? setOwn)(id),
  };
}

/** The part of the lines that is on the screen. */
export type PagePart = ReturnType<typeof usePagePart>;

/** The visible part of lines, of which `body` fit: with ids among them a cursor moves over these, else the lines scroll. */
export function usePagePart({ lines, startsAtEnd, order }: PageOptions, cursor: PageCursor, body: number) {
  const { items, at, current, choose } = cursor;
  // Another choice of lines is read from its begin.
  const [scrolled, setScrolled] = useState<{ order: string | undefined; line: number }>();
  const wanted = scrolled?.order === order ? scrolled?.line : undefined;
  const setWanted = (line: number) => setScrolled({ order, line });
  const last = useRef(0);
  const free = Math.max(1, body - useContext(CoveredContext));
  const lowest = Math.max(0, lines.length - body);
  // Not more than a heading is above the first item.
  const isAllItems = (items[0]?.from ?? lines.length) < Math.min(3, free);
  const from = isAllItems && at === 0 ? 0 : (current?.from ?? 0);
  const top = current
    ? // The whole item is in sight where there is room for it, its first line always.
      scrollTop(scrollTop(last.current, lines.length, current.end, free), lines.length, from, free)
    : Math.min(wanted ?? (startsAtEnd ? lowest : 0), lowest);
  last.current = top;
  const seen = useRef<{ order: string | undefined }>(undefined);
  if (top === lowest) seen.current = { order };
  const shown = items.filter(({ from, end }) => end >= top && from < top + body);
  const whole = shown.filter(({ from, end }) => from >= top && end < top + body);
  const [first] = whole.length > 0 ? whole : shown;
  const itemAt = (index: number) => shown.find(({ from, end }) => from <= index && index <= end);
  /** Makes a line the first one, as far as that can be. */
  const scrollTo = (line: number) =>
    setWanted(startsAtEnd !== undefined && line >= lowest ? Number.POSITIVE_INFINITY : line);
  return {
    /** The id under the cursor. */
    current: current?.id,
    top,
    /** The position: in items where these are all of the page but for a heading, else in lines. */
    place:
      first && isAllItems
        ? { top: items.indexOf(first), body: Math.max(1, whole.length), count: items.length }
        : { top, body, count: lines.length },
    /** The number of lines below what is visible. */
    below: lowest - top,
    /** The last line has been on the screen. */
    isSeen: seen.current !== undefined && seen.current.order === order,
    visible: lines.slice(top, top + body).map((line, nth) => {
      if (typeof line === 'string') return line;
      const { text } = line;
      if (typeof text === 'string') return text;
      return text(current !== undefined && itemAt(top + nth) === current, nth === 0);
    }),
    /** The handlers that move the cursor or, where no line has an id, scroll. */
    moves: current
      ? moveHandlers(at, items.length, Math.max(1, whole.length), (index) => choose(items[index] as Item))
      : moveHandlers(top, lowest + 1, body, scrollTo),
    scrollTo,
    idAt: (line: number) => itemAt(top + line)?.id,
  };
}

function itemsIn(lines: readonly PageLine[]): readonly Item[] {
  const items: Item[] = [];
  lines.forEach((line, index) => {
    if (typeof line !== 'string' && line.id !== undefined) items.push({ id: line.id, from: index, end: index });
    const item = items.at(-1);
    if (item) item.end = index;
  });
  return items;
}
