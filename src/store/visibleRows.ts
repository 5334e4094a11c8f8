import { idOf } from '../resources/identity.ts';
import type { Resource, Row } from '../resources/resource.ts';

/** The rows on the screen: a few of a list of thousands. */
export type VisibleRows = ReturnType<typeof createVisibleRows>;

export function createVisibleRows() {
  const visible = new Set<{ resource: Resource; rows: readonly Row[] }>();
  const listeners = new Set<(resource: Resource) => void>();
  return {
    /** Marks rows as visible; returns a function that unmarks them. */
    show: (resource: Resource, rows: readonly Row[]): (() => void) => {
      const entry = { resource, rows };
      visible.add(entry);
      for (const listener of listeners) listener(resource);
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
    subscribe: (listener: (resource: Resource) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
