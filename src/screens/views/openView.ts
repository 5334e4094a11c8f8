import type { Stores } from '../../store/stores.ts';
import { applyView, placeOfView, userView } from '../../store/views/userViews.ts';

/** Goes to a view of the user's own, as it is kept. */
export function openView({ navigation, configuration }: Stores, name: string): void {
  const view = userView(configuration.getState().views, name);
  if (!view) return;
  applyView(navigation, view);
  navigation.go(placeOfView(view));
}
