import { Box } from 'ink';
import { type ComponentType, type ReactNode, useMemo, useRef } from 'react';
import { Line } from '../../components/Line.tsx';
import type { Placed } from '../../components/tableLayout.ts';
import { useTheme } from '../../components/theme.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { idOf, type Question } from '../../store/records.ts';
import { Aside } from '../Aside.tsx';
import { subjectsOf } from '../actions.ts';
import { useCacheView } from '../useCacheView.ts';
import { useCursor } from '../useCursor.ts';
import { useCollection, useEvents, useNavigation, useView } from '../useDeck.ts';
import { useMore } from '../useMore.ts';
import { movesOf, useScroll } from '../useScroll.ts';
import { EmptyState } from './EmptyState.tsx';
import { FilterLine, listTitle, type ShownSection } from './listTitle.tsx';
import { Rested } from './Rested.tsx';
import {
  type Extents,
  headLine,
  layoutOf,
  measured,
  operationsOf,
  type RowPen,
  sampleSize,
  totalsOf,
} from './rowLines.ts';
import { useLazyAnswers } from './useLazyAnswers.ts';
import { useListKeys } from './useListKeys.ts';
import { useListRows } from './useListRows.ts';
import { usePresent } from './usePresent.ts';
import { useRowLines } from './useRowLines.ts';
import { useRowsInChange } from './useRowsInChange.ts';

export interface ListPaneProps {
  /** Reads the rows: an operation and its parameters. */
  question: Question;
  /** The resource of the rows. */
  resource: Resource;
  width: number;
  height: number;
  /** Its view is remembered under this name. */
  viewKey: string;
  /** Shown beside the list where the terminal is wide: what is known of the row under the cursor. */
  preview?: (row: Row, width: number) => ReactNode;
  /** Which of the rows belong here; all by default. */
  only?: (row: Row) => boolean;
  /** The views of which this is one. */
  sections?: readonly ShownSection[];
  /** Opens a row, where that is not its detail. */
  open?: (row: Row) => (() => void) | undefined;
  /** Further keys for the row under the cursor and for the chosen ones; draws nothing. */
  keys?: ComponentType<{ row: Row | undefined; chosen: readonly Row[] }>;
}

