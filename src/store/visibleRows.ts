import { idOf } from '../resources/identity.ts';
import type { Resource, Row } from '../resources/resource.ts';

/** Which rows somebody sees: of a list of thousands the few that are on the screen. */
export interface VisibleRows {
  /** These rows are on the screen until the way back is taken. */
  show(resource: Resource, rows: readonly Row[]): () => void;
  /** The ids of the rows of a resource that are on the screen. */
  idsOf(resource: Resource): ReadonlySet<string>;
  /** Has `onLook` called when other rows of a resource are on the screen. */
  subscribe(onLook: (resource: Resource) => void): () => void;
}

export function createVisibleRows(): VisibleRows {
  const seen = new Set<{ resource: Resource; rows: readonly Row[] }>();
  const listeners = new Set<(resource: Resource) => void>();
  return {
    show: (resource, rows) => {
      const own = { resource, rows };
      seen.add(own);
      for (const onLook of listeners) onLook(resource);
      return () => seen.delete(own);
    },
    idsOf: ({ name }) => {
      const ids = new Set<string>();
      for (const { resource, rows } of seen)
        if (resource.name === name) for (const row of rows) ids.add(idOf(resource, row));
      return ids;
    },
    subscribe: (onLook) => {
      listeners.add(onLook);
      return () => listeners.delete(onLook);
    },
  };
}
