import { resourceNamed } from '../resources/index.ts';
import { isAcross } from '../resources/relations.ts';
import type { Params } from '../resources/resource.ts';
import { viewQuery } from './queries.ts';

/** Where the user is. */
export type Place =
  | { screen: 'home' }
  /** The loads of all servers. */
  | { screen: 'fleet' }
  /** The accounts of all profiles. */
  | { screen: 'accounts' }
  /** The statistics of some rows beside each other. */
  | { screen: 'compare'; resource: string; ids: readonly string[] }
  /** `view` is the name of one of the user's own, which the list is seen by. */
  | { screen: 'list'; resource: string; params: Params; view?: string }
  /** `moment` is where the crosshair of its graphs begins, in ms since the epoch. */
  | { screen: 'detail'; resource: string; params: Params; tab: string; moment?: number };

/** The parent of a place: the list or parent row of a row, the list of what is compared, home of a list and of the fleet. */
export function parentOf(place: Place): Place {
  if (place.screen === 'home') return place;
  if (place.screen === 'fleet' || place.screen === 'accounts') return { screen: 'home' };
  if (place.screen === 'compare') return { screen: 'list', resource: place.resource, params: {} };
  const { under, list, name } = resourceNamed(place.resource);
  if (under && !(place.screen === 'list' && isAcross(resourceNamed(place.resource), place.params))) {
    const parent = resourceNamed(under);
    return { screen: 'detail', resource: under, params: viewQuery(parent, place.params).params, tab: 'overview' };
  }
  return place.screen === 'detail' && list ? { screen: 'list', resource: name, params: {} } : { screen: 'home' };
}
