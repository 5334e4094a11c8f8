import { type Action, at, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { idOf, paramsOf } from '../../store/cache.ts';
import type { Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { hasChoices, startAction, targetsOf, ticketOf } from '../actions.ts';
import { compare, compareRelated, isComparable } from '../graphs/compare.ts';
import { useKeys } from '../keyboard.tsx';
import { placeOfEntity, placeOfRow } from '../places.ts';
import { useStores, useView } from '../useStores.ts';
import type { ListPage } from './listModel.ts';
import { rangeMarked } from './marking.ts';

export interface ListKeys {
  resource: Resource;
  /** The parameters of the list. */
  params: Params;
  viewKey: string;
  page: ListPage;
  /** Opens the row under the cursor; by default its detail. */
  open?: () => void;
  /** Toggles the pane beside the list, if there is room for it. */
  preview?: () => void;
  /** Rows can be marked although no action changes them. */
  marks?: boolean;
}

/** The keys of a list; in read-only mode without those that change something. */
export function useListKeys({ resource, params, viewKey, page, open, preview, marks }: ListKeys): void {
  const { rows, current: row } = page;
  const stores = useStores();
  const { navigation } = stores;
  const [view, setView] = useView(viewKey);
  const moves = page.movesTo((to) => setView({ cursor: idOf(resource, to) }));
  const targets = targetsOf(resource, page.chosen, params);
  const held = keepingCursor(() => row && setView({ cursor: idOf(resource, row) }));
  const target = row && resource.about ? placeOfEntity(at(row, resource.about)) : undefined;
  const jump = target && (() => navigation.go(target));
  const keys = rowKeys(stores, resource, params, row, targets, held);
  const handlers = {
    ...moves,
    ...keys,
    open: open ? held(open) : resource.view || !resource.about ? keys.open : held(jump),
    filter: () => navigation.open({ kind: 'filter', viewKey }),
    sort: () => navigation.open({ kind: 'sort', viewKey, resource: resource.name }),
    preview,
    clear: view.filter !== '' || view.marks.length > 0 ? () => setView({ filter: '', marks: [] }) : undefined,
    jump: held(jump),
    ...comparing(),
    ...(stores.api.readOnly ? {} : changes()),
    // Marks serve reading as well: what is marked can be compared.
    ...(marks || isComparable(resource) || (!resource.catalogue && hasChoices(resource)) ? marking() : {}),
  };
  useKeys('list', handlers, { subject: resource.local ? undefined : { resource, targets, params } });

  function changes() {
    const { create } = resource;
    return {
      create: resource.creates
        ? () => navigation.open({ kind: 'creations', resource: resource.name, params })
        : create && (() => startAction(stores, resource, create, [], params)),
      ticket: held(ticketOf(stores, resource, targets)),
    };
  }

  function comparing() {
    const { chosen } = page;
    const ids = () => chosen.map((one) => idOf(resource, one));
    return isComparable(resource)
      ? { compare: row && held(() => compare(stores, { resource, ids: ids() })) }
      : { compareRelated: row && held(() => compareRelated(stores, resource, chosen, params)) };
  }

  function marking() {
    const { marks } = view;
    return {
      mark: () => {
        if (!row) return;
        const id = idOf(resource, row);
        setView({ marks: marks.includes(id) ? marks.filter((mark) => mark !== id) : [...marks, id] });
        moves.down();
      },
      markRange: () =>
        row &&
        setView({
          marks: rangeMarked(
            rows.map((one) => idOf(resource, one)),
            marks,
            page.cursor,
          ),
        }),
      markAll: () => setView({ marks: marks.length > 0 ? [] : rows.map((row) => idOf(resource, row)) }),
    };
  }
}

/** Wraps handlers so that `keepCursor` pins the cursor to its row first, even if it was never moved. */
export const keepingCursor = (keepCursor: () => void) => (act: (() => void) | undefined) =>
  act &&
  (() => {
    keepCursor();
    act();
  });

/**
 * The keys for the row under the cursor and for the targets.
 * @param params of the list
 */
export function rowKeys(
  stores: Stores,
  resource: Resource,
  params: Params,
  row: Row | undefined,
  targets: readonly Target[],
  held: ReturnType<typeof keepingCursor>,
) {
  const { navigation } = stores;
  const own = row && paramsOf(resource, row, params);
  const detail = (tab?: string) => own && (() => navigation.go({ ...placeOfRow(resource, own), ...(tab && { tab }) }));
  const about = own && { resource: resource.name, params: own };
  const starts = (action: Action | undefined) =>
    action && targets.length > 0 ? held(() => startAction(stores, resource, action, targets, params)) : undefined;
  const choose = () =>
    navigation.open({ kind: 'actions', resource: resource.name, targets: targets.map((one) => one.params) });
  return {
    open: held(detail()),
    json: held(detail('json')),
    copy: held(about && (() => navigation.open({ kind: 'copy', ...about }))),
    related: held(about && !resource.local ? () => navigation.open({ kind: 'related', ...about }) : undefined),
    ...(!stores.api.readOnly && {
      edit: starts(resource.edit),
      remove: starts(resource.remove),
      actions: targets.length > 0 && hasChoices(resource) ? held(choose) : undefined,
    }),
  };
}
