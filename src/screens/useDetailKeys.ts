import { at, type Params, type Resource, type Row } from '../resources/resource.ts';
import { hasChoices, startAction, ticketOf } from './actions.ts';
import { useKeys } from './keyboard.tsx';
import { placeOfEntity } from './places.ts';
import type { ShownTab } from './tabs.ts';
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
  const step = (by: number) => {
    const index = tabs.findIndex((tab) => tab === current || tab.name === current?.name);
    show(tabs[(index + by + tabs.length) % tabs.length]);
  };
  const targets = row ? [{ row, params }] : [];
  const { edit, remove } = resource;
  const about = row && resource.about ? placeOfEntity(at(row, resource.about)) : undefined;
  const handlers = {
    nextTab: () => step(1),
    previousTab: () => step(-1),
    nthTab: (key: string) => show(tabs[Number(key) - 1]),
    json: () => show(tabs.find(({ name }) => name === 'json')),
    jump: about && (() => navigation.go(about)),
    copy: row && (() => navigation.open({ kind: 'copy', resource: resource.name, params })),
    related:
      row && !resource.local ? () => navigation.open({ kind: 'related', resource: resource.name, params }) : undefined,
    ...(stores.api.readOnly || !row
      ? {}
      : {
          actions: hasChoices(resource)
            ? () => navigation.open({ kind: 'actions', resource: resource.name, targets: [params] })
            : undefined,
          edit: edit && (() => startAction(stores, resource, edit, targets, params)),
          ticket: ticketOf(stores, resource, targets),
          remove: remove && (() => startAction(stores, resource, remove, targets, params)),
        }),
  };
  useKeys('detail', handlers, { subject: { resource, targets, params } });
  return show;
}
