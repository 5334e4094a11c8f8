import { idOf, isPlaceholderId, paramsIn, paramsOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { rowParams } from '../resources/relations.ts';
import type { CacheView, Params, Resource, Row } from '../resources/resource.ts';
import { listQuery } from './queries.ts';

/**
 * The parameters of the lists of a resource below given parents: more than one where rows lie between. Undefined where those
 * are not all read.
 */
export function listsUnder(name: string, params: Params, view: CacheView): readonly Params[] | undefined {
  const { list, under } = resourceNamed(name);
  const parent = under === undefined ? undefined : resourceNamed(under);
  if (!parent || rowParams(parent, params)) return [paramsIn(list?.path, params)];
  const between = listsUnder(parent.name, params, view);
  if (!between?.every((one) => view.isRead(parent.name, one))) return undefined;
  // Below a row without an id there is nothing to be asked for.
  return between.flatMap((one) =>
    view
      .rows(parent.name, one)
      .filter((row) => !isPlaceholderId(idOf(parent, row)))
      .map((row) => paramsIn(list?.path, paramsOf(parent, row, { ...params, ...one }))),
  );
}

/** The queries for the lists of a resource below each of these rows. */
export const listsBelow = (resource: Resource, parent: Resource, rows: readonly Row[], params: Params = {}) =>
  rows.map((row) => listQuery(resource, paramsOf(parent, row, params)));
