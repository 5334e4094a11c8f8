import { isSingle, resourceNamed } from '../../resources/index.ts';
import { type NavigationState, placeKey, placeOf, type Visit } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { breadcrumbs } from '../Header.tsx';
import { placeOfArea } from '../places.ts';
import { areaId } from './areas.ts';
import type { Thing } from './thing.ts';

/** The places last seen, the one before this first. */
export function recentThings(stores: Stores): readonly Thing[] {
  const state = stores.navigation.getState();
  return state.visits.filter((visit) => !isHere(state, visit)).map((visit) => recentThing(stores, visit));
}

const isHere = (state: NavigationState, { place, filter }: Visit): boolean =>
  JSON.stringify(place) === JSON.stringify(placeOf(state)) &&
  filter === (state.listViews[placeKey(place)]?.filter ?? '');

function recentThing(stores: Stores, { place, filter }: Visit): Thing {
  const { navigation } = stores;
  const crumbs = breadcrumbs(stores, place);
  const resource = 'resource' in place ? resourceNamed(place.resource) : undefined;
  const tab =
    place.screen === 'detail' && place.tab !== (resource?.opensAt ?? 'overview').toLowerCase() ? place.tab : '';
  const isList = place.screen !== 'detail' || (resource && isSingle(resource));
  const isArea =
    filter === '' && tab === '' && isList && (!resource || placeKey(placeOfArea(resource)) === placeKey(place));
  return {
    id: isArea ? areaId(place) : `recent ${placeKey(place)} ${filter}`,
    label: crumbs.at(-1) ?? '',
    kind: isList ? 'area' : (resource?.one ?? ''),
    detail: [filter && `filter: ${filter}`, tab, isList ? resource?.area : crumbs.slice(0, -1).join(' › ')]
      .filter(Boolean)
      .join('  '),
    run: () => {
      if (isList && navigation.getState().listViews[placeKey(place)])
        navigation.setListView(placeKey(place), { filter });
      navigation.go(place);
    },
  };
}
