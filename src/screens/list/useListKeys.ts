import { useMemo } from 'react';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { uidOf } from '../../store/history/auditLog.ts';
import type { ListView } from '../../store/navigation.ts';
import { columnsToChoose, shownColumns } from '../../store/views/columns.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { actingOn, hasChoices, keysForAll, keysOfRows, startOf, ticketOf } from '../choices.ts';
import { type HandlersOf, useKeys } from '../keyboard.tsx';
import type { Handler, Marked } from '../keys/keyboard.ts';
import { compare, compareRelated, isComparable } from '../leads.ts';
import { leadsOn, placeAbout, placeOfRow } from '../places.ts';
import { takesBack } from '../undo/outlook.ts';
import { useNavigation, useStores, type useView } from '../useStores.ts';
import type { ListPage } from './listModel.ts';
import { type Kind, objectsOf, whyMixed } from './listTree.ts';

export interface ListKeys {
  resource: Resource;
  /** The same with the columns that it has as a rule. */
  described: Resource;
  /** Said by all keys while it is not known which line is to be under the cursor. */
  waits?: string;
  viewKey: string;
  view: ReturnType<typeof useView>;
  page: ListPage;
  /** Opens the row under the cursor; by default its detail. */
  open?: () => void;
  /** Toggles the pane beside the list, or why there is none. */
  preview: (() => void) | string;
  /** It is read, and there is not a row. */
  isEmpty: boolean;
  /** Rows can be marked although no action changes them. */
  marks?: boolean;
}

/** The keys of a list; those that can do nothing now say why. */
export function useListKeys(list: ListKeys): void {
  const { resource: shown, described, waits, viewKey, page, open, preview, isEmpty } = list;
  const [view, setView] = list.view;
  const { rows, current: row, tree } = page;
  const stores = useStores();
  const targets = objectsOf(stores, shown, tree, page.chosen);
  const [own] = row ? objectsOf(stores, shown, tree, [row]) : [];
  const [of = own] = targets;
  const { params, ...kind } = of?.kind ?? tree.newAt(undefined);
  // A list with chosen columns shows a copy of its resource.
  const resource = resourceNamed(kind.resource.name);
  const { navigation } = stores;
  const moves = page.movesTo((to) => setView({ cursor: tree.id(to) }));
  const { marks } = page;
  const isMarked = marks.length > 0;
  const hidden = `All that is marked is hidden; ${keyLabel('list.clear', 'esc')} unmarks it.`;
  const isHidden = isMarked && targets.length === 0;
  const mixed = isHidden ? hidden : whyMixed(targets.map((one) => one.resource));
  /** Pins the cursor to its row before it acts, even if it was never moved. */
  const held = (act: (() => void) | undefined) =>
    act &&
    (() => {
      if (row) setView({ cursor: tree.id(row) });
      act();
    });
  const standing = row && own && own.row !== row ? shown : own?.resource;
  const target = row && standing && leadsOn(standing) ? placeAbout(stores, standing, row) : undefined;
  const noRow = page.all.length > 0 ? 'No row matches the filter.' : 'There is no row.';
  const leadsNowhere = typeof target === 'string' ? target : noRow;
  const jump = typeof target === 'object' ? () => navigation.go(target) : undefined;
  const marked = useMemo((): Marked | undefined => {
    if (!page.marked) return undefined;
    const those = objectsOf(stores, shown, tree, page.chosen);
    const keys = whyMixed(those.map((one) => one.resource))
      ? [{ keys: [keyLabel('list.actions', 'a')], help: 'actions' }]
      : keysForAll(stores, { resource, targets: those, params });
    return { ...page.marked, keys };
  }, [page.marked, page.chosen, tree, shown, resource, params, stores]);
  const last = useNavigation(({ unmarked }) => (unmarked?.resource === shown.name ? unmarked.ids : undefined));
  // Marks serve reading as well: what is marked can be compared.
  const isMarkable =
    list.marks || resource.takenBack || isComparable(resource) || (!resource.catalogue && hasChoices(resource));
  const refusal = isMarkable ? rows.length === 0 && noRow : `Nothing can be done to several ${plural(resource)}.`;
  const noTarget = 'There is no row to do this to.';
  const detail = (of: Kind | undefined, tab?: string) =>
    held(of && (() => navigation.go({ ...placeOfRow(of.resource, of.params), ...(tab && { tab }) })));
  const keys = {
    ...keysOfRows(stores, { resource, targets, params }, own, noTarget, held),
    open: detail(own) ?? 'There is no row to open.',
    json: detail(own?.told, 'json') ?? noTarget,
    ...(mixed && { edit: mixed, remove: mixed, copy: mixed, actions: isHidden ? mixed : actingOn(stores, targets) }),
  };
  const choice = () => columnChoice(shown, described, page, viewKey);
  const handlers = {
    ...moves,
    ...keys,
    open: open ? held(open) : resource.view || !resource.about ? keys.open : (held(jump) ?? leadsNowhere),
    filter: isEmpty ? 'There is no row to filter.' : () => navigation.open({ kind: 'filter', viewKey }),
    sort: isEmpty
      ? 'There is no row to sort.'
      : () => navigation.open({ kind: 'sort', viewKey, columns: shown.columns, sort: shown.sort, chooses: choice() }),
    columns: () => navigation.open(choice()),
    export: isEmpty || page.all.length === 0 ? 'There is no row to write.' : isHidden ? hidden : writes,
    preview,
    clear: isMarked ? unmark : view.filter === '' ? undefined : () => setView({ filter: '' }),
    jump: held(jump) ?? (leadsOn(shown) || leadsOn(resource) ? leadsNowhere : undefined),
    ...comparing(),
    fields: isMarked ? (mixed ?? comparesFields()) : `Mark two ${plural(resource)} to compare them field by field.`,
    ...changes(),
    ...markKeys(page, refusal, last, setView, moves.down, unmark),
  } satisfies Record<Exclude<keyof HandlersOf<'list'>, 'compare' | 'compareRelated'>, Handler | string | undefined>;
  useKeys('sent', resource.takenBack && row ? { takeBack: () => takesBack(stores, page.chosen.map(uidOf)) } : {});
  const isUnread = waits !== undefined && !row && page.items.length > 0;
  const unread = () => ({ ...Object.fromEntries(Object.keys(handlers).map((name) => [name, () => waits])), ...moves });
  useKeys('list', isUnread ? unread() : handlers, {
    marked,
    subject: resource.local || mixed ? undefined : { resource, targets, params },
  });

  /** Takes all marks off; a key brings them back. */
  function unmark(): string {
    navigation.unmark(shown.name, marks);
    return `${marks.length} unmarked; ${keyLabel('list.markRange', 'V')} marks again those that are shown.`;
  }

  /** Writes the marked rows, or all that are shown. */
  function writes(): void {
    const those = isMarked ? page.chosen : rows;
    const targets = those.map((one) => paramsOf(resourceNamed(shown.name), one, tree.kindOf(one).params));
    navigation.open({ kind: 'export', resource: shown.name, targets, columns: shownColumns(shown.columns) });
  }

  function changes() {
    const made = tree.newAt(row);
    const { name, create, creates, one } = resourceNamed(made.resource.name);
    return {
      create: creates
        ? () => navigation.open({ kind: 'creations', resource: name, params: made.params })
        : create
          ? startOf(stores, { resource: resourceNamed(name), action: create, targets: [], params: made.params }, held)
          : `No ${one} can be made here.`,
      ticket: held(ticketOf(stores, { resource, targets, params })),
    };
  }

  function comparing() {
    if (mixed) return { compare: mixed };
    const ids = () => targets.map((one) => idOf(resource, one.row));
    const chosen = targets.map((one) => one.row);
    return isComparable(resource)
      ? { compare: held(row && (() => compare(stores, { resource, ids: ids() }))) ?? noRow }
      : { compareRelated: held(row && (() => compareRelated(stores, resource, chosen, params))) ?? noRow };
  }

  /** Compares the two marked rows, or tells why not. */
  function comparesFields() {
    const [one, other] = targets;
    if (!one || !other || targets.length > 2)
      return `Two ${plural(resource)} are compared field by field; ${targets.length === 1 ? '1 is' : `${targets.length} are`} marked.`;
    const sides = [{ params: one.params }, { params: other.params }] as const;
    return held(() => navigation.open({ kind: 'comparison', resource: resource.name, sides }));
  }
}

