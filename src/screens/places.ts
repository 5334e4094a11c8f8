import { isSingle, resourceNamed, rowOfEntity } from '../resources/index.ts';
import type { Params, Resource } from '../resources/resource.ts';
import type { Deck } from '../store/deck.ts';
import type { Place } from '../store/navigation.ts';
import type { Notice } from '../store/notices.ts';
import { viewOf } from '../store/questions.ts';

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
export function placeAbout({ resource, params }: NonNullable<Notice['about']>): Place {
  const description = resourceNamed(resource);
  return params ? placeOfRow(description, params) : placeOfArea(description);
}

/** Has that read which a list or a row shows first of all, until the way back is taken: the screen that shows it is still to be loaded. */
export function watchPlace({ refresher }: Pick<Deck, 'refresher'>, place: Place): () => void {
  if (place.screen !== 'list' && place.screen !== 'detail') return () => {};
  const resource = resourceNamed(place.resource);
  const { params } = place;
  if (place.screen === 'detail') return resource.view ? refresher.watch(viewOf(resource, params), 'answer') : () => {};
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  return refresher.watch({ resource: resource.name, operation, params }, 'collection');
}
