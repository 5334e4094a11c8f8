import { placeKey } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import type { TileLink } from './tile.ts';

/** Goes where a link leads and sets the filter of the list there, or opens its overlay. */
export function followLink(
  { navigation }: Pick<Stores, 'navigation'>,
  { place, filter, viewKey, overlay }: TileLink,
): void {
  if (filter !== undefined) navigation.setListView(viewKey ?? placeKey(place), { filter });
  if (overlay) navigation.open(overlay);
  else navigation.go(place);
}
