import { Box } from 'ink';
import { type ReactNode, useContext, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import type { Collection, Query } from '../../store/cache.ts';
import { columnsKey, columnsToChoose, withChosen } from '../../store/views/columns.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { onRows } from '../actions.ts';
import { PositionedTitle, previewFrom, SidePanel, widthBeside } from '../page/Pane.tsx';
import { CoveredContext } from '../page/usePage.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { useCacheView, useNextPage } from '../useReads.ts';
import { useCollection, useEvents, useNavigation, useStores, useView } from '../useStores.ts';
import { EmptyState } from './EmptyState.tsx';
import { FilterLine } from './FilterLine.tsx';
import { createListModel, type ListInput, type ListPage } from './listModel.ts';
import { columnAt } from './listTitle.ts';
import { drawnIn } from './rowLines.ts';
import { useKeptRows, usePendingRows } from './rowStates.ts';
import { useAnsweredView, useFetches, useFetchProgress, useVisibleAnswers } from './useFetches.ts';
import { useListKeys } from './useListKeys.ts';
import { useSupportedParts } from './useSections.ts';

type Shown =
  | ('resource' | 'name' | 'only' | 'sections' | 'branches' | 'waits')
  | ('drawing' | 'readsAll' | 'width' | 'height');

type Data = 'collection' | 'cacheView' | 'answeredView' | 'kept' | 'events' | 'progressOf' | 'isLocked';

export interface ListPaneProps extends Pick<ListInput, Shown> {
  query: Query;
  /** The lists of its branches as one, in place of the list of the query. */
  collected?: Collection;
  /** The key under which its view is kept. */
  viewKey: string;
  /** Details of the row under the cursor, beside the list in a wide terminal. */
  preview?: (row: Row, width: number, page: ListPage) => ReactNode;
  /** Opens a row; by default its detail. */
  open?: (row: Row) => (() => void) | undefined;
  /** A component that adds keys and draws nothing. */
  keys?: (page: ListPage) => ReactNode;
  /** Lines above the titles of the columns and below the rows. */
  above?: (page: ListPage) => string;
  below?: (page: ListPage) => string;
}

/** A list of rows with its title, filter, sort, cursor and marks: this reads what it shows. */
export function ListPane({ resource: described, collected, ...props }: ListPaneProps) {
  const { query, viewKey, branches } = props;
  const { params } = query;
  const resource = useSupportedParts(useChosenColumns(described, viewKey));
  const cacheView = useCacheView(resource, params, collected && branches);
  const own = useCollection(query);
  const collection = collected ?? own;
  const [kept, standingView] = useKeptRows(resource, collected ? undefined : query, collection, cacheView);
  const [answeredView, renew] = useAnsweredView(standingView);
  const data = {
    resource,
    collection,
    cacheView,
    standingView,
    answeredView,
    kept,
    events: useEvents(),
    pending: usePendingRows(resource, params, branches?.resource),
    progressOf: useFetchProgress(resource),
    isLocked: useLocks(resource),
  };
  return <ViewedList {...props} {...data} described={described} renew={renew} />;
}

interface ViewedListProps extends Omit<ListPaneProps, 'collected'>, Pick<ListInput, Data> {
  /** The resource with the columns that it has as a rule. */
  described: Resource;
  /** The view for the completions of a filter. */
  standingView: CacheView;
  /** Renews the view for the filter and the order. */
  renew: () => void;
  /** The changes under way, by the ids of lines. */
  pending: ReadonlyMap<string, string>;
}

/** A list by its view: filtered, sorted, with cursor and marks. A key that moves the cursor draws nothing else again. */
function ViewedList(props: ViewedListProps) {
  const { query, width, height, viewKey, preview, open, keys, above, below, pending, renew, described, ...data } =
    props;
  const { resource, collection, standingView, sections, branches } = data;
  const { params } = query;
  const theme = useTheme();
  const [listView, setView] = useView(viewKey);
  const isFiltering = useNavigation(({ overlays }) => overlays.at(-1)?.kind === 'filter');
  const covered = useContext(CoveredContext);
  const [model] = useState(createListModel);

  const hasRoom = preview !== undefined && width >= previewFrom;
  const listWidth = hasRoom && !listView.alone ? widthBeside(width) : width;
  const page = model({
    ...data,
    params,
    listView,
    isFiltering,
    isActedOn: keys !== undefined || resource.takenBack || onRows(resource).length > 0,
    theme,
    beside: Number(above !== undefined) + Number(below !== undefined),
    covered,
    width: listWidth,
    height,
    reads: listWidth === width,
  });
  const { items, current, filterLines, body } = page;
  useNextPage(query, collection, page.top + 2 * body > items.length);
  const isPartial = collection?.more !== undefined;
  const answers = useVisibleAnswers(resource, page.visibleRows, params, page.operations, isFiltering);
  useFetches(resource, page.fetches, renew);
  useListKeys({
    resource,
    described,
    waits: data.waits,
    viewKey,
    view: [listView, setView],
    page,
    open: current && open?.(current),
    preview: hasRoom
      ? () => setView({ alone: !listView.alone })
      : preview
        ? `The preview needs ${previewFrom} columns; here are ${width}.`
        : 'This list has no preview.',
    isEmpty: collection?.loadedAt !== undefined && page.all.length === 0 && listView.filter === '',
    marks: keys !== undefined,
  });
  /** Above the rows are the title, a line of the screen's own, the filter and the titles of the columns. */
  const rowAt = (line: number) => line - 2 - filterLines - Number(above !== undefined);
  const region = useRegion('list', {
    onClick: ({ line, column, press }) => {
      const nth = rowAt(line);
      const row = page.visible[nth];
      const title = nth === -1 ? columnAt(page, column)?.column.title : undefined;
      if (title !== undefined) setView({ sort: page.sort === title ? `-${title}` : title });
      if (row && row === current && !pointAt(page, column)) press(keyLabel('list.open', 'enter'));
      else if (row) setView({ cursor: page.tree.id(row) });
    },
    onDrag: ({ line, column }) => {
      if (page.visible[rowAt(line)]) pointAt(page, column);
    },
  });

  // Where there is nothing that rows could lie under, that comes first.
  const isBare = listView.filter === '' && branches && !(branches.isFlat && branches.rows.length > 0);
  const emptyKind = isBare ? branches.resource : branches?.isFlat ? { ...resource, create: undefined } : resource;
  const list = (
    <Box ref={region} flexDirection="column" width={listWidth} height={height} flexShrink={0}>
      {keys?.(page)}
      <PositionedTitle
        title={page.title}
        part={{ top: page.top, body, count: (collection?.isTop && collection.results) || items.length, isPartial }}
        width={listWidth}
      />
      {above ? <Line text={above(page)} /> : null}
      {filterLines > 0 ? (
        <FilterLine
          viewKey={viewKey}
          list={{ resource, rows: page.all, cacheView: standingView }}
          editing={isFiltering}
          error={page.error}
          width={listWidth}
        />
      ) : null}
      {items.length === 0 ? (
        <EmptyState
          resource={emptyKind}
          collection={collection}
          filter={listView.filter}
          isMistaken={page.error !== undefined}
          progress={page.progress}
          section={data.only && sections?.find(({ isShown }) => isShown)?.title}
          width={listWidth}
          height={body + 1 + Number(below !== undefined)}
        />
      ) : (
        <>
          <Line text={page.head} />
          {page.lines(pending, answers).map(({ id, text }) => (
            <Line key={id} text={text} />
          ))}
          {page.visible.length < body ? <Box height={body - page.visible.length} /> : null}
          {page.reader().map((line, index) => (
            <Line key={`reader ${index}`} text={line} />
          ))}
          {below ? <Line text={below(page)} /> : null}
        </>
      )}
    </Box>
  );
  if (listWidth === width) return list;
  return (
    <Box width={width} height={height}>
      {list}
      {current && (
        <SidePanel width={width - listWidth} height={height}>
          {(room) => (
            <DebouncedRow row={current} id={idOf(resource, current)} top={page.top}>
              {(row) => preview?.(row, room, page)}
            </DebouncedRow>
          )}
        </SidePanel>
      )}
    </Box>
  );
}

/** Tells which rows are locked; nothing where no guard denies. */
function useLocks(resource: Resource): ((row: Row, params: Params) => boolean) | undefined {
  const { configuration, guards } = useStores();
  const isAny = useStore(configuration, (state) => state.guards.some(({ deny }) => deny));
  return isAny && onRows(resource).length > 0 ? (row, params) => guards.isLocked(resource, params, row) : undefined;
}

/** Tells a drawn column which of its cells is pointed at; returns whether there is one. */
function pointAt(page: ListPage, cell: number): boolean {
  const at = columnAt(page, cell);
  const point = at && at.cell < at.width ? drawnIn(page.drawing, at.column)?.point : undefined;
  if (at) point?.(at.cell, at.width);
  return point !== undefined;
}

/** The description with the columns that the user has chosen for this list, which may be of any of its sections. */
function useChosenColumns(resource: Resource, viewKey: string): Resource {
  const chosen = useNavigation(({ columns }) => columns[columnsKey(viewKey)]);
  return useMemo(
    () => (chosen ? withChosen(resource, columnsToChoose(resource, resourceNamed(resource.name)), chosen) : resource),
    [resource, chosen],
  );
}

interface DebouncedRowProps {
  /** The row under the cursor. */
  row: Row;
  id: string;
  /** The index of the first row of the list on the screen. */
  top: number;
  children: (row: Row) => ReactNode;
}

/** The pane beside the list follows the cursor after this pause. */
const debounceMs = 100;

/**
 * Shows the row under the cursor once the cursor pauses. After one step it still shows the previous row, or the new one
 * where the list scrolls: the terminal scrolls the pane with it, so that all of it is sent anyway. During further steps
 * it shows nothing, so that a held key redraws only the list and the terminal can scroll it.
 */
function DebouncedRow({ row, id, top, children }: DebouncedRowProps) {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const newest = useRef({ row, id });
  newest.current = { row, id };
  const shown = useRef(newest.current);
  /** The first row of the list since the cursor rests; undefined while it does not. */
  const restingTop = useRef<number>(undefined);
  const firstStep = useRef<string>(undefined);
  useEffect(() => {
    restingTop.current = undefined;
    const timer = setTimeout(() => {
      restingTop.current = top;
      if (shown.current.id === id) return;
      shown.current = newest.current;
      drawAgain();
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [id, top]);

  if (shown.current.id !== id && restingTop.current !== undefined) {
    firstStep.current = id;
    if (restingTop.current !== top) shown.current = newest.current;
  }
  if (shown.current.id === id) return children(row);
  return firstStep.current === id ? children(shown.current.row) : null;
}
