import { isSingle, resources } from '../resources/index.ts';
import { at, type Params, type Resource } from '../resources/resource.ts';
import type { Place } from '../store/navigation.ts';

/** Where one row is shown, at the tab at which it opens. */
export const placeOfRow = ({ name, opensAt = 'overview' }: Resource, params: Params): Place => ({
  screen: 'detail',
  resource: name,
  params,
  tab: opensAt.toLowerCase(),
});

/** Where a resource is shown: its list, or what there is only one of. */
export const placeOfArea = (resource: Resource): Place =>
  isSingle(resource) ? placeOfRow(resource, {}) : { screen: 'list', resource: resource.name, params: {} };

/** Where an entity that an event or ticket names is shown; undefined where there is no screen for its kind. */
export function placeOfEntity(entity: unknown): Place | undefined {
  const type = at(entity, 'type');
  const id = at(entity, 'id');
  const resource = resources.find((resource) => resource.entity !== undefined && resource.entity === type);
  if (!resource?.view || resource.under || id === null || id === undefined) return undefined;
  return placeOfRow(resource, { [resource.param]: String(id) });
}
