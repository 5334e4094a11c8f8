import { paramsFrom } from '../resources/identity.ts';
import { resources } from '../resources/index.ts';
import type { Known, Params, Resource, Row } from '../resources/resource.ts';
import { idOf, keyOf, type Records, viewOf } from './records.ts';

/** What is loaded now, as the rules of the descriptions see it. */
export function knownFrom(records: Records, now: () => number): Known {
  const holding = (resource: string, under: Params = {}) =>
    Object.values(records.getState().collections).filter(
      (collection) =>
        collection.resource === resource &&
        Object.entries(under).every(([name, value]) => collection.params[name] === value),
    );
  /** A row that was viewed alone. */
  const viewed = (description: Resource, id: string) =>
    records.getState().answers[keyOf(viewOf(description, paramsFrom(description, id)))]?.body as Row | undefined;
  return {
    get now() {
      return now();
    },
    rows: (resource, under) => {
      const found = holding(resource, under);
      if (found.length === 1) return found[0]?.rows ?? [];
      const description = resources.find(({ name }) => name === resource);
      if (!description) return [];
      return [...new Map(found.flatMap(({ rows }) => rows.map((row) => [idOf(description, row), row]))).values()];
    },
    row: (resource, id): Row | undefined => {
      const description = resources.find(({ name }) => name === resource);
      if (!description) return undefined;
      for (const { rows } of holding(resource)) {
        const row = rows.find((row) => idOf(description, row) === String(id));
        if (row) return row;
      }
      return viewed(description, String(id));
    },
  };
}
