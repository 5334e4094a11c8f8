import type { StoreApi } from 'zustand/vanilla';
import type { Configuration } from '../../config/configuration.ts';
import type { StoredValues } from '../kept/accountState.ts';
import { createNavigation, type Navigation } from '../navigation.ts';
import type { Place } from '../place.ts';
import { type LastPlaceParts, leaveGoneRow } from './lastPlace.ts';
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
  return {
    navigation,
    leave: () => {
      stay?.();
      endKeeping?.();
    },
  };
}
