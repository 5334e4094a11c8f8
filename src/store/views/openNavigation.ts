import type { StoreApi } from 'zustand/vanilla';
import type { Configuration } from '../../config/configuration.ts';
import { createNavigation, type Navigation } from '../navigation.ts';
import type { Place } from '../place.ts';
import type { StateFile } from '../problems/acknowledgements.ts';
import { keepViews, readKeptViews, restored } from './keptViews.ts';
import { type LastPlaceParts, leaveGoneRow } from './lastPlace.ts';
import { applyView, ownView } from './ownViews.ts';

interface NavigationParts {
  parts: Omit<LastPlaceParts, 'navigation'>;
  /** Where to begin; the last place by default, else home. */
  start: Place | undefined;
  keptFile: StateFile | undefined;
  configuration: StoreApi<Configuration>;
  /** Told sentences about the file. */
  onTrouble: (says: string) => void;
}

/** The navigation as the last session left it, which is kept from now on; `leave` ends this. */
export function openNavigation({ parts, start, keptFile, configuration, onTrouble }: NavigationParts): {
  navigation: Navigation;
  leave: () => void;
} {
  const kept = keptFile && readKeptViews(keptFile, onTrouble);
  const wanted = start ?? kept?.place ?? { screen: 'home' };
  const name = wanted.screen === 'list' ? wanted.view : undefined;
  const view = name === undefined ? undefined : ownView(configuration.getState().views, name);
  const isGone = name !== undefined && view === undefined;
  const place = isGone ? { ...wanted, view: undefined } : wanted;
  const navigation = createNavigation(place, kept && restored(kept));
  if (view) applyView(navigation, view);
  const endKeeping = keptFile ? keepViews(navigation, keptFile, onTrouble) : undefined;
  const stay = start === undefined ? leaveGoneRow({ ...parts, navigation }, place) : undefined;
  return {
    navigation,
    leave: () => {
      stay?.();
      endKeeping?.();
    },
  };
}
