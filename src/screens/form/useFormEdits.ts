import { useMemo, useState } from 'react';
import { isPatch, startOf } from '../../resources/body.ts';
import { type Edits, isSameEntry } from '../../resources/edits.ts';
import { idIn } from '../../resources/identity.ts';
import type { Action, Draft, Entry, Params, Resource, Row } from '../../resources/resource.ts';
import { actionOn, rowsText } from '../../resources/wording.ts';
import { type Target, targetsAt } from '../../store/changes/change.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { useNavigation, useStores } from '../useStores.ts';
import { prefillQuery } from './useFormReads.ts';

/** The three versions behind a form: the row when it opened, the input, and the row as it is now. */
export type FormEdits = ReturnType<typeof useFormEdits>;

/** The key of a form's saved draft. */
export const draftKey = ({ resource, action, targets, params, start = {}, into, takesBack, step }: FormOverlay) => {
  const about = targets.length > 0 ? [...targets, ...(into ? [start] : [])] : { ...params, ...start };
  // It has a draft of its own, so that one of the same row is not lost.
  const back = takesBack ? ` takes back ${JSON.stringify(takesBack.own)}` : '';
  return `${resource}.${action}${step === undefined ? '' : ` of step ${step}`}:${JSON.stringify(about)}${back}`;
};

/** Names the action of a form and its rows: "Edit api-1". */
export const formTitle = (action: Action, resource: Resource, targets: readonly Target[]): string =>
  targets.length === 0 ? action.help : actionOn(action, rowsText(resource, targets));

/** The versions behind an open form; its draft outlives it until it is sent. */
export function useFormEdits(overlay: FormOverlay, resource: Resource, action: Action, targets: readonly Target[]) {
  const stores = useStores();
  const { navigation } = stores;
  /** The key of the saved draft and of its refusals. */
  const key = draftKey(overlay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form starts from what was known when it was opened
  const initial = useMemo(() => initialEdits(stores, resource, action, overlay), [key]);
  const saved = useNavigation(({ drafts }) => drafts[key]);
  const [restored, setRestored] = useState(saved?.mine);
  /** The edits at this moment, for use after an await. */
  const latest = (): Edits => navigation.getState().drafts[key] ?? initial;
  const edits = latest();
  /** The entries as they are now, without the input. */
  const current = overlay.targets.length > 0 ? initialDraft(stores, resource, action, overlay) : edits.opened;

  const save = ({ opened, mine }: Edits) => {
    const isEmpty = Object.keys(mine).length === 0 && !overlay.takesBack;
    const title = formTitle(action, resource, targets);
    navigation.keepDraft(key, isEmpty ? undefined : { title, opened, mine });
  };

  return {
    key,
    edits,
    current,
    /** The input over the current entries, as the form shows it. */
    draft: { ...current, ...edits.mine },
    /** The entries of the saved draft that the form opened with. */
    restored: saved && restored,
    latest,
    save,
    set: (name: string, entry: Entry) => {
      const { opened, mine } = latest();
      const { [name]: _, ...others } = mine;
      save({ opened, mine: isSameEntry(entry, current[name]) ? others : { ...others, [name]: entry } });
    },
    /** Saves the input for the form of some of the rows. */
    saveFor: (targets: readonly Params[]) => {
      // Parameters that were filled in for the request are none of the form.
      const ids = new Set(targets.map((one) => idIn(resource, one)));
      const left = overlay.targets.filter((one) => ids.has(idIn(resource, one)));
      // Below one row another is made by its own form.
      const own = left.length === 1 &&
        action.below && { resource: action.below, action: 'create', params: left[0] ?? {} };
      const some = { ...overlay, ...own, targets: own ? [] : left };
      const opened = initialDraft(stores, resource, action, some);
      const title = formTitle(action, resource, targetsAt(stores.view, resource, some.targets));
      navigation.keepDraft(draftKey(some), { title, opened, mine: latest().mine });
    },
    /** Discards the draft; with `only`, unless it has changed since. */
    discard: (only?: Edits) => {
      if (only && navigation.getState().drafts[key]?.mine !== only.mine) return;
      navigation.keepDraft(key, undefined);
      setRestored(undefined);
    },
  };
}

/** The edits that a form begins with: none, or those that take a change back. */
function initialEdits(stores: Pick<Stores, 'view'>, resource: Resource, action: Action, overlay: FormOverlay): Edits {
  const opened = initialDraft(stores, resource, action, overlay);
  const [own] = overlay.takesBack?.own ?? [];
  return own ? { opened: { ...opened, ...own.opened }, mine: own.mine } : { opened, mine: {} };
}

/** The entries that a form would start with now; blank for an edit of several rows. */
export function initialDraft(
  stores: Pick<Stores, 'view'>,
  resource: Resource,
  action: Action,
  { targets, params, start }: FormOverlay,
): Draft {
  const [first] = targetsAt(stores.view, resource, targets.slice(0, 1));
  const own: Params = first?.params ?? params;
  const row = first && { ...first.row, ...prefillAnswer(stores, resource, action, own) };
  const entries = startOf(resource, action, row, stores.view, own);
  if (targets.length < 2) return { ...entries, ...start };
  const shared: SharedEntries = isPatch(action)
    ? new Map()
    : sharedEntries(stores, resource, action, targetsAt(stores.view, resource, targets));
  const blank = Object.fromEntries(Object.keys(entries).map((name) => [name, sharedIn(shared, name)]));
  return { ...blank, ...start };
}

const sharedIn = (shared: SharedEntries, name: string): Entry => {
  const entry = shared.get(name);
  return entry === undefined || entry === 'different' ? undefined : entry[0];
};

/** The entries of several rows by field: the one that all have, in a list of one, or `different`. */
export type SharedEntries = ReadonlyMap<string, readonly [Entry] | 'different'>;

/** Compares the entries from which a form would start for each of some rows. */
export function sharedEntries(
  { view }: Pick<Stores, 'view'>,
  resource: Resource,
  action: Action,
  rows: readonly Target[],
): SharedEntries {
  const shared = new Map<string, readonly [Entry] | 'different'>();
  for (const { row, params } of rows) {
    for (const [name, entry] of Object.entries(startOf(resource, action, row, view, params))) {
      const before = shared.get(name) ?? [entry];
      shared.set(name, before === 'different' || isSameEntry(before[0], entry) ? before : 'different');
    }
  }
  return shared;
}

/** The answer that prefills a form besides the row; empty if it could not be read. */
function prefillAnswer({ view }: Pick<Stores, 'view'>, resource: Resource, action: Action, params: Params): Row {
  const beside = prefillQuery(resource, action, params);
  return ((beside && view.answer(beside.resource, beside.operation, beside.params)) ?? {}) as Row;
}
