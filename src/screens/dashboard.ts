import { paramsFrom } from '../resources/identity.ts';
import { resourceCalled } from '../resources/index.ts';
import type { Place } from '../store/navigation.ts';
import type { NoticeContent } from '../store/notices.ts';
import type { StateFile } from '../store/problems/acknowledgements.ts';
import type { Session, Settings } from '../store/session.ts';
import { createStores, type Stores } from '../store/stores.ts';
import type { DrawOptions } from './drawDashboard.tsx';
import { placeOfArea, placeOfRow, prefetchPlace } from './places.ts';

/** Everything a dashboard needs from outside. */
export interface DashboardOptions extends DrawOptions {
  api: Stores['api'];
  /** Made before the API, which tells it of every call. */
  session: Session;
  settings: Settings;
  /** The area, and the row in it, to begin with; home by default. */
  place?: { area: string; id?: string };
  files: Stores['files'];
  /** Where acknowledged problems are kept; as long as the dashboard is open by default. */
  stateFile?: StateFile;
  /** Given a function that keeps a notice for the user, once there is a list to keep it in. */
  onNotices?: (add: (said: NoticeContent) => void) => void;
  /** Told when the first frame is there. */
  onDrawn?: () => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Opens the dashboard, or the wall monitor, over the whole terminal; resolves when the user quits and rejects when it crashes. */
export async function openDashboard({
  api,
  session,
  settings,
  place,
  files,
  stateFile,
  onNotices,
  onDrawn,
  now = Date.now,
  ...drawn
}: DashboardOptions): Promise<void> {
  const start = startOf(place);
  const stores = createStores({ api, settings, session, files, stateFile, start, now });
  onNotices?.((said) => void stores.notices.add(said));
  const leave = prefetchPlace(stores, start);
  try {
    // Asked now, it is on its way while all that draws it is loaded and draws a first frame, in one turn of the event
    // loop: one to connect, and one to send.
    for (let turns = 0; turns < 2; turns++) await new Promise((turned) => setImmediate(turned));
    const { drawDashboard } = await import('./drawDashboard.tsx');
    await drawDashboard(stores, drawn, () => {
      leave();
      onDrawn?.();
    });
  } finally {
    stores.close();
  }
}

/** Where to begin: home, the fleet, a list, or one row of it. */
function startOf(place: DashboardOptions['place']): Place {
  if (place?.area === 'fleet') return { screen: 'fleet' };
  const resource = place && resourceCalled(place.area);
  if (!resource) return { screen: 'home' };
  return place.id === undefined ? placeOfArea(resource) : placeOfRow(resource, paramsFrom(resource, place.id));
}
