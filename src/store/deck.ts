import type { Api } from '../api/client.ts';
import { resourceNamed, resources } from '../resources/index.ts';
import { at, type Known, type Resource } from '../resources/resource.ts';
import { createPoller, type Event, type Poller } from './events.ts';
import { createGlances, type Glances } from './glances.ts';
import { knownFrom } from './known.ts';
import { createNavigation, type Navigation, type Place } from './navigation.ts';
import { createNotices, type Notices } from './notices.ts';
import { createRecords, type Records } from './records.ts';
import { createRefresher, type Refresher } from './refresh.ts';
import type { Session, Settings } from './session.ts';

/** Everything a running dashboard knows and does, behind the screens. */
export interface Deck {
  api: Api;
  settings: Settings;
  records: Records;
  refresher: Refresher;
  glances: Glances;
  events: Poller;
  navigation: Navigation;
  notices: Notices;
  session: Session;
  known: Known;
  /** Milliseconds since the epoch. */
  now: () => number;
  close(): void;
}

/** How long after an event has ended its row is read once more, in milliseconds: what follows it shows up late. */
const settling = 3_000;

/**
 * Builds the stores and joins them: an event names its entity, and exactly that row is read again.
 * @param session made before the API, which tells it of every call
 */
export function createDeck(api: Api, settings: Settings, session: Session, start: Place, now: () => number): Deck {
  const records = createRecords(api, now);
  const glances = createGlances(records, now);
  const refresher = createRefresher(records, now, settings.refreshSeconds);
  const later = new Set<NodeJS.Timeout>();

  function onEvent(event: Event): void {
    refreshWhatItNames(event);
    if (event.status !== 'finished' && event.status !== 'failed') return;
    const timer = setTimeout(() => {
      later.delete(timer);
      refreshWhatItNames(event);
    }, settling);
    timer.unref();
    later.add(timer);
  }

  const events = createPoller(api, now, onEvent);
  const description = resourceNamed('events');
  const unsubscribe = events.subscribe(({ events: after }, { events: before }) => {
    const known = new Set(before);
    records.putRows(
      description,
      after.filter((event) => !known.has(event)),
    );
  });

  function refreshWhatItNames(event: Event): void {
    for (const name of ['entity', 'secondary_entity']) {
      const type = at(event, `${name}.type`);
      const id = at(event, `${name}.id`);
      if (typeof type !== 'string' || id === undefined || id === null) continue;
      const owner = resources.find(({ entity }) => entity === type);
      if (owner) refreshRow(owner, String(id));
      for (const child of resources) if (concerns(child, event, owner)) refreshUnder(child, owner, String(id));
    }
  }

  /** Reads one row again when its collection is loaded: a new one comes in, a deleted one goes. */
  function refreshRow(resource: Resource, id: string): void {
    const loaded = Object.values(records.getState().collections).some((entry) => entry.resource === resource.name);
    if (loaded && resource.view && !resource.under) void records.readRow(resource, { [resource.param]: id });
    refresher.invalidate(({ resource: asked, operation, params }, rowsOf) => {
      if (asked === resource.name && operation === 'list') return !resource.view;
      const isPartOfIt = operation !== 'view' && params[resource.param] === id;
      return isPartOfIt || (rowsOf === resource.name && operation !== 'list');
    });
  }

  function refreshUnder(child: Resource, owner: Resource | undefined, id: string): void {
    refresher.invalidate(
      (question) => question.resource === child.name && (!owner || question.params[owner.param] === id),
    );
  }

  return {
    api,
    settings,
    records,
    refresher,
    glances,
    events,
    navigation: createNavigation(start),
    notices: createNotices(now),
    session,
    known: knownFrom(records, now),
    now,
    close() {
      events.stop();
      unsubscribe();
      refresher.stop();
      glances.stop();
      for (const timer of later) clearTimeout(timer);
    },
  };
}

/** Whether an event about `owner` changes rows of `child`, which lie under it. */
const concerns = (child: Resource, event: Event, owner: Resource | undefined): boolean =>
  child.under !== undefined &&
  child.under === owner?.name &&
  (child.events?.some((prefix) => event.action.startsWith(prefix)) ?? false);
