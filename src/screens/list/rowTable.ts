import type { Span } from '../../components/spans.ts';
import { columnGap, placeColumns, type TableColumn } from '../../components/tableLayout.ts';
import { paramsOf } from '../../resources/identity.ts';
import { fetchedFor } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { type Column, type Row, viewWith } from '../../resources/resource.ts';
import type { Event } from '../../store/events.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { clean, widthOf } from '../../text/cells.ts';
import { ageLifetimeMs } from '../../text/times.ts';
import { gutter, headerLine, isSortedBy } from './listTitle.ts';
import {
  type Drawing,
  drawnIn,
  formatCell,
  leastWidth,
  minWidth,
  type PlacedRowColumn,
  type RowContext,
  type RowState,
  rowCells,
  rowLine,
  rowProgress,
} from './rowLines.ts';
import type { Answers } from './useFetches.ts';

/** A cell in full, with the title of its column. */
export interface CutCell {
  title: string;
  text: string;
}

interface TableOptions {
  /** Events under way replace the status of their rows. */
  events?: readonly Event[];
  sort?: string;
  /** The rows that determine the column widths; by default those that are shown. */
  sample?: readonly Row[];
  /** The least that each given column counts as its widest value, so that tables beside each other have the same columns. */
  contents?: readonly number[];
  /** The columns that are drawn. */
  drawing?: Drawing;
}

/** The cells of a row, with the values that they were made of, and the last lines that have them. */
interface CachedRow {
  cells: readonly Span[];
  of: readonly unknown[];
  /** When the ages in them expire, in ms since the epoch. */
  expiresAt: number;
  /** Where those values come from, besides the row. */
  from: readonly unknown[];
  /** Until then values from the same are taken to be the same, in ms since the epoch. */
  until: number;
  lines: readonly { text: string; of: readonly unknown[] }[];
}

/** Values are looked at again after this time though the answers are the same: those may be out of date by then. */
const lookMs = 5_000;

/** The lines of a row that are kept: with the cursor and without. */
const maxLines = 2;

/** A list alternates between few layouts, e.g. with a pane beside it and without. */
const maxLayouts = 3;

/** Up to this many rows are all measured; of more an even sample, so that scrolling does not move columns. */
export const maxMeasured = 200;

/** The column that a list is sorted by has room for its arrow, and is seen whatever else has to go. */
const sortedColumn = (one: TableColumn): TableColumn => ({
  ...one,
  title: `${one.title}↑`,
  keep: one.keep === 1 ? 1 : 0,
});

