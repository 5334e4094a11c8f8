import type { Configuration } from '../config/configuration.ts';
import { paramsFrom } from '../resources/identity.ts';
import { resourceCalled } from '../resources/index.ts';
import type { Place } from '../store/navigation.ts';
import type { NoticeContent } from '../store/notices.ts';
import type { StateFile } from '../store/problems/acknowledgements.ts';
import type { Session, Settings } from '../store/session.ts';
import { createStores, type Stores } from '../store/stores.ts';
import type { DrawOptions } from './drawDashboard.tsx';
import { placeOfArea, placeOfRow, prefetchPlace } from './places.ts';

/** Options of `openDashboard`. */
export interface DashboardOptions extends DrawOptions {
  api: Stores['api'];
  /** Created before the API, which reports every call to it. */
  session: Session;
  settings: Settings;
  /** Empty by default. */
  configuration?: Configuration;
  /** The area and row to open first; home by default. */
  place?: { area: string; id?: string };
  files: Stores['files'];
  /** Persists acknowledged problems; without it they are forgotten at the end. */
  stateFile?: StateFile;
  /** Called once with the function that adds a notice. */
  onNotices?: (add: (said: NoticeContent) => void) => void;
  /** Called when the first frame is drawn. */
  onDrawn?: () => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Opens the dashboard, or the wall monitor, over the whole terminal; resolves when the user quits and rejects when it crashes. */
export async function openDashboard({
  api,
  session,
  settings,
  configuration,
  place,
  files,
  stateFile,
  onNotices,
  onDrawn,
  now = Date.now,
  ...drawOptions
}: DashboardOptions): Promise<void> {
  const start = startPlace(place);
  const stores = createStores({ api, settings, configuration, session, files, stateFile, start, now });
  onNotices?.((said) => void stores.notices.add(said));
  const endPrefetch = prefetchPlace(stores, start);
  try {
    // Loading and the first frame take one long turn of the event loop; two turns before it let the request connect and
    // be sent, so that its answer arrives meanwhile.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    const { drawDashboard } = await import('./drawDashboard.tsx');
    await drawDashboard(stores, drawOptions, () => {
      endPrefetch();
      onDrawn?.();
    });
  } finally {
    stores.close();
  }
}

/** The first place: home, the fleet, a list, or one row of it. */
function startPlace(place: DashboardOptions['place']): Place {
  if (place?.area === 'fleet') return { screen: 'fleet' };
  const resource = place && resourceCalled(place.area);
  if (!resource) return { screen: 'home' };
  return place.id === undefined ? placeOfArea(resource) : placeOfRow(resource, paramsFrom(resource, place.id));
}
