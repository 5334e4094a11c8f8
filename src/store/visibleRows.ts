import { idOf } from '../resources/identity.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { createListeners } from './listeners.ts';

/** The rows on the screen: a few of a list of thousands. */
export type VisibleRows = ReturnType<typeof createVisibleRows>;

export function createVisibleRows() {
  const visible = new Set<{ resource: Resource; rows: readonly Row[] }>();
  const listeners = createListeners<[resource: Resource]>();
  return {
    /** Marks rows as visible; returns a function that unmarks them. */
    show: (resource: Resource, rows: readonly Row[]): (() => void) => {
      const entry = { resource, rows };
      visible.add(entry);
      listeners.tell(resource);
      return () => visible.delete(entry);
    },
    /** The ids of the rows of a resource that are on the screen. */
    idsOf: ({ name }: Resource) => {
      const ids = new Set<string>();
      for (const { resource, rows } of visible)
        if (resource.name === name) for (const row of rows) ids.add(idOf(resource, row));
      return ids;
    },
    /** Calls the listener when other rows of a resource become visible; returns an unsubscribe function. */
    subscribe: listeners.subscribe,
  };
}
