import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { jsonLines } from '../../components/jsonLines.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import { idOf, paramsIn, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { belowOne } from '../../resources/relations.ts';
import type { Params, Resource, Row, Tab } from '../../resources/resource.ts';
import { type Query, queryKey } from '../../store/cache.ts';
import { listViewOf, type Place, tabKey } from '../../store/navigation.ts';
import { sorted } from '../../store/sorting.ts';
import { shownKey } from '../../store/views/userViews.ts';
import { grouped } from '../../text/numbers.ts';
import type { PlacedTile } from '../home/drawTiles.ts';
import { type Block, headingLine, type TileLine, visibleLines } from '../home/tile.ts';
import { tableOf } from '../list/listModel.ts';
import { queryOfSection, withSection } from '../list/useSections.ts';
import { placeOfRow, tabQuery, tabWith } from '../places.ts';
import { useCacheView } from '../useReads.ts';
import { type CustomProps, useEvents, useNavigation, useQueries, useStores } from '../useStores.ts';

/** A list that a page shows as far as it has room for it. */
interface ListBelow {
  resource: Resource;
  query: Query;
  title: string;
  /** Where it is whole, and the key of its order there. */
  place: Place;
  viewKey: string;
  only?: (row: Row) => boolean;
  /** Read for the page; otherwise it is shown only where it is known. */
  isRead: boolean;
}

/** As a page shows it: nothing is asked about each row. */
const onPage = memoize(
  (resource: Resource): Resource => ({
    ...resource,
    columns: resource.columns.filter(({ fetches, format }) => !fetches && format !== 'mark'),
  }),
);

/** The first list of its tabs that the page does not show already. */
function listWithin(resource: Resource, params: Params): ListBelow | undefined {
  const isOpen = (tab: Tab) => 'list' in tab && !resource.overview?.related?.some(({ list }) => list === tab.list);
  const tab = resource.tabs?.find(isOpen);
  if (!tab || !('list' in tab)) return undefined;
  return {
    resource: onPage(belowOne(resourceNamed(tab.list))),
    query: tabQuery(resource, tab, params),
    title: tab.title,
    place: { screen: 'detail', resource: resource.name, params, tab: tab.title.toLowerCase() },
    viewKey: tabKey(tab.list, resource.name, params),
    isRead: resource.list === undefined || resource.catalogue === true,
  };
}

/** The list that a row stands in, or its section of that; none where it is listed level by level. */
function listAround(resource: Resource, params: Params, row: Row): ListBelow | undefined {
  const { name, many, list, under, local, sections } = resource;
  if (!list || list.query || local) return undefined;
  const parents = paramsIn(list.path, params);
  const section = sections?.find(({ only }) => only(row));
  const all = { screen: 'list', resource: name, params: parents } as const;
  const tab = tabWith(resource);
  return {
    resource: onPage(belowOne(withSection(resource, section))),
    query: queryOfSection(resource, section, parents),
    title: section && section !== sections?.[0] ? `${many}: ${section.title}` : many,
    place: under && tab ? { screen: 'detail', resource: under, params: parents, tab } : all,
    viewKey: under ? tabKey(name, under, parents) : shownKey(all, resource, section),
    only: section?.only,
    isRead: true,
  };
}

/** The place of the row that parameters name among the rows of a list. */
const indexOf = (rows: readonly Row[], { resource, query }: ListBelow, params: Params): number =>
  rows.findIndex((one) =>
    Object.entries(paramsOf(resource, one, query.params)).every(([name, value]) => params[name] === value),
  );

type Page = Pick<CustomProps, 'resource' | 'params' | 'row' | 'width'>;

/**
 * A list as lines of a page, at most so many: its heading, the titles of its columns, and the rows around that of the page;
 * `read` while it is read for the first time.
 */
