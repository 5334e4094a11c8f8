import { cutSpans, painted, type Span, textOfSpans, wrapSpans } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import type { CacheView, Column, Params, Resource, Row } from '../../resources/resource.ts';
import { none, noParams } from '../../resources/row.ts';
import { isKept } from '../../store/kept/keptRows.ts';
import type { ListView } from '../../store/navigation.ts';
import { columnOf } from '../../store/sorting.ts';
import { shownColumns } from '../../store/views/columns.ts';
import { grouped } from '../../text/numbers.ts';
import { createListWindow } from '../page/listWindow.ts';
import type { Size } from '../useStores.ts';
import { createListRows, type Fetch, filterHeight, withFetch } from './listRows.ts';
import { listTitle, type TitleParts } from './listTitle.ts';
import { type Branches, type ListTree, listTree } from './listTree.ts';
import { columnTotals, type Drawing, type RowContext } from './rowLines.ts';
import type { KeptRows } from './rowStates.ts';
import { type CutCell, createRowTable, maxMeasured } from './rowTable.ts';
import type { Answers, FetchProgress } from './useFetches.ts';

/** A list of fewer lines needs all of them for its rows. */
const minHeight = 16;
const maxLines = 3;

/** Cells left of the text, as before the columns. */
const readerIndent = 3;

/**
 * The number of lines at the foot of a list that show in full what the line under the cursor cuts: the same for all of its
 * rows, so that the list does not move with the cursor; none where no column is cut.
 * @param cutWidth cells that the cut values of a row need at most
 */
export function readerLineCount(cutWidth: number, width: number, height: number): number {
  if (cutWidth === 0 || height < minHeight) return 0;
  return Math.min(Math.ceil(cutWidth / Math.max(1, width - readerIndent)), maxLines, Math.floor(height / 8));
}

/** Cells in full with their titles, on exactly `count` lines. */
export function readerLines(theme: Theme, cells: readonly CutCell[], width: number, count: number): readonly string[] {
  const spans = cells.flatMap(({ title, text }, index): readonly Span[] => [
    { text: `${index > 0 ? '   ' : ''}${title.toUpperCase()} `, role: 'dim' },
    { text },
  ]);
  const lines = spans.length > 0 ? wrapSpans(spans, Math.max(1, width - readerIndent)) : [];
  return Array.from({ length: count }, (_, index) => {
    const line = lines[index] ?? [];
    const isCut = index === count - 1 && lines.length > count;
    const shown = isCut ? [...cutSpans(line, 0, textOfSpans(line).trimEnd().length - 1), { text: '…' }] : line;
    return `${' '.repeat(readerIndent)}${painted(theme, shown)}`;
  });
}

/** The inputs of the list model. */
export interface ListInput
  extends Size,
    Pick<RowContext, 'theme' | 'cacheView' | 'events'>,
    Pick<TitleParts, 'resource' | 'name' | 'collection' | 'sections'> {
  params?: Params;
  /** Lines above its rows. */
  branches?: Branches;
  /** Said by keys while no line is under the cursor, because it is not known yet which is to be. */
  waits?: string;
  /** Keeps only these rows; all by default. */
  only?: (row: Row) => boolean;
  listView: ListView;
  /** The filter is being typed. */
  isFiltering: boolean;
  /** The view for the filter and the order, renewed as answers come in; by default the same. */
  answeredView?: CacheView;
  /** Counts the rows that they need read, and those that were. */
  progressOf?: (fetches: readonly Fetch[]) => readonly FetchProgress[];
  /** Lines at its end that something covers. */
  covered?: number;
  /** Tells the rows that only an earlier session has read, and those that changed since. */
  kept?: KeptRows | undefined;
  /** Whether a guard keeps a row as it is; left out where no guard can. */
  isLocked?: ((row: Row, params: Params) => boolean) | undefined;
  /** Keys do something to its rows. */
  isActedOn?: boolean;
  /** Show in full what the line under the cursor cuts. */
  reads?: boolean;
  /** The columns that are drawn, given the rows of the list. */
  drawing?: (rows: readonly Row[]) => Drawing;
  /** The operation that is read about all rows, whatever the order; not the title but a line of the screen tells how far it is. */
  readsAll?: string;
  /** Further lines above and below the rows. */
  beside?: number;
}

