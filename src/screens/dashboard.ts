import { type Configuration, noConfiguration } from '../config/configuration.ts';
import { paramsFrom } from '../resources/identity.ts';
import { resourceCalled } from '../resources/index.ts';
import { createAccounts, type OpenedAccount } from '../store/accounts/accounts.ts';
import type { AuditSource } from '../store/audit/auditSource.ts';
import type { AccountState } from '../store/kept/accountState.ts';
import type { KeptSource } from '../store/kept/keptSource.ts';
import { placeOf } from '../store/navigation.ts';
import type { NoticeContent } from '../store/notices.ts';
import type { Place } from '../store/place.ts';
import type { Session, Settings } from '../store/session.ts';
import { createStores, type Stores } from '../store/stores.ts';
import { ownView, placeOfView } from '../store/views/ownViews.ts';
import type { ViewsFile } from '../store/views/savedViews.ts';
import type { DrawOptions } from './drawDashboard.tsx';
import { placeOfArea, placeOfRow, prefetchPlace } from './places.ts';

/** One account as the program has opened it. */
export interface AccountParts {
  api: Stores['api'];
  /** Created before the API, which reports every call to it. */
  session: Session;
  settings: Settings;
  /** Its guards must count, so it cannot be left out. */
  configuration: Configuration;
  /** Reads the configuration again; absent where there is none. */
  reread?: Stores['reread'];
  /** Persists acknowledged problems, the last place, the views of lists and the plan; without it they are forgotten at the end. */
  state?: AccountState;
  /** Persists the views that are saved; without it they are forgotten at the end. */
  viewsFile?: ViewsFile;
  /** The lists of sessions before, which this one keeps for the next. */
  kept?: KeptSource;
  /** The audit log; without it nothing is known of what was sent. */
  audit?: AuditSource;
  /** Runs programs of this machine; without it none can be run. */
  programs?: Stores['programs'];
}

/** The accounts beside the first. */
export interface OtherAccounts {
  /** The names of all profiles; the configuration may be read again. */
  profiles: () => readonly string[];
  /** Opens the account of a profile; resolves with a sentence where it cannot be. */
  open: (profile: string) => Promise<(AccountParts & Omit<OpenedAccount, 'stores'>) | string>;
}

/** Options of `openDashboard`. */
export interface DashboardOptions extends AccountParts, DrawOptions {
  others?: OtherAccounts;
  /** The area and row or the view to open first; the last place by default, else home. */
  place?: { area: string; id?: string; view?: string };
  files: Stores['files'];
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
export async function openDashboard({
  api,
  session,
  settings,
  configuration,
  reread,
  state,
  viewsFile,
  kept,
  audit,
  others = alone,
  place,
  files,
  programs,
  onAccount = () => () => {},
  onNotices,
  onDrawn,
  now = Date.now,
  ...drawOptions
}: DashboardOptions): Promise<void> {
  const start = startPlace(place, configuration);
  // The wall shows its boards and no last place.
  const isWall = drawOptions.watch !== undefined;
  const parts = {
    api,
    settings,
    configuration,
    reread,
    session,
    files,
    programs,
    state,
    isWatched: isWall,
    viewsFile,
    kept,
    audit,
  };
  const stores = createStores({ ...parts, start, now });
  const leaves = [onAccount(stores)];
  const accounts = createAccounts({
    first: settings.profile,
    stores,
    profiles: others.profiles,
    openOther: async (profile) => {
      const opened = await others.open(profile);
      if (typeof opened === 'string') return opened;
      const { whyRefused, close, ...parts } = opened;
      const other = createStores({ ...parts, isWatched: isWall, files, now });
      leaves.push(onAccount(other));
      return { whyRefused, close, stores: other };
    },
  });
  onNotices?.((said) => void accounts.current().notices.add(said));
  const endPrefetch = prefetchPlace(stores, placeOf(stores.navigation.getState()));
  try {
    // Loading and the first frame take one long turn of the event loop; two turns before it let the request connect and
    // be sent, so that its answer arrives meanwhile.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    const { drawDashboard } = await import('./drawDashboard.tsx');
    await drawDashboard(accounts, drawOptions, () => {
      endPrefetch();
      onDrawn?.();
    });
  } finally {
    for (const leave of leaves) leave();
    accounts.close();
  }
}

const alone: OtherAccounts = {
  profiles: () => [],
  open: async (profile) => `There is no profile ${profile}.`,
};

/** The first place that was asked for: home, the fleet, a list, a view of it, or one of its rows. */
function startPlace(place: DashboardOptions['place'], configuration = noConfiguration): Place | undefined {
  if (!place) return undefined;
  const view = place.view === undefined ? undefined : ownView(configuration.views, place.view);
  if (view) return placeOfView(view);
  if (place.area === 'fleet' || place.area === 'accounts') return { screen: place.area };
  const resource = resourceCalled(place.area);
  if (!resource) return { screen: 'home' };
  return place.id === undefined ? placeOfArea(resource) : placeOfRow(resource, paramsFrom(resource, place.id));
}