/** Lays out rows; each is measured once and formatted again only when its inputs change. */
export function createRowTable({ resource, columns, theme, cacheView, indent = 0 }: Omit<RowContext, 'events'>) {
  let isClockRead = false;
  const watched = viewWith(cacheView, {
    get now() {
      isClockRead = true;
      return cacheView.now;
    },
  });
  const context: RowContext = { resource, columns, theme, cacheView: watched, events: [], indent };
  const widths: RowWidths = new WeakMap();
  /** The cached rows of each layout. */
  const caches = new Map<string, WeakMap<Row, CachedRow>>();
  const headOf = memoizeOne(
    (
      placed: readonly PlacedRowColumn[],
      sort: string | undefined,
      row: Row | undefined,
      width: number,
      drawing?: Drawing,
    ) => headerLine(placed, { ...context, drawing }, sort, row, width),
  );
  const measured = memoize((rows) => measuredColumns(rows, context, widths));
  const widened = memoizeOne(
    (own: Measured, contents: readonly number[]): Measured => ({
      ...own,
      sized: own.sized.map((one, nth) => ({ ...one, content: Math.max(one.content, contents[nth] ?? 0) })),
    }),
  );
  const layoutOf = memoizeOne(({ sized, samples }: Measured, width: number, sort?: string, drawing?: Drawing) => {
    const isDrawn = (index: number) => drawnIn(drawing, columns[index] as Column) !== undefined;
    const titled = sized.map((one, index) => ({
      ...(isSortedBy(one, sort) ? sortedColumn(one) : one),
      steps: drawnIn(drawing, columns[index] as Column)?.widths,
    }));
    const places = placeColumns(titled, width - gutter - indent);
    const key = places.map(({ index, width }) => `${index} ${width}`).join();
    const placed = places.map(({ index, width }) => ({ column: columns[index] as Column, width }));
    const shown = placed.map(({ column }) => column);
    const fetching = shown.filter((column) => column.fetches !== undefined && !drawnIn(drawing, column));
    const cutWidth = Math.max(
      0,
      ...samples.map((own) =>
        places.reduce((sum, { index, width }) => {
          const isCut = (own[index] ?? 0) > width && !isDrawn(index);
          return sum + (isCut ? readerWidth(sized[index], own[index]) : 0);
        }, 0),
      ),
    );
    const cached = caches.get(key) ?? new WeakMap();
    if (caches.size >= maxLayouts) caches.clear();
    caches.set(key, cached);
    return {
      placed,
      /** The operations that the visible columns fetch. */
      operations: fetchedFor(shown),
      /** The columns whose values come with answers, and the operations of these, but for what is drawn. */
      fetching,
      answering: fetchedFor(fetching),
      /** Cells that the cut values of a row of the sample take at most; 0 where none is cut. */
      cutWidth,
      cached,
    };
  });

  /** @param width of each line, in cells */
  return (
    rows: readonly Row[],
    width: number,
    { events = [], sort, sample = rows, contents, drawing }: TableOptions = {},
  ) => {
    context.events = events;
    const own = measured(sample);
    const all = contents ? widened(own, contents) : own;
    const { placed, operations, fetching, answering, cutWidth, cached } = layoutOf(all, width, sort, drawing);
    return {
      head: headOf(placed, sort, rows[0], width, drawing),
      placed,
      operations,
      /** The width of the widest value of each given column in the sample, in cells. */
      contents: () => own.sized.map(({ content }) => content),
      cutWidth,
      /** The cells of a row that its line cuts, whole. */
      cutCells: (row: Row): readonly CutCell[] =>
        placed.flatMap(({ column, width }) => {
          if (drawnIn(drawing, column)) return [];
          const text = clean(formatCell(row, column, context).text);
          return widthOf(text) > width ? [{ title: column.title, text }] : [];
        }),
      /** Without answers it is not known when the values change that come with them. */
      line: (row: Row, state: RowState = {}, answers?: Answers): string => {
        const cached = cachedRow(row, answers);
        const { isCurrent, isMarked, pending, isKept, sign, isLocked } = state;
        const of = [width, isCurrent, isMarked, pending, isKept, sign, isLocked];
        const same = cached.lines.find((one) => isSame(one.of, of));
        if (same) return same.text;
        const text = rowLine(row, placed, cached.cells, { ...context, drawing }, state, width);
        cached.lines = [{ text, of }, ...cached.lines.slice(0, maxLines - 1)];
        return text;
      },
    };

    /** The cells of a row as they are now. */
    function cachedRow(row: Row, answers: Answers | undefined): CachedRow {
      const { now } = cacheView;
      const last = cached.get(row);
      const known = last && now < last.expiresAt ? last : undefined;
      const from = [events, answers, drawing];
      // Nor is it known when what is drawn changes.
      const isTold = (fetching.length === 0 || answers !== undefined) && !drawing;
      if (isTold && known && now < known.until && isSame(known.from, from)) return known;
      const values = fetching.map((column) => valueIn(row, column, cacheView));
      // A curve may change where its value does not.
      values.push(...answering.map((name) => cacheView.answer(resource.name, name, paramsOf(resource, row))));
      const of = [drawing, rowProgress(row, context), drawing?.of(row), ...values];
      const until = now + lookMs;
      if (known && isSame(known.of, of)) return Object.assign(known, { from, until });
      isClockRead = false;
      const cells = rowCells(row, placed, { ...context, drawing });
      const expiresAt = isClockRead
        ? now + ageLifetimeMs(cells.map(({ text }) => text).join(' '))
        : Number.POSITIVE_INFINITY;
      const made: CachedRow = { cells, of, expiresAt, from, until, lines: [] };
      cached.set(row, made);
      return made;
    }
  };
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** Cells of a value with the title of its column and the blank after it. */
const readerWidth = (column: TableColumn | undefined, content = 0) =>
  widthOf(column?.title ?? '') + content + 2 * columnGap.length;

type RowWidths = WeakMap<Row, readonly number[]>;

/** The columns, and the widths of the values of a sample of the rows. */
type Measured = ReturnType<typeof measuredColumns>;

/** Measures a sample of the rows; `widths` caches the measurements. */
function measuredColumns(rows: readonly Row[], context: RowContext, widths: RowWidths) {
  const step = Math.max(1, Math.floor(rows.length / maxMeasured));
  // Many rows are of one region or type, whose name is written and measured once.
  const known = context.columns.map(() => new Map<unknown, number>());
  // A job that comes and goes moves no column.
  const still = { ...context, events: [] };
  const widthIn = (row: Row, column: Column, nth: number) => {
    const value = valueIn(row, column, context.cacheView);
    const width = known[nth]?.get(value) ?? widthOf(formatCell(row, column, still, value).text);
    known[nth]?.set(value, width);
    return width;
  };
  const samples = Array.from({ length: Math.ceil(rows.length / step) }, (_, nth) => {
    const row = rows[nth * step] as Row;
    const own = widths.get(row) ?? context.columns.map((column, nth) => widthIn(row, column, nth));
    widths.set(row, own);
    return own;
  });
  const sized = context.columns.map(
    (column, nth): TableColumn => ({
      title: column.title,
      keep: column.keep ?? 2,
      content: samples.reduce(
        (most, own) => Math.max(most, own[nth] ?? 0),
        context.resource.local ? 0 : minWidth(column, context.resource),
      ),
      maxWidth: column.width,
      least: leastWidth(column),
      exact: column.exact,
    }),
  );
  return { sized, samples };
}
