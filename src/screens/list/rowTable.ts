import { columnGap, placeColumns, type TableColumn } from '../../components/tableLayout.ts';
import { marksOf } from '../../components/theme.ts';
import { memoizeOne } from '../../resources/memoize.ts';
import { type Column, type Row, viewWith } from '../../resources/resource.ts';
import type { Event } from '../../store/events.ts';
import { cell, widthOf } from '../../text/cells.ts';
import {
  formatCell,
  minWidth,
  type PlacedColumn,
  type RowContext,
  type RowState,
  rowLine,
  rowProgress,
} from './rowLines.ts';

/** Rows as lines under the titles of their columns. */
export interface RowTable {
  head: string;
  /** The further operations that the columns shown need. */
  operations: readonly string[];
  line(row: Row, place?: RowState, lazyAnswer?: RowContext['lazyAnswer']): string;
}

interface TableOptions {
  /** Those under way on rows are written in place of their status. */
  events?: readonly Event[];
  sort?: string;
  /** The rows by which the columns are measured; by default those that are shown. */
  sample?: readonly Row[];
}

/** A row as it was written last, and what that depended on beside what all rows have in common. */
interface CachedLine {
  text: string;
  of: readonly unknown[];
  /** Until when it tells the ages in it as they are, in ms since the epoch. */
  until: number;
}

/** Columns in their places, the further operations that they need, and the rows that were written so. */
interface Layout {
  placed: readonly PlacedColumn[];
  operations: readonly string[];
  written: WeakMap<Row, CachedLine>;
}

/** Ages are left as they are for so many milliseconds while keys are pressed: those in seconds or minutes, and longer ones. */
const ageLifetimeMs = { short: 5_000, long: 60_000 } as const;
const shortAge = /\d (s|min)\b/;

/** As many layouts as a list goes back and forth between: with something beside it and without. */
const maxLayouts = 3;

/** Of so many rows all are measured; of more a sample, evenly drawn, so that scrolling moves nothing. */
export const maxMeasured = 200;

/** Cells before the first column: the cursor and the mark. */
const gutter = 3;

const isSortedBy = ({ title }: { title: string }, sort: string | undefined) => sort?.replace(/^-/, '') === title;

/** Lays out rows; each is measured once, and written anew only when something of it has changed. */
export function createRowTable({ resource, columns, theme, cacheView }: Omit<RowContext, 'events' | 'lazyAnswer'>) {
  let isClockRead = false;
  const watched = viewWith(cacheView, {
    get now() {
      isClockRead = true;
      return cacheView.now;
    },
  });
  const pen: RowContext = { resource, columns, theme, cacheView: watched, events: [] };
  const widths: RowWidths = new WeakMap();
  const layouts = new Map<string, Layout>();
  const measured = memoizeOne((rows: readonly Row[]) => measuredColumns(rows, pen, widths));
  const layoutOf = memoizeOne((sized: readonly TableColumn[], width: number, sort: string | undefined) => {
    const titled = sized.map((one) => (isSortedBy(one, sort) ? { ...one, title: `${one.title}↑` } : one));
    const places = placeColumns(titled, width - gutter);
    const key = places.map(({ index, width }) => `${index} ${width}`).join();
    const placed = places.map(({ index, width }) => ({ column: columns[index] as Column, width }));
    const operations = [...new Set(placed.flatMap(({ column }) => column.lazy ?? []))];
    const layout = layouts.get(key) ?? { placed, operations, written: new WeakMap() };
    if (layouts.size >= maxLayouts) layouts.clear();
    layouts.set(key, layout);
    return layout;
  });

  /** @param width of each line, in cells */
  return (rows: readonly Row[], width: number, { events = [], sort, sample = rows }: TableOptions = {}): RowTable => {
    pen.events = events;
    const { placed, operations, written } = layoutOf(measured(sample), width, sort);
    return {
      head: headerLine(placed, pen, sort, rows[0]),
      operations,
      line: (row, place = {}, lazyAnswer) => {
        const answers = operations.map((operation) => lazyAnswer?.(row, operation));
        const of = [place.isCurrent, place.isMarked, place.doing, rowProgress(row, pen), ...answers];
        const last = written.get(row);
        if (last && cacheView.now < last.until && last.of.every((one, index) => one === of[index])) return last.text;
        isClockRead = false;
        const text = rowLine(row, placed, { ...pen, lazyAnswer }, place);
        const lasts = isClockRead ? ageLifetimeMs[shortAge.test(text) ? 'short' : 'long'] : Number.POSITIVE_INFINITY;
        written.set(row, { text, of, until: cacheView.now + lasts });
        return text;
      },
    };
  };
}

/** The titles of the columns, the one that is sorted by with an arrow. */
function headerLine(placed: readonly PlacedColumn[], pen: RowContext, sort: string | undefined, row: Row | undefined) {
  const { up, down } = marksOf(pen.theme);
  const cells = placed.map(({ column, width }) => {
    const align = row ? formatCell(row, column, pen).align : 'left';
    const arrow = isSortedBy(column, sort) ? (sort?.startsWith('-') ? down : up) : '';
    return cell(`${column.title.toUpperCase()}${arrow}`, width, align);
  });
  return pen.theme.paint('dim', `${' '.repeat(gutter)}${cells.join(columnGap)}`);
}

/** The cells that the values of rows take, a number for each column. */
type RowWidths = WeakMap<Row, readonly number[]>;

/** The columns as wide as a sample of the rows takes, which is measured into `widths`. */
function measuredColumns(rows: readonly Row[], pen: RowContext, widths: RowWidths): readonly TableColumn[] {
  const step = Math.max(1, Math.floor(rows.length / maxMeasured));
  const sample = Array.from({ length: Math.ceil(rows.length / step) }, (_, nth) => {
    const row = rows[nth * step] as Row;
    const own = widths.get(row) ?? pen.columns.map((column) => widthOf(formatCell(row, column, pen).text));
    widths.set(row, own);
    return own;
  });
  return pen.columns.map((column, nth) => ({
    title: column.title,
    keep: column.keep ?? 2,
    content: sample.reduce((most, own) => Math.max(most, own[nth] ?? 0), minWidth(column)),
    most: column.width,
  }));
}
