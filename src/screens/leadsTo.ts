import { resourceNamed, resources } from '../resources/index.ts';
import { relationsOf } from '../resources/relations.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { paramsOf } from '../store/cache.ts';
import { cachedRow } from '../store/changes/change.ts';
import type { Stores } from '../store/stores.ts';

/** Rows of one resource, by their ids. */
export interface RowsOf {
  resource: Resource;
  ids: readonly string[];
}

/**
 * The rows of a wanted resource that these rows are, or lead to, as far as they are loaded: a volume to its server, a tag
 * to its servers. Of several kinds the first in the order of resources; undefined where there is none.
 * @param params of the list
 */
export function leadsTo(
  stores: Stores,
  resource: Resource,
  rows: readonly Row[],
  params: Params,
  isWanted: (resource: Resource) => boolean,
): RowsOf | undefined {
  const found = new Map<Resource, Set<string>>();
  const add = (to: Resource, id: string) => found.set(to, (found.get(to) ?? new Set()).add(id));
  for (const row of rows) {
    const { resource: name, params: named } = row;
    // A problem names the row that it is about.
    if (resource.local && typeof name === 'string' && isNamed(named)) {
      const about = resourceNamed(name);
      addRelated(about, cachedRow(stores, about, named) ?? {}, named);
    } else addRelated(resource, row, paramsOf(resource, row, params));
  }
  const to = resources.find((one) => found.has(one));
  return to && { resource: to, ids: [...(found.get(to) ?? [])] };

  function addRelated(of: Resource, row: Row, own: Params): void {
    const id = own[of.param];
    if (isWanted(of) && id !== undefined) {
      add(of, id);
      return;
    }
    for (const { resource: other, rows: relatives } of relationsOf(of, row, own, stores.view).groups) {
      if (!isWanted(other)) continue;
      for (const relative of relatives) add(other, relative.params[other.param] ?? '');
    }
  }
}

const isNamed = (value: unknown): value is Params => typeof value === 'object' && value !== null;