function useListBelow(list: ListBelow | undefined, { resource: subject, params, width }: Page) {
  const theme = useTheme();
  const events = useEvents();
  const queries = useMemo(() => (list?.isRead ? [list.query] : []), [list]);
  useQueries(queries, 'row');
  const collection = useStore(useStores().cache, (state) => list && state.collections[queryKey(list.query)]);
  const chosen = useNavigation((state) => (list ? listViewOf(state, list.viewKey).sort : undefined));
  const view = useCacheView(list && collection ? list.resource : subject, list?.query.params);
  const [among] = useState(() =>
    memoizeOne((rows: readonly Row[], only: ListBelow['only']) => (only ? rows.filter(only) : rows)),
  );
  const [order] = useState(() => memoizeOne(sorted));
  const [ownAmong] = useState(() => memoizeOne(indexOf));
  if (list?.isRead && collection?.triedAt === undefined) return 'read' as const;
  if (!list || !collection?.loadedAt) return undefined;
  const { resource, query, title, place } = list;
  const sort = chosen ?? resource.sort;
  const rows = order(among(collection.rows, list.only), sort, resource.columns, view);
  const own = ownAmong(rows, list, params);
  if (rows.length < (own < 0 ? 1 : 2)) return undefined;
  const table = tableOf(view, resource, theme)(rows, width, { events, sort });
  const name = `list:${resource.name}`;
  const total = collection.more === undefined ? rows.length : (collection.results ?? rows.length);
  const figures = [{ text: grouped(total), role: 'dim' }] as const;
  const heading = headingLine({ name, title, figures, link: { place } });
  const drawn = (id: string, text: string): TileLine => ({ id: `${name} ${id}`, text, draw: () => [] });
  /** That of the page leads nowhere. */
  const lineOf = (one: Row): TileLine => {
    const line = drawn(idOf(resource, one), table.line(one));
    if (one === rows[own]) return { ...line, text: theme.paint('dim', marksOf(theme).within) + line.text?.slice(1) };
    const link = { place: placeOfRow(resourceNamed(resource.name), paramsOf(resource, one, query.params)) };
    return { ...line, link, current: () => table.line(one, { isCurrent: true }) };
  };
  return (room: number): readonly TileLine[] => {
    const count = Math.min(rows.length, room - 2);
    const from = Math.max(0, Math.min(own - Math.floor(count / 2), rows.length - count));
    return [heading, drawn('', table.head), ...rows.slice(from, from + count).map(lineOf)];
  };
}

/** Fewer lines are not worth their place. */
const least = { list: 4, json: 8 };

/**
 * Fills a page of few lines: the list within its tabs that is known, the one that its row stands in, and the row as the API
 * has it; undefined while they are read.
 * @param top the first line that is free
 * @param room the number of free lines
 */
export function useListsBelow(page: Page, top: number, room: number): readonly PlacedTile[] | undefined {
  const { resource, params, row, width } = page;
  const hasRoom = room >= least.list;
  const [within, around, written] = useMemo(() => {
    if (!hasRoom) return [undefined, undefined, []];
    const lines = jsonLines(row, width - 2).map(
      (spans, index): TileLine => ({ id: `json:${index}`, draw: () => spans }),
    );
    return [listWithin(resource, params), listAround(resource, params, row), lines];
  }, [hasRoom, resource, params, row, width]);
  const json: Block = {
    name: 'json',
    title: 'JSON',
    figures: [],
    link: { place: { screen: 'detail', resource: resource.name, params, tab: 'json' } },
    lines: written,
  };
  const [first, second] = [useListBelow(within, page), useListBelow(around, page)];
  // They come together, so that none pushes another down.
  if (first === 'read' || second === 'read') return undefined;
  const whole = (left: number): readonly TileLine[] => [headingLine(json), ...visibleLines(json, left - 1)];
  const placed: PlacedTile[] = [];
  let at = top;
  for (const linesIn of [first, second, whole]) {
    const left = top + room - at;
    if (!linesIn || left < (linesIn === whole ? least.json : least.list)) continue;
    const lines = linesIn(left);
    placed.push({ region: { left: 0, top: at, width, height: lines.length }, lines });
    at += lines.length + 1;
  }
  return placed;
}
