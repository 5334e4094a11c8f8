import type { Configuration } from '../config/configuration.ts';
import { paramsFrom } from '../resources/identity.ts';
import { resourceCalled } from '../resources/index.ts';
import { createAccounts, type OpenedAccount } from '../store/accounts/accounts.ts';
import { type Place, placeKey, placeOf } from '../store/navigation.ts';
import type { NoticeContent } from '../store/notices.ts';
import { type AccountParts, createStores, type Stores } from '../store/stores.ts';
import { placeOfView, userView } from '../store/views/userViews.ts';
import type { DrawOptions } from './drawDashboard.tsx';
import { placeOfArea, placeOfRow, prefetchPlace } from './places.ts';

/** The parts of an account, and how it is tried and closed. */
export interface AccountToOpen extends Omit<OpenedAccount, 'stores'> {
  parts: AccountParts;
}

/** The accounts beside the first. */
export interface OtherAccounts {
  /** The names of all profiles; the configuration may be read again. */
  profiles: () => readonly string[];
  /** Opens the account of a profile; resolves with a sentence where it cannot be. */
  open: (profile: string) => Promise<AccountToOpen | string>;
}

/** Options of `openDashboard`. */
export interface DashboardOptions extends DrawOptions {
  /** The first account. */
  parts: AccountParts;
  others?: OtherAccounts;
  /** The area and row or the view to open first; the last place by default, else home. */
  place?: { area: string; id?: string; view?: string; section?: string };
  /** Told of the stores of each account that is opened; returns a function that ends what it has begun. */
  onAccount?: (stores: Stores) => () => void;
  /** Called once with the function that adds a notice. */
  onNotices?: (add: (said: NoticeContent) => void) => void;
  /** Called when the first frame is drawn. */
  onDrawn?: () => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Opens the dashboard, or the wall monitor, over the whole terminal; resolves when the user quits and rejects when it crashes. */
export async function openDashboard(options: DashboardOptions): Promise<void> {
  const { parts, place, onNotices, onDrawn, ...more } = options;
  const { others = alone, onAccount = () => () => {}, now = Date.now, ...drawOptions } = more;
  const leaves: (() => void)[] = [];
  const drawn = Promise.withResolvers<void>();
  const open = (parts: AccountParts, start?: Place): Stores => {
    const stores = createStores({ parts, start, drawn: drawn.promise, now });
    leaves.push(onAccount(stores));
    return stores;
  };
  const stores = open(parts, startPlace(place, parts.configuration));
  const { navigation } = stores;
  if (place?.section !== undefined)
    navigation.setListView(placeKey(placeOf(navigation.getState())), { section: place.section });
  const accounts = createAccounts({
    first: parts.settings.profile,
    stores,
    profiles: others.profiles,
    openOther: async (profile) => {
      const opened = await others.open(profile);
      return typeof opened === 'string' ? opened : { ...opened, stores: open(opened.parts) };
    },
  });
  onNotices?.((said) => void accounts.current().notices.add(said));
  const endPrefetch = prefetchPlace(stores, placeOf(navigation.getState()));
  try {
    drawOptions.terminal.begin();
    // Loading and the first frame take one long turn of the event loop; two turns before it let the request connect and
    // be sent, so that its answer arrives meanwhile.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    const { drawDashboard } = await import('./drawDashboard.tsx');
    await drawDashboard(accounts, drawOptions, () => {
      endPrefetch();
      drawn.resolve();
      onDrawn?.();
    });
  } finally {
    for (const leave of leaves) leave();
    accounts.close();
  }
}

const alone: OtherAccounts = { profiles: () => [], open: async (profile) => `There is no profile ${profile}.` };

/** The first place that was asked for: home, the fleet, a list, a view of it, or one of its rows. */
function startPlace(place: DashboardOptions['place'], { views }: Configuration): Place | undefined {
  if (!place) return undefined;
  const view = place.view === undefined ? undefined : userView(views, place.view);
  if (view) return placeOfView(view);
  if (place.area === 'fleet' || place.area === 'accounts') return { screen: place.area };
  const resource = resourceCalled(place.area);
  if (!resource) return { screen: 'home' };
  return place.id === undefined ? placeOfArea(resource) : placeOfRow(resource, paramsFrom(resource, place.id));
}
