import type { Action, Params, Resource, Row } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { uidOf } from '../store/history/sentRecord.ts';
import { startAction, ticketOf } from './actions.ts';
import { useKeys } from './keyboard.tsx';
import { startOf, whyNoChoices } from './keys/offered.ts';
import { leadsOn, placeAbout } from './places.ts';
import type { ShownTab } from './tabs.ts';
import { takesBack } from './undo/takesBack.ts';
import { useStores } from './useStores.ts';

interface DetailKeys {
  resource: Resource;
  params: Params;
  tabs: readonly ShownTab[];
  current: ShownTab | undefined;
  row: Row | undefined;
}

/** The keys of a detail; a list in one of its tabs takes keys before it. Returns the function that shows a tab. */
export function useDetailKeys({
  resource,
  params,
  tabs,
  current,
  row,
}: DetailKeys): (tab: ShownTab | undefined) => void {
  const stores = useStores();
  const { navigation } = stores;
  const show = (tab: ShownTab | undefined) =>
    tab && navigation.replace({ screen: 'detail', resource: resource.name, params, tab: tab.name });
  const shown = tabs.findIndex((tab) => tab === current || tab.name === current?.name);
  const step = (by: number) =>
    tabs.length > 1 ? () => show(tabs[(shown + by + tabs.length) % tabs.length]) : 'There is only this tab.';
  /** Shows the tab of a key, unless there is none or it is shown. */
  const nth = (key: string) => {
    const index = Number(key) - 1;
    if (!tabs[index]) return `There ${tabs.length === 1 ? 'is only 1 tab' : `are only ${tabs.length} tabs`}.`;
    show(tabs[index]);
    return index === shown ? `This is tab ${key}.` : undefined;
  };
  const targets = row ? [{ row, params }] : [];
  const { edit, remove } = resource;
  const about = row && placeAbout(stores, resource, row);
  const json = tabs.find(({ name }) => name === 'json');
  const history = tabs.find(({ name }) => name === 'history');
  const own = { resource: resource.name, params, targets: [params] };
  const unread = `This ${resource.one} is not read.`;
  /** Starts an action of the row, or tells why not; `done` tells it of a row. */
  const starts = (action: Action | undefined, done: string) => {
    if (!action) return `No ${resource.one} can be ${done} here.`;
    return row ? startOf(stores, action, () => startAction(stores, resource, action, targets, params)) : unread;
  };
  const choices = () => navigation.open({ kind: 'actions', resource: resource.name, targets: [params] });
  const handlers = {
    nextTab: step(1),
    previousTab: step(-1),
    nthTab: nth,
    json: json && (json === tabs[shown] ? 'This is the JSON.' : () => show(json)),
    moments: history
      ? history === tabs[shown]
        ? 'This is the history.'
        : () => show(history)
      : `There is no history of ${plural(resource)}.`,
    jump: typeof about === 'object' ? () => navigation.go(about) : leadsOn(resource) ? (about ?? unread) : undefined,
    copy: row ? () => navigation.open({ kind: 'copy', ...own }) : unread,
    related: resource.local
      ? `Nothing is related to ${plural(resource)}.`
      : row
        ? () => navigation.open({ kind: 'related', ...own })
        : unread,
    actions: whyNoChoices(stores, resource) ?? (row ? choices : unread),
    edit: starts(edit, 'edited'),
    ticket: ticketOf(stores, resource, targets),
    remove: starts(remove, 'deleted'),
  };
  useKeys('sent', resource.takenBack && row ? { takeBack: () => takesBack(stores, [uidOf(row)]) } : {});
  useKeys('detail', handlers, { subject: { resource, targets, params } });
  return show;
}
