import { resourceNamed } from '../../resources/index.ts';
import { queryKey } from '../../store/cache.ts';
import { keptAtOf } from '../../store/changes/freshRows.ts';
import type { Place } from '../../store/place.ts';
import type { Stores } from '../../store/stores.ts';
import { momentWords, type Timestamp } from '../../text/times.ts';

/** Of when the data of a place is, where an earlier session has read it: `kept yesterday 18:04`; else empty. */
export function keptPlaceText(stores: Pick<Stores, 'cache' | 'now'>, place: Place, ofHome: readonly string[]): string {
  const at = keptPlaceAt(stores, place, ofHome);
  return at === undefined ? '' : `kept ${momentWords(at, stores.now())}`;
}

function keptPlaceAt({ cache }: Pick<Stores, 'cache'>, place: Place, ofHome: readonly string[]): Timestamp | undefined {
  const { collections } = cache.getState();
  const keptAt = (resource: string, params: Record<string, string> = {}, operation = 'list') =>
    collections[queryKey({ resource, operation, params })]?.keptAt;
  if (place.screen === 'accounts') return undefined;
  if (place.screen === 'detail') return keptAtOf(cache, resourceNamed(place.resource), place.params);
  if (place.screen === 'fleet') return keptAt('servers');
  if (place.screen === 'home') return oldest(ofHome.map((name) => keptAt(name)));
  if (place.screen === 'compare') return keptAt(place.resource);
  const { sections = [] } = resourceNamed(place.resource);
  const operations = sections.length > 0 ? sections.map(({ operation }) => operation) : ['list'];
  return oldest(operations.map((operation) => keptAt(place.resource, place.params, operation)));
}

function oldest(times: readonly (Timestamp | undefined)[]): Timestamp | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
