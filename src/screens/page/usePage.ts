import { useMemo, useRef, useState } from 'react';
import { createListWindow } from '../listWindow.ts';
import { type MoveHandlers, moveHandlers, scrollTop } from '../useScroll.ts';

/** A line of a page. One with an id can have the cursor, and those that follow it belong to it. */
export type PageLine = string | { id?: string; text: string | ((isCurrent: boolean) => string) };

export interface PageOptions {
  lines: readonly PageLine[];
  /** The id under the cursor and who is told where it goes, where that outlives the page; else the page keeps it. */
  cursor?: string | undefined;
  setCursor?: (id: string) => void;
  /** Whether the end of what grows is in sight, until somebody scrolls away from it; undefined where nothing grows. */
  startsAtEnd?: boolean;
}

/** Lines of one id: the indices of the first and the last of them. */
interface Item {
  id: string;
  from: number;
  end: number;
}

/** The part of the lines that is on the screen. */
export interface PagePart {
  /** The id under the cursor; undefined where no line has one. */
  current: string | undefined;
  top: number;
  /** The number of lines below what is visible. */
  below: number;
  /** The visible lines as they are drawn. */
  visible: readonly string[];
  /** The handlers that move the cursor or, where no line has an id, scroll. */
  moves: MoveHandlers;
  /** Makes a line the first one, as far as that can be. */
  scrollTo: (line: number) => void;
  /** Moves the cursor to the item of a visible line; whether it was there already, undefined where there is no item. */
  pointAt: (line: number) => boolean | undefined;
}

/** The visible part of lines: with ids among them a cursor moves over these, else the lines scroll. */
export function usePage({ lines, cursor, setCursor, startsAtEnd }: PageOptions, body: number): PagePart {
  const items = useMemo(() => itemsIn(lines), [lines]);
  const [windowOf] = useState(createListWindow<Item>);
  const [own, setOwn] = useState<string>();
  const [wanted, setWanted] = useState<number>();
  const last = useRef(0);
  const { current, cursor: at } = windowOf(items, setCursor ? cursor : own, idOf, body);
  const lowest = Math.max(0, lines.length - body);
  const top = current
    ? // The whole item is in sight where there is room for it, its first line always.
      scrollTop(scrollTop(last.current, lines.length, current.end, body), lines.length, current.from, body)
    : Math.min(wanted ?? (startsAtEnd ? lowest : 0), lowest);
  last.current = top;
  const shown = items.filter(({ from, end }) => end >= top && from < top + body);
  const whole = shown.filter(({ from, end }) => from >= top && end < top + body).length;
  const itemAt = (line: number) => shown.find(({ from, end }) => from <= line && line <= end);
  const choose = ({ id }: Item) => (setCursor ?? setOwn)(id);
  const scrollTo = (line: number) =>
    setWanted(startsAtEnd !== undefined && lowest > 0 && line >= lowest ? Number.POSITIVE_INFINITY : line);
  return {
    current: current?.id,
    top,
    below: lowest - top,
    visible: lines.slice(top, top + body).map((line, index) => {
      if (typeof line === 'string') return line;
      const { text } = line;
      return typeof text === 'string' ? text : text(current !== undefined && itemAt(top + index) === current);
    }),
    moves: current
      ? moveHandlers(at, items.length, Math.max(1, whole), (index) => choose(items[index] as Item))
      : moveHandlers(top, lines.length === 0 ? 0 : lowest + 1, body, scrollTo),
    scrollTo,
    pointAt: (line) => {
      const item = itemAt(top + line);
      if (item && item !== current) choose(item);
      return item && item === current;
    },
  };
}

const idOf = ({ id }: Item): string => id;

function itemsIn(lines: readonly PageLine[]): readonly Item[] {
  const items: Item[] = [];
  lines.forEach((line, index) => {
    if (typeof line !== 'string' && line.id !== undefined) items.push({ id: line.id, from: index, end: index });
    const item = items.at(-1);
    if (item) item.end = index;
  });
  return items;
}
