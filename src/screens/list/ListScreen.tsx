import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { isAcross, listedAt } from '../../resources/relations.ts';
import { none, type Resource, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Collection, Query } from '../../store/cache.ts';
import { isKept } from '../../store/kept/keptRows.ts';
import { keepMade } from '../../store/madeRows.ts';
import { placeKey } from '../../store/navigation.ts';
import { askedPerMinute } from '../../store/paces.ts';
import { listQuery, listsBelow } from '../../store/queries.ts';
import { updateIntervalMs } from '../../store/reading.ts';
import { shownKey } from '../../store/views/userViews.ts';
import { clean, cut } from '../../text/cells.ts';
import { previewIn } from '../Preview.tsx';
import { goToList } from '../places.ts';
import { type ListProps, type Size, tellLater, useCollection, useQueries, useStores } from '../useStores.ts';
import { ListPane, type ListPaneProps } from './ListPane.tsx';
import { tableOf } from './listModel.ts';
import { createListRows } from './listRows.ts';
import type { Branches } from './listTree.ts';
import { useSections, withSection } from './useSections.ts';

/** The list of a resource; of one that lies under others, below one of these or over all. */
export function ListScreen({ resource, ...props }: ListProps) {
  const isOverAll = isAcross(resource, props.params);
  const List = isOverAll ? AcrossList : PlainList;
  return <List {...props} resource={listedAt(resource, props.params)} />;
}

/** The rows of a resource over all that it lies under. */
function AcrossList({ resource, params, view, width, height }: ListProps) {
  const shown = useSections(resource, params, view);
  const parents = useMemo(() => ({ resource: resource.under ?? '', operation: 'list', params }), [resource, params]);
  const across = useAcross(resourceNamed(resource.name), parents);
  const preview: ListPaneProps['preview'] = (row, room, page) =>
    previewIn(resource, page.tree.kindOf(row).params, height)(row, room, page);
  const size = { width, height };
  return <ListPane key={shown.viewKey} {...shown} query={parents} {...across} preview={preview} {...size} />;
}

/** The list of a resource, with the row under the cursor beside it if there is room. */
function PlainList({ resource, params, view, width, height }: ListProps) {
  const stores = useStores();
  const theme = useTheme();
  const { says, ...shown } = useSections(resource, params, view);
  const dim = (text: string) => theme.paint('dim', cut(` ${text}`, width));
  const { made } = resource;
  const isSum = useStore(
    stores.cache,
    () =>
      made !== undefined &&
      width >= sumsFrom &&
      stores.view.rows(resource.name).some((row) => shown.only?.(row) && made.opens(row)),
  );
  useEffect(() => keepMade(stores, resource), [stores, resource]);

  /** Shows the rows that a row is the sum of. */
  function open(row: Row): (() => void) | undefined {
    const to = made?.opens(row);
    if (!to) return undefined;
    const { list, section: title, says, ...seen } = to;
    return () => {
      if (says) stores.notices.say('plain', says);
      if (list) return goToList(stores, resourceNamed(list), seen);
      const place = { screen: 'list' as const, resource: resource.name, params, view };
      const section = resource.sections?.find((one) => one.title === title);
      stores.navigation.setListView(shownKey(place, resource, section), seen);
      stores.navigation.setListView(placeKey(place), { section: title });
    };
  }

  return (
    <ListPane
      key={shown.viewKey}
      {...shown}
      width={width}
      height={height}
      open={open}
      above={says === undefined ? undefined : () => dim(says)}
      below={made && (() => dim(made.foot(stores.view)))}
      preview={
        made
          ? isSum
            ? (row, room) => <SummedRows {...{ resource, row, height }} width={room} />
            : undefined
          : previewIn(resource, params, height)
      }
    />
  );
}

/** In cells; in a narrower terminal the sums need all of the room. */
const sumsFrom = 200;

/** The rows that a row is the sum of, as far as they have room. */
function SummedRows({ resource, row, width, height }: Size & { resource: Resource; row: Row }) {
  const { view, cache } = useStores();
  const theme = useTheme();
  const [rowsOf] = useState(createListRows);
  const all = useStore(cache, () => view.rows(resource.name));
  const { section: title, filter = '' } = resource.made?.opens(row) ?? {};
  const section = resource.sections?.find((one) => one.title === title);
  const shown = useMemo(() => {
    const whole = withSection(resource, section);
    // Sentences would cut the names.
    return { ...whole, columns: whole.columns.filter(({ width: most = 0 }) => most < width * 0.6) };
  }, [resource, section, width]);
  const own = useMemo(() => all.filter((one) => section?.only(one)), [all, section]);
  const { rows } = rowsOf(shown, own, { filter, sort: resource.sort }, view);
  const table = tableOf(view, shown, theme)(rows, width, { sort: resource.sort });
  const name = theme.paint('title', cut(clean(resource.label(row)), width));
  const lines = rows.slice(0, height - 2).map((one) => table.line(one));
  return <Lines of={lines.length > 0 ? [name, table.head, ...lines] : [name]} />;
}

