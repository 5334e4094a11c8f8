import { paramsFrom } from '../resources/identity.ts';
import { resources } from '../resources/index.ts';
import type { Known, Params, Resource, Row } from '../resources/resource.ts';
import { goneFrom } from './gone.ts';
import { keyOf, viewOf } from './questions.ts';
import { type Collection, idOf, type Records } from './records.ts';

/** Rows by their ids. */
type Index = ReadonlyMap<string, Row>;

/** What is loaded now, as the rules of the descriptions see it: asked for many rows in a row, so it looks things up. */
export function knownFrom(records: Records, now: () => number): Known {
  const gone = goneFrom(records);
  const indexes = new WeakMap<readonly Row[], Index>();
  const unions = new Map<string, { of: readonly Collection[]; rows: readonly Row[] }>();

  function indexOf(description: Resource, rows: readonly Row[]): Index {
    const found = indexes.get(rows) ?? new Map(rows.map((row) => [idOf(description, row), row]));
    indexes.set(rows, found);
    return found;
  }

  const holding = (resource: string, under: Params): readonly Collection[] =>
    Object.values(records.getState().collections).filter(
      (collection) =>
        collection.resource === resource &&
        Object.entries(under).every(([name, value]) => collection.params[name] === value),
    );

  /** The rows of several collections, each once; the same list as long as these are the same. */
  function union(description: Resource, under: Params, found: readonly Collection[]): readonly Row[] {
    const key = keyOf({ resource: description.name, operation: 'list', params: under });
    const known = unions.get(key);
    if (known && known.of.length === found.length && known.of.every(({ rows }, index) => rows === found[index]?.rows))
      return known.rows;
    const rows = [...new Map(found.flatMap(({ rows }) => [...indexOf(description, rows)])).values()];
    unions.set(key, { of: found, rows });
    return rows;
  }

  /** A row that was viewed alone. */
  const viewed = (description: Resource, id: string) =>
    records.getState().answers[keyOf(viewOf(description, paramsFrom(description, id)))]?.body as Row | undefined;

  return {
    get now() {
      return now();
    },
    rows: (resource, under = {}) => {
      const found = holding(resource, under);
      const [only] = found;
      if (only && found.length === 1) return only.rows;
      const description = resources.find(({ name }) => name === resource);
      return description ? union(description, under, found) : [];
    },
    row: (resource, id) => {
      const description = resources.find(({ name }) => name === resource);
      if (!description) return undefined;
      for (const { rows } of holding(resource, {})) {
        const row = indexOf(description, rows).get(String(id));
        if (row) return row;
      }
      return viewed(description, String(id));
    },
    gone,
  };
}
