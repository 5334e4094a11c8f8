import { paramsFrom } from '../resources/identity.ts';
import { isSingle, resources } from '../resources/index.ts';
import type { CacheView, Params, Resource, Row } from '../resources/resource.ts';
import { goneFrom } from './gone.ts';
import { isWhole } from './held.ts';
import { keyOf, viewOf } from './questions.ts';
import { type Collection, idOf, type Records, type RecordsState } from './records.ts';
import { rowIn } from './rows.ts';

/** Shows the rules of descriptions what is loaded: asked for many rows in a row, so it looks things up. */
export function knownFrom(records: Records, now: () => number): CacheView {
  const gone = goneFrom(records);
  const unions = new Map<string, { of: readonly Collection[]; rows: readonly Row[] }>();
  const singles = new WeakMap<Row, readonly Row[]>();
  let grouped = groupedBy(records.getState());

  function holding(resource: string, under: Params): readonly Collection[] {
    const state = records.getState();
    if (grouped.of !== state.collections) grouped = groupedBy(state);
    const found = grouped.byResource.get(resource) ?? [];
    const wanted = Object.entries(under);
    return wanted.length === 0
      ? found
      : found.filter(({ params }) => wanted.every(([name, value]) => params[name] === value));
  }

  /** The rows of several collections, each once; the same list as long as these are the same. */
  function union(description: Resource, under: Params, found: readonly Collection[]): readonly Row[] {
    const key = keyOf({ resource: description.name, operation: 'list', params: under });
    const known = unions.get(key);
    if (known && known.of.length === found.length && known.of.every(({ rows }, index) => rows === found[index]?.rows))
      return known.rows;
    const rows = [...new Map(found.flatMap(({ rows }) => rows.map((row) => [idOf(description, row), row]))).values()];
    unions.set(key, { of: found, rows });
    return rows;
  }

  /** A row that was viewed alone. */
  const viewed = (description: Resource, id: string) =>
    records.getState().answers[keyOf(viewOf(description, paramsFrom(description, id)))]?.body as Row | undefined;

  /** Answers a single row as a list; the same list as long as it is the same. */
  function single(description: Resource): readonly Row[] {
    const row = records.getState().answers[keyOf(viewOf(description, {}))]?.body as Row | null | undefined;
    if (typeof row !== 'object' || row === null) return [];
    const found = singles.get(row) ?? [row];
    singles.set(row, found);
    return found;
  }

  return {
    get now() {
      return now();
    },
    rows: (resource, under = {}) => {
      const found = holding(resource, under);
      const [only] = found;
      if (only && found.length === 1) return only.rows;
      const description = resources.find(({ name }) => name === resource);
      if (!description) return [];
      return isSingle(description) ? single(description) : union(description, under, found);
    },
    row: (resource, id) => {
      const description = resources.find(({ name }) => name === resource);
      if (!description) return undefined;
      for (const { rows } of holding(resource, {})) {
        const row = rowIn(description, rows, String(id));
        if (row) return row;
      }
      return viewed(description, String(id));
    },
    isRead: (resource, under = {}) => holding(resource, under).some(isWhole),
    gone,
  };
}

/** The collections of each resource. */
const groupedBy = ({ collections }: RecordsState) => ({
  of: collections,
  byResource: Map.groupBy(Object.values(collections), ({ resource }) => resource),
});