/** A list of rows with its title, filter, sort, cursor and marks. */
export function ListPane(props: ListPaneProps) {
  const { question, width, height, viewKey, preview, only, sections, open, keys: Keys } = props;
  const resource = usePresent(props.resource);
  const theme = useTheme();
  const events = useEvents();
  const known = useCacheView(resource, question.params);
  const collection = useCollection(question);
  const [view, setView] = useView(viewKey);
  const sort = view.sort ?? resource.sort;
  const loaded = collection?.rows ?? noRows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: which rows belong here stays the same as long as the list is the same
  const all = useMemo(() => (only ? loaded.filter(only) : loaded), [loaded, viewKey]);
  const filtering = useNavigation(({ overlays }) => overlays.at(-1)?.kind === 'filter');
  const { rows, error } = useListRows(resource, all, { filter: view.filter, sort }, known);
  const { cursor, subjects, marked } = useSubjects(resource, rows, view, question.params);

  const hasRoom = preview !== undefined && width >= previewFrom;
  const listWidth = hasRoom && !view.alone ? Math.max(76, Math.floor(width * 0.66)) : width;
  const filterLines = filtering || view.filter ? (error ? 2 : 1) : 0;
  const body = Math.max(1, height - 2 - filterLines);
  const top = useScroll(rows.length, cursor, body);
  const visible = useMemo(() => rows.slice(top, top + body), [rows, top, body]);
  useMore(question, collection, top + 2 * body > rows.length);
  const measuring: RowPen = { resource, columns: resource.columns, theme, known, events };
  // Long lists keep their columns in place also when they are filtered and sorted.
  const sampled = rows.length <= sampleSize ? rows : all;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows say decides, not the pen that writes them
  const extents = useMemo((): Extents => new WeakMap(), [resource, known]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows say decides, not the pen that writes them
  const sized = useMemo(() => measured(sampled, measuring, extents), [sampled, extents]);
  const placed = useUnlessSame(useMemo(() => layoutOf(sized, listWidth, sort), [sized, listWidth, sort]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows say decides, not the pen that reads them
  const totals = useMemo(() => totalsOf(rows, measuring), [rows, resource, known]);
  const operations = useMemo(() => operationsOf(resource.columns, placed), [resource, placed]);
  const lazyAnswer = useLazyAnswers(resource, visible, question.params, operations);
  const pen: RowPen = { ...measuring, lazyAnswer };
  const current = rows[cursor];
  const doing = useRowsInChange(resource, question.params);
  const lines = useRowLines({ visible, placed, pen, operations, current, marked, doing });

  const moves = movesOf(cursor, rows.length, body, (index) => {
    const row = rows[index];
    if (row) setView({ cursor: idOf(resource, row) });
  });
  useListKeys({
    resource,
    params: question.params,
    viewKey,
    rows,
    row: current,
    subjects,
    moves,
    open: current && open?.(current),
    preview: hasRoom ? () => setView({ alone: !view.alone }) : undefined,
    marks: Keys !== undefined,
  });

  const list = (
    <Box flexDirection="column" width={listWidth} height={height} flexShrink={0}>
      {Keys ? <Keys row={current} chosen={subjects.map(({ row }) => row)} /> : null}
      <Line
        text={listTitle(theme, {
          resource,
          collection: collection && { ...collection, rows: all },
          shown: rows.length,
          view,
          sort,
          totals,
          sections,
          width: listWidth,
        })}
      />
      {filterLines > 0 ? (
        <FilterLine viewKey={viewKey} resource={resource} editing={filtering} error={error} width={listWidth} />
      ) : null}
      {rows.length === 0 ? (
        <EmptyState
          resource={resource}
          collection={collection}
          filter={view.filter}
          section={sections?.find(({ isShown }) => isShown)?.title}
          width={listWidth}
          height={body + 1}
        />
      ) : (
        <>
          <Line text={headLine(placed, pen, sort, rows[0])} />
          {lines.map(({ id, text }) => (
            <Line key={id} text={text} />
          ))}
        </>
      )}
    </Box>
  );
  if (listWidth === width) return list;
  return (
    <Box width={width} height={height}>
      {list}
      <Aside width={width - listWidth} height={height}>
        {current && (
          <Rested row={current} id={idOf(resource, current)}>
            {(row) => preview?.(row, width - listWidth - 3)}
          </Rested>
        )}
      </Aside>
    </Box>
  );
}

/** The narrowest terminal in which the row under the cursor is shown beside the list, in cells. */
const previewFrom = 150;

/** Where the columns stand; the very object of before where nothing has moved, so that no row is drawn anew. */
function useUnlessSame(placed: readonly Placed[]): readonly Placed[] {
  const last = useRef(placed);
  const isSame = ({ index, width }: Placed, at: number) =>
    last.current[at]?.index === index && last.current[at]?.width === width;
  if (placed.length !== last.current.length || !placed.every(isSame)) last.current = placed;
  return last.current;
}

const noRows: readonly Row[] = [];

/** The row under the cursor, and what is acted on: the marked rows, else that one. */
function useSubjects(
  resource: Resource,
  rows: readonly Row[],
  view: { cursor?: string; marks: readonly string[] },
  params: Params,
) {
  const cursor = useCursor(rows, view.cursor, (row) => idOf(resource, row));
  const marked = useMemo(() => new Set(view.marks), [view.marks]);
  const chosen = useMemo(() => {
    if (marked.size > 0) return rows.filter((row) => marked.has(idOf(resource, row)));
    const row = rows[cursor];
    return row ? [row] : [];
  }, [rows, marked, cursor, resource]);
  return { cursor, marked, subjects: subjectsOf(resource, chosen, params) };
}
