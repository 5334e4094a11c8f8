import type { StoreApi } from 'zustand/vanilla';
import type { Configuration } from '../../config/configuration.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Cache } from '../cache.ts';
import { cachedRow } from '../changes/change.ts';
import type { StoredValues } from '../kept/accountState.ts';
import { allOf } from '../listeners.ts';
import { createNavigation, type Navigation, type Place, parentOf, placeOf } from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { listQuery, queryKey, viewQuery } from '../queries.ts';
import { keepViews, readStoredViews, restored } from './storedViews.ts';
import { applyView, userView } from './userViews.ts';

interface NavigationParts {
  parts: Omit<LastPlaceParts, 'navigation'>;
  /** Where to begin; the last place by default, else home. */
  start: Place | undefined;
  /** The last place and views; without it they begin anew. */
  views: StoredValues | undefined;
  configuration: StoreApi<Configuration>;
  /** Told sentences about what is not kept. */
  onTrouble: (says: string) => void;
}

/** The navigation as the last session left it, which is kept from now on; `leave` ends this. */
export function openNavigation({ parts, start, views, configuration, onTrouble }: NavigationParts): {
  navigation: Navigation;
  leave: () => void;
} {
  const kept = views && readStoredViews(views, onTrouble);
  const wanted = start ?? kept?.place ?? { screen: 'home' };
  const name = wanted.screen === 'list' ? wanted.view : undefined;
  const view = name === undefined ? undefined : userView(configuration.getState().views, name);
  const isGone = name !== undefined && view === undefined;
  const place = isGone ? { ...wanted, view: undefined } : wanted;
  const navigation = createNavigation(place, kept && restored(kept));
  if (view) applyView(navigation, view);
  const endKeeping = views ? keepViews(navigation, views, onTrouble) : undefined;
  const stay = start === undefined ? leaveGoneRow({ ...parts, navigation }, place) : undefined;
  return { navigation, leave: allOf([stay, endKeeping]) };
}

interface LastPlaceParts {
  cache: Cache;
  view: CacheView;
  navigation: Navigation;
  notices: Notices;
}

/**
 * Goes to the list of the row at which the last session ended, where that row is there no more.
 * Returns a function that ends this.
 */
function leaveGoneRow(stores: LastPlaceParts, place: Place): () => void {
  if (place.screen !== 'detail') return () => {};
  const { cache, navigation, notices } = stores;
  const { params } = place;
  const resource = resourceNamed(place.resource);
  const key = queryKey(resource.view ? viewQuery(resource, params) : listQuery(resource, params));
  const isHere = (now: Place) =>
    now.screen === 'detail' && now.resource === place.resource && JSON.stringify(now.params) === JSON.stringify(params);
  let end = cache.subscribe(({ answers, collections }) => {
    const { loadedAt, loading, error } = (resource.view ? answers[key] : collections[key]) ?? {};
    const here = placeOf(navigation.getState());
    if (!isHere(here) || cachedRow(stores, resource, params)) return end();
    if (loading || (loadedAt === undefined && error?.status !== 404)) return;
    end();
    const parent = parentOf(here);
    navigation.replace(parent);
    const name = [resource.one, params[resource.param]].filter(Boolean).join(' ');
    notices.say('plain', `The ${name} of the last session is gone; this is where it was.`);
    end = leaveGoneRow(stores, parent);
  });
  return () => end();
}