const columnChoice = (shown: Resource, described: Resource, { placed }: ListPage, viewKey: string) =>
  ({
    kind: 'columns',
    viewKey,
    resource: shown.name,
    columns: columnsToChoose(described, resourceNamed(shown.name)),
    usual: described.columns.filter(({ keep }) => keep !== 3),
    shown: placed.map(({ column: { title }, width }) => ({ title, width })),
  }) as const;

/** The marks with those from the last mark to the cursor, all of them ids; only the cursor's where none is shown. */
export function rangeMarked(shown: readonly string[], marks: readonly string[], cursor: number): readonly string[] {
  const last = marks.findLast((mark) => shown.includes(mark));
  const from = last === undefined ? cursor : shown.indexOf(last);
  const range = shown.slice(Math.min(from, cursor), Math.max(from, cursor) + 1);
  const own = range[from <= cursor ? range.length - 1 : 0];
  // The last mark is where the next range begins.
  return [...new Set([...marks, ...range])].filter((mark) => mark !== own).concat(own ?? []);
}

/** The keys that mark rows. `refusal` says why they do nothing; `last` are the rows that were marked last on this list. */
function markKeys(
  { rows, current: row, items, marks, cursor, tree }: ListPage,
  refusal: string | false,
  last: readonly string[] | undefined,
  setView: (change: Partial<ListView>) => void,
  down: () => void,
  unmark: () => string,
) {
  if (refusal) return { mark: refusal, markRange: refusal, markAll: refusal };

  function mark(): void {
    if (!row) return;
    const rowsOf = tree.isBranch(row) ? rows.filter((one) => tree.branchOf(one) === row) : [row];
    const ids = rowsOf.map(tree.id);
    const isMarked = ids.every((id) => marks.includes(id));
    const others = marks.filter((mark) => !ids.includes(mark));
    setView({ marks: isMarked ? others : [...others, ...ids] });
    down();
  }

  /** Marks from the last mark to the cursor, or answers why that changes nothing. */
  function range(): string | undefined {
    const branches = new Set(items.filter(tree.isBranch).map(tree.id));
    const range = rangeMarked(items.map(tree.id), marks, cursor);
    setView({ marks: range.filter((id) => !branches.has(id)) });
    return range.length === marks.length ? 'All from the last mark to here is marked.' : undefined;
  }

  /** Marks those of the rows that were marked last and are still there. */
  function again(): string | undefined {
    const wanted = new Set(last);
    const marks = rows.map(tree.id).filter((id) => wanted.has(id));
    setView({ marks });
    return marks.length === 0 ? 'None of the rows that were marked last is shown.' : undefined;
  }

  const nothing = `Nothing is marked yet; ${keyLabel('list.mark', 'space')} marks.`;
  return {
    mark,
    markRange: marks.length > 0 ? range : last ? again : nothing,
    markAll: marks.length > 0 ? unmark : () => setView({ marks: rows.map(tree.id) }),
  };
}