/** The visible part of a list. */
export type ListPage = ReturnType<ReturnType<typeof createListModel>>;

/** Cells before the rows that lie under branches. */
const indent = 2;

/** A line that was there for so long may have been read, in milliseconds. */
const readMs = 500;

/**
 * The marked rows, and how many they are, as texts.
 * @param all the loaded rows, where these are all: a mark of none of them is of a deleted one
 */
function markedAmong(
  marks: readonly string[],
  id: (row: Row) => string,
  shown: readonly Row[],
  all: readonly Row[] | undefined,
) {
  const wanted = new Set(marks);
  const among = (rows: readonly Row[]) => (wanted.size > 0 ? rows.filter((row) => wanted.has(id(row))) : []);
  const ids = all ? new Set(among(all).map(id)) : wanted;
  const rows = among(shown);
  const hidden = ids.size > rows.length ? `, ${grouped(ids.size - rows.length)} hidden` : '';
  return { ids, rows, counts: ids.size > 0 ? { count: grouped(rows.length), hidden } : undefined };
}

/** The tables of a view, which the next screen with that view finds as they are. */
const tablesOf = memoize((cacheView: CacheView) =>
  memoize((resource: Resource) =>
    memoizeOne((theme: Theme, indent: number) => {
      const context = { resource, columns: resource.columns, theme, cacheView };
      return {
        table: createRowTable({ ...context, columns: shownColumns(resource.columns), indent }),
        totals: columnTotals(context),
      };
    }),
  ),
);

/** The table of a view without anything beside its rows. */
export const tableOf = (cacheView: CacheView, resource: Resource, theme: Theme) =>
  tablesOf(cacheView)(resource)(theme, 0).table;

