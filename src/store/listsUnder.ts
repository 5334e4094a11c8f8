import { idOf, isPlaceholderId, paramsIn, paramsOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { rowParams } from '../resources/relations.ts';
import type { CacheView, Params } from '../resources/resource.ts';

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
