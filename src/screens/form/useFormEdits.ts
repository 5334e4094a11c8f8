import { useMemo, useState } from 'react';
import { isPatch, startOf } from '../../resources/body.ts';
import { type Edits, isSameEntry } from '../../resources/edits.ts';
import type { Action, Draft, Entry, Params, Resource, Row } from '../../resources/resource.ts';
import { actionOn, plural } from '../../resources/wording.ts';
import { type Target, targetsAt } from '../../store/changes/change.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { useNavigation, useStores } from '../useStores.ts';
import { prefillQuery } from './useFormReads.ts';

/** The copies behind a form: the row as it was when the form opened, what was entered, and the row as it is now. */
export interface FormEdits {
  /** The key under which it is kept what was entered, and what was refused of that. */
  key: string;
  edits: Edits;
  /** The entries as they are now without what was entered. */
  current: Draft;
  /** The form shows this: the entries over what is there now. */
  draft: Draft;
  /** The form opened with what had been entered into it before. */
  isRestored: boolean;
  set: (name: string, entry: Entry) => void;
  save: (edits: Edits) => void;
  /** The edits of this moment, which a function that waited needs. */
  latest: () => Edits;
  /** Keeps what was entered for the form of some of the rows. */
  saveFor: (targets: readonly Params[]) => void;
  /** Forgets what was entered; of the same form opened again meanwhile only if it is still this. */
  discard: (only?: Edits) => void;
}

/** The key under which what is entered into a form is kept. */
const draftKey = ({ resource, action, targets, params, start = {}, into }: FormOverlay) => {
  const about = targets.length > 0 ? [...targets, ...(into ? [start] : [])] : { ...params, ...start };
  return `${resource}.${action}:${JSON.stringify(about)}`;
};

/** Names the action of a form and its rows: "Edit api-1". */
export function formTitle(action: Action, resource: Resource, targets: readonly Target[]): string {
  const [first, ...others] = targets;
  if (!first) return action.help;
  return actionOn(action, others.length === 0 ? resource.label(first.row) : `${targets.length} ${plural(resource)}`);
}

/** The copies behind an open form; what is entered outlives it until it is sent. */
export function useFormEdits(
  overlay: FormOverlay,
  resource: Resource,
  action: Action,
  targets: readonly Target[],
): FormEdits {
  const stores = useStores();
  const { navigation } = stores;
  const key = draftKey(overlay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form starts from what was known when it was opened
  const base = useMemo(() => initialDraft(stores, resource, action, overlay), [key]);
  const kept = useNavigation(({ drafts }) => drafts[key]);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const latest = (): Edits => navigation.getState().drafts[key] ?? { opened: base, mine: {} };
  const edits = latest();
  const current = overlay.targets.length > 0 ? initialDraft(stores, resource, action, overlay) : edits.opened;

  const save = ({ opened, mine }: Edits) => {
    const isEmpty = Object.keys(mine).length === 0;
    const title = formTitle(action, resource, targets);
    navigation.keepDraft(key, isEmpty ? undefined : { title, opened, mine });
  };

  return {
    key,
    edits,
    current,
    draft: { ...current, ...edits.mine },
    isRestored: isRestored && kept !== undefined,
    latest,
    save,
    set: (name, entry) => {
      const { opened, mine } = latest();
      const { [name]: _, ...others } = mine;
      save({ opened, mine: isSameEntry(entry, current[name]) ? others : { ...others, [name]: entry } });
    },
    saveFor: (targets) => {
      const some = { ...overlay, targets };
      const opened = initialDraft(stores, resource, action, some);
      const title = formTitle(action, resource, targetsAt(stores, resource, targets));
      navigation.keepDraft(draftKey(some), { title, opened, mine: latest().mine });
    },
    discard: (only) => {
      if (only && navigation.getState().drafts[key]?.mine !== only.mine) return;
      navigation.keepDraft(key, undefined);
      setRestored(false);
    },
  };
}

/** The entries that a form would start from at this moment; of several rows that are changed nothing is entered at first. */
export function initialDraft(
  stores: Pick<Stores, 'view'>,
  resource: Resource,
  action: Action,
  { targets, params, start }: FormOverlay,
): Draft {
  const [first] = targetsAt(stores, resource, targets.slice(0, 1));
  const own: Params = first?.params ?? params;
  const row = first && { ...first.row, ...prefillAnswer(stores, resource, action, own) };
  const entries = startOf(resource, action, row, stores.view, own);
  const isBlankAtFirst = targets.length > 1 && isPatch(action);
  return {
    ...(isBlankAtFirst ? Object.fromEntries(Object.keys(entries).map((name) => [name, undefined])) : entries),
    ...start,
  };
}

/** The answer from which a form starts besides the row; nothing where it could not be read. */
function prefillAnswer({ view }: Pick<Stores, 'view'>, resource: Resource, action: Action, params: Params): Row {
  const beside = prefillQuery(resource, action, params);
  return ((beside && view.answer(beside.resource, beside.operation, beside.params)) ?? {}) as Row;
}