/** Turns rows into the lines of a list; memoizes each step. */
export function createListModel() {
  const belongingTo = memoizeOne((rows: readonly Row[], only: ListInput['only']) => (only ? rows.filter(only) : rows));
  const rowsUnder = memoizeOne(({ rows, under }: Branches) => rows.flatMap(under));
  const treeOf = memoizeOne((resource: Resource, params: Params, branches?: Branches) =>
    listTree({ resource, params }, branches),
  );
  const linesIn = memoizeOne((tree: ListTree, rows: readonly Row[], isFiltered: boolean) =>
    tree.lines(rows, isFiltered),
  );
  const rowsAmong = memoizeOne((tree: ListTree, lines: readonly Row[]) =>
    lines.some(tree.isBranch) ? lines.filter((row) => !tree.isBranch(row)) : lines,
  );
  const rowsOf = createListRows();
  const windowOf = createListWindow<Row>();
  /** The row under the cursor, and since when it is there. */
  let under: { row: string | undefined; since: number } | undefined;
  const markedIn = memoizeOne(markedAmong);
  const withWhole = memoizeOne(withFetch);
  const without = memoizeOne((fetches: readonly Fetch[], name?: string) =>
    name === undefined ? fetches : fetches.filter(({ operation }) => operation !== name),
  );
  const branchTableOf = memoizeOne(
    (resource: Resource, columns: readonly Column[], theme: Theme, cacheView: CacheView) =>
      createRowTable({ resource, columns, theme, cacheView }),
  );

  return ({ resource, collection, listView, cacheView, theme, events, width, height, ...rest }: ListInput) => {
    const { params = noParams, branches } = rest;
    const hasLines = branches !== undefined && !branches.isFlat;
    const tree = treeOf(resource, params, branches);
    const { id } = tree;
    const sort = listView.sort ?? resource.sort;
    const all = branches ? rowsUnder(branches) : belongingTo(collection?.rows ?? none, rest.only);
    const { rows, error, ...found } = rowsOf(
      resource,
      all,
      { filter: listView.filter, sort, isTyped: rest.isFiltering },
      rest.answeredView ?? cacheView,
    );
    const fetches = withWhole(found.fetches, rest.readsAll, rows);
    const filterLines = filterHeight(listView.filter, rest.isFiltering, error, width);
    const lines = linesIn(tree, rows, listView.filter !== '');
    const { table, totals } = tablesOf(cacheView)(resource)(theme, hasLines ? indent : 0);
    const branchTable =
      hasLines &&
      branchTableOf(branches.resource, branches.columns, theme, cacheView)(branches.rows, width, { events });
    // In long lists filtering and sorting do not move the columns.
    const sample = rows.length <= maxMeasured ? rows : all;
    const drawing = rest.drawing?.(rows);
    const own = table(rows, width, { events, sort, sample, drawing });
    const { head, placed, operations, cutWidth } = own;
    const tableFor = (row: Row) => (branchTable && tree.isBranch(row) ? branchTable : own);
    const readerHeight = rest.reads ? readerLineCount(cutWidth, width, height) : 0;
    const body = Math.max(1, height - 2 - filterLines - readerHeight - (rest.beside ?? 0));
    const { now } = cacheView;
    const isSettled = collection !== undefined && (collection.loadedAt !== undefined || isKept(collection));
    const isRead = isSettled || (under?.row !== undefined && now - under.since >= readMs);
    const order = `${sort} ${listView.filter}`;
    // Where rows move up as they are read, a cursor that nobody has moved stays at its place.
    const isRising = columnOf(resource.columns, sort)?.fetches !== undefined;
    const isHeld = rest.isActedOn === true && isRead && !isRising;
    const free = Math.max(1, body - (rest.covered ?? 0));
    const window = windowOf(lines, listView.cursor, id, body, isHeld, order, free);
    if (rest.waits !== undefined && listView.cursor === undefined) window.current = undefined;
    const row = window.current && id(window.current);
    if (row !== under?.row) under = { row, since: now };
    const isWhole = collection?.loadedAt !== undefined && collection.more === undefined && !collection.isTop;
    const loaded = branches ? all : (collection?.rows ?? none);
    const marked = markedIn(listView.marks, id, rows, isWhole && !branches?.progress ? loaded : undefined);
    const progress = [
      ...(branches?.progress ? [branches.progress] : []),
      ...(rest.progressOf?.(without(fetches, rest.readsAll)) ?? []),
    ];
    const title = listTitle(theme, {
      resource,
      name: rest.name,
      // While the rows under branches are read their number is not known.
      collection: branches && all.length === 0 ? undefined : collection && { ...collection, rows: all },
      shown: rows.length,
      view: listView,
      marked: marked.counts && marked.counts.count + marked.counts.hidden,
      sort,
      age: rest.kept?.says,
      // A sum is that of the rows in any order.
      totals: totals(rows.length === all.length ? all : rows),
      progress,
      sections: rest.sections,
      width,
    });
    return {
      ...window,
      tree,
      /** All lines: the rows, and the branches above them. */
      items: lines,
      /** Those on the screen that are rows. */
      visibleRows: rowsAmong(tree, window.visible),
      rows,
      /** Filtered or not. */
      all,
      error,
      fetches,
      progress,
      title,
      head,
      placed,
      indent: hasLines ? indent : 0,
      drawing,
      sort,
      operations,
      filterLines,
      body,
      /** The cells that the line under the cursor cuts, whole; as many lines whichever row that is. */
      reader: () =>
        readerHeight === 0 || !window.current
          ? []
          : readerLines(theme, tableFor(window.current).cutCells(window.current), width, readerHeight),
      /** The ids of marked rows that are there, in the order of their marking. */
      marks: listView.marks.filter((mark) => marked.ids.has(mark)),
      marked: marked.counts,
      /** The marked rows, or else the one under the cursor. */
      chosen: marked.ids.size > 0 ? marked.rows : window.current ? [window.current] : none,
      /** The visible lines; `pending` has the changes under way by the ids of lines. */
      lines: (pending: ReadonlyMap<string, string>, answers: Answers | undefined) =>
        window.visible.map((row) => {
          const lineId = id(row);
          const state = {
            isCurrent: row === window.current,
            isMarked: marked.ids.has(lineId),
            pending: pending.get(lineId),
            isKept: rest.kept?.isKept(lineId),
            sign: rest.kept?.signOf(lineId),
            isLocked: tree.isBranch(row) ? undefined : rest.isLocked?.(row, tree.kindOf(row).params),
          };
          return { id: lineId, text: tableFor(row).line(row, state, answers) };
        }),
    };
  };
}
