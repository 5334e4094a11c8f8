import { isSingle, resourceNamed, rowOfEntity } from '../resources/index.ts';
import type { Params, Resource } from '../resources/resource.ts';
import type { Notice } from '../store/notices.ts';
import type { Place } from '../store/place.ts';
import { viewQuery } from '../store/queries.ts';
import type { Stores } from '../store/stores.ts';

/** The detail of a row, at its first tab. */
export const placeOfRow = ({ name, opensAt = 'overview' }: Resource, params: Params): Place => ({
  screen: 'detail',
  resource: name,
  params,
  tab: opensAt.toLowerCase(),
});

/** The list of a resource, or the detail of one that has a single row. */
export const placeOfArea = (resource: Resource): Place =>
  isSingle(resource) ? placeOfRow(resource, {}) : { screen: 'list', resource: resource.name, params: {} };

/** The detail of an entity that an event or ticket names; undefined where its kind has no screen. */
export function placeOfEntity(entity: unknown): Place | undefined {
  const named = rowOfEntity(entity);
  return named && placeOfRow(resourceNamed(named.resource), named.params);
}

/** The place of the object of a notice. */
export function placeOfNotice({ resource, params }: NonNullable<Notice['about']>): Place {
  const description = resourceNamed(resource);
  return params ? placeOfRow(description, params) : placeOfArea(description);
}

/** Subscribes to the first query of a place before its screen is loaded; returns an unsubscribe function. */
export function prefetchPlace({ scheduler }: Pick<Stores, 'scheduler'>, place: Place): () => void {
  if (place.screen !== 'list' && place.screen !== 'detail') return () => {};
  const resource = resourceNamed(place.resource);
  const { params } = place;
  if (place.screen === 'detail') return scheduler.subscribe(resource.view ? [viewQuery(resource, params)] : []);
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  return scheduler.subscribe([{ resource: resource.name, operation, params }]);
}
