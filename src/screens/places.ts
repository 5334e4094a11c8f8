import { isSingle, resourceNamed, rowOfEntity } from '../resources/index.ts';
import type { Params, Resource } from '../resources/resource.ts';
import type { Place } from '../store/navigation.ts';
import type { Notice } from '../store/notices.ts';
import { viewQuery } from '../store/queries.ts';
import type { Stores } from '../store/stores.ts';

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
  const named = rowOfEntity(entity);
  return named && placeOfRow(resourceNamed(named.resource), named.params);
}

/** Where what a notice is about is shown. */
export function placeOfNotice({ resource, params }: NonNullable<Notice['about']>): Place {
  const description = resourceNamed(resource);
  return params ? placeOfRow(description, params) : placeOfArea(description);
}

/** Subscribes to what a list or a row shows first of all, as the screen that shows it is still to be loaded; returns an unsubscribe function. */
export function prefetchPlace({ scheduler }: Pick<Stores, 'scheduler'>, place: Place): () => void {
  if (place.screen !== 'list' && place.screen !== 'detail') return () => {};
  const resource = resourceNamed(place.resource);
  const { params } = place;
  if (place.screen === 'detail') return scheduler.subscribe(resource.view ? [viewQuery(resource, params)] : []);
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  return scheduler.subscribe([{ resource: resource.name, operation, params }]);
}
