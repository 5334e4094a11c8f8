import type { Api } from '../api/client.ts';
import type { ApiError } from '../api/error.ts';
import { resourceNamed } from '../resources/index.ts';
import { rules } from '../resources/problems/index.ts';
import type { Problem } from '../resources/problems/rule.ts';
import type { CacheView } from '../resources/resource.ts';
import { type Cache, createCache } from './cache.ts';
import { createCacheChanges } from './cacheChanges.ts';
import { createPendingChanges, type PendingChanges } from './changes/pendingChanges.ts';
import { createTransfers, type Transfers } from './changes/transfers.ts';
import { createEventInvalidation } from './eventInvalidation.ts';
import { createPoller, type Poller } from './events.ts';
import type { Files } from './files.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { syncLocalLists } from './localLists.ts';
import { createNavigation, type Navigation, type Place } from './navigation.ts';
import { createNotices, type Notices } from './notices.ts';
import { pacesFor } from './paces.ts';
import { type Acknowledgements, createAcknowledgements, type StateFile } from './problems/acknowledgements.ts';
import { createNotifications, type Notifications } from './problems/notifications.ts';
import { createProblems, type Problems } from './problems/problems.ts';
import { createRuleQueries, type RuleQueries } from './problems/ruleQueries.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { Session, Settings } from './session.ts';
import { createView } from './view.ts';
import { createVisibleRows, type VisibleRows } from './visibleRows.ts';

/** Everything a running dashboard knows and does, behind the screens. */
export interface Stores {
  api: Api;
  settings: Settings;
  cache: Cache;
  scheduler: Scheduler;
  fleet: Fleet;
  /** Which rows are on the screen. */
  visibleRows: VisibleRows;
  events: Poller;
  navigation: Navigation;
  notices: Notices;
  session: Session;
  /** Files of this machine. */
  files: Files;
  transfers: Transfers;
  changes: PendingChanges;
  /** Shows the cache to descriptions, rules and screens. */
  view: CacheView;
  problems: Problems;
  /** Problems that somebody knows of already. */
  acknowledgements: Acknowledgements;
  notifications: Notifications;
  /** Reads for the problems, and tells what is not. */
  ruleQueries: RuleQueries;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Whether nothing is asked for by itself, as nobody can see it; afterwards everything that is due is. */
  pause(isResting: boolean): void;
  close(): void;
}

interface StoresOptions extends Pick<Stores, 'api' | 'settings' | 'files' | 'now'> {
  /** Made before the API, which tells it of every call. */
  session: Session;
  /** Where to begin. */
  start: Place;
  /** Where acknowledged problems are kept; as long as the program runs by default. */
  stateFile?: StateFile;
}

/** Builds the stores and joins them: an event names its entity, and exactly that row is read again. */
export function createStores({ api, settings, session, files, start, stateFile, now }: StoresOptions): Stores {
  const cache = createCache(api, now);
  const fleet = createFleet(cache, now);
  const paces = pacesFor(settings.refreshSeconds * 1000);
  const scheduler = createScheduler({ cache, now, paces, attemptOf: fleet.attemptOf });
  const visibleRows = createVisibleRows();
  const invalidation = createEventInvalidation(cache, scheduler, visibleRows, now);
  const transfers = createTransfers(now);
  const changes = createPendingChanges(now);
  const events = createPoller(api, now, invalidation.handle);
  const unsubscribe = events.subscribe((after, before) => {
    if (after.events !== before.events) {
      const known = new Set(before.events);
      const fresh = after.events.filter((event) => !known.has(event));
      cache.putRows(resourceNamed('events'), fresh);
    }
    if (isTrouble(before.error) && !isTrouble(after.error)) scheduler.retryFailed();
  });
  const unwatch = session.subscribe((after, before) => {
    if (after.trouble && !before.trouble) events.probe();
  });
  const view = createView({ cache, events, fleet, now });
  const cacheChanges = createCacheChanges(cache, events);
  const ruleQueries = createRuleQueries({ rules, view, cache, cacheChanges, scheduler });
  const notices = createNotices(now);
  const acknowledgements = createAcknowledgements(now, stateFile, (says) => notices.say('bad', says));
  const isAcknowledged = (problem: Problem) => acknowledgements.of(problem) !== undefined;
  const problems = createProblems({ rules, view, cacheChanges, ruleQueries, isAcknowledged });
  acknowledgements.subscribe(problems.regroup);
  const notifications = createNotifications({ problems, events, notices, now });
  const leaveLocalLists = syncLocalLists({ cache, session, problems, acknowledgements, now });

  return {
    api,
    settings,
    cache,
    scheduler,
    fleet,
    visibleRows,
    events,
    navigation: createNavigation(start),
    notices,
    session,
    files,
    transfers,
    changes,
    view,
    problems,
    acknowledgements,
    notifications,
    ruleQueries,
    now,
    pause(isResting) {
      events.pause(isResting);
      scheduler.pause(isResting);
    },
    close() {
      notifications.stop();
      leaveLocalLists();
      problems.stop();
      events.stop();
      unsubscribe();
      unwatch();
      scheduler.stop();
      fleet.stop();
      changes.stopAll();
      transfers.stop();
      invalidation.stop();
    },
  };
}

/** Whether a look at the events failed because of the API, and not because the token may not see them. */
const isTrouble = (error: ApiError | undefined): boolean => error !== undefined && error.status !== 403;