type Lists = readonly (Collection | undefined)[];

/**
 * Reads the lists of a resource below all rows that it lies under, one after the other at the pace of single rows, and
 * keeps them while the component is mounted.
 * @param parents the query for the rows that it lies under
 */
function useAcross(resource: Resource, parents: Query) {
  const above = useCollection(parents);
  const of = resourceNamed(parents.resource);
  const rows = above?.rows ?? none;
  const queries = useMemo(() => listsBelow(resource, of, rows, parents.params), [rows, resource, of, parents.params]);
  const lists = useSettledLists(useQueries(queries, 'next'));
  return useMemo(() => acrossOf(resource, of, above, lists), [resource, of, above, lists]);
}

/** The collections of these keys; while they are read they change seldom, as all their rows are drawn anew then. */
function useSettledLists(keys: readonly string[]): Lists {
  const { cache } = useStores();
  const [state, setState] = useState<{ keys: readonly string[]; lists: Lists }>({ keys: [], lists: [] });
  useEffect(() => {
    let shown: Lists = [];
    const renew = () => {
      const next = keys.map((key) => cache.getState().collections[key]);
      if (next.length === shown.length && next.every((list, nth) => list === shown[nth])) return;
      shown = next;
      setState({ keys, lists: next });
    };
    renew();
    return tellLater(cache, renew, (after, before) => {
      if (after.collections === before.collections) return undefined;
      const isReading = shown.some((list) => list === undefined || list.loading);
      const count = isReading ? shown.reduce((sum, list) => sum + (list?.rows.length ?? 0), 0) : 0;
      return isReading ? updateIntervalMs(count) : 0;
    });
  }, [cache, keys]);
  return state.keys === keys ? state.lists : keys.map((key) => cache.getState().collections[key]);
}

function acrossOf(resource: Resource, of: Resource, above: Collection | undefined, lists: Lists) {
  const { rows } = above ?? { rows: none };
  const rowsOf = new Map(rows.map((row, nth) => [row, lists[nth]?.rows ?? none]));
  const isRead = (list: Collection | undefined) => list?.loadedAt !== undefined;
  const [read, failed] = [lists.filter(isRead).length, lists.filter((list) => list?.error && !isRead(list)).length];
  const progress = { title: resource.many, what: plural(of), read, of: rows.length, failed, perMinute: askedPerMinute };
  return {
    branches: {
      resource: of,
      params: above?.query.params ?? {},
      rows,
      under: (row) => rowsOf.get(row) ?? none,
      columns: [],
      isFlat: true,
      ...(read < rows.length && { progress }),
    } satisfies Branches,
    collected: collectedOf(resource, above, lists),
  };
}

/** The lists as one: it is read once all of them are, and as old as the oldest that only an earlier session has read. */
function collectedOf(resource: Resource, above: Collection | undefined, lists: Lists): Collection {
  const found = lists.filter((list) => list !== undefined);
  const kept = found.filter(isKept);
  const isWhole = above?.triedAt !== undefined && found.length === lists.length;
  const last = (name: 'loadedAt' | 'triedAt') =>
    isWhole && found.every((list) => list.triedAt !== undefined)
      ? found.reduce((time, list) => Math.max(time, list[name] ?? 0), above?.[name] ?? 0) || undefined
      : undefined;
  const idsOf = (list: Collection) =>
    isKept(list) ? [...(list.confirmed ?? [])] : list.rows.map((row) => idOf(resource, row));
  return {
    query: listQuery(resource),
    resource: resource.name,
    rows: found.flatMap(({ rows }) => rows),
    loading: above?.loading === true || found.some(({ loading }) => loading),
    loadedAt: last('loadedAt'),
    triedAt: last('triedAt'),
    error: above?.error ?? found.find(({ error }) => error)?.error,
    ...(kept.length > 0 && {
      keptAt: Math.min(...kept.map(({ keptAt = 0 }) => keptAt)),
      confirmed: new Set(found.flatMap(idsOf)),
    }),
  };
}
