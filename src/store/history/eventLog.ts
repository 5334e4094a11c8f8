import { createStore } from 'zustand/vanilla';
import type { Api } from '../../api/client.ts';
import type { ApiError } from '../../api/error.ts';
import { entityName, isInProgress } from '../../resources/account/events.ts';
import { compareIds } from '../../resources/identity.ts';
import { addTo, memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/row.ts';
import { day, type Timestamp, timeOf } from '../../text/times.ts';
import { isSame, reuseList } from '../rows.ts';
import { createEventPages, type Event, hasJustEnded, type Newest, oldestOf } from './eventPages.ts';

export interface EventsState {
  /** Newest first, each once; all since `knownSince`, and older ones that are, or were, in progress. */
  events: readonly Event[];
  /** From when on all events are there, by the clock of the API; 0 where it has no older ones. Undefined before the first poll. */
  knownSince?: Timestamp;
  /** Whether that is a day, or all there is. */
  isDayKnown?: boolean;
  /** Older events, of up to a day, are still to be read. */
  isReadingOn?: boolean;
  /** Whether all that is in progress was asked for, however long ago it began. */
  isProgressKnown?: boolean;
  /** When the last poll succeeded, and which it was. */
  poll?: number;
  polledAt?: Timestamp;
  /** Why the last poll failed. */
  error?: ApiError;
  /** When the next poll is due; undefined while a retry is in flight. */
  nextAt?: Timestamp;
}

const maxEvents = 1000;
/** The page size as a rule, and where more may be new or in progress. */
const smallPageSize = 25;
const pageSize = 100;
/** Older events in progress are viewed one by one. */
const maxViewsPerPoll = 4;
/** Without change for this long, an event in progress is polled as if idle. */
const stuckMs = 600_000;

/**
 * The events of an account, as far as they were read. Reading rejects with an ApiError.
 * @param onChange called with the events that are new or changed their status, the oldest first; of the first reading only with what has just ended
 */
export function createEventLog(api: Api, now: () => Timestamp, onChange: (events: readonly Event[]) => void) {
  const store = createStore<EventsState>(() => ({ events: [] }));
  const pages = createEventPages(api);
  /** When each event in progress last showed a change, and the most percent it had; when it was last read. In ms since the epoch. */
  const moves = new Map<Event['id'], { at: number; percent: number }>();
  const readAt = new Map<Event['id'], number>();
  const apiNow = () => api.time()?.from ?? now();
  let begun = 0;

  /** Reads pages from the newest on, until one overlaps the known events, so that none is missed. */
  function newest(known: readonly Event[]): Promise<Newest> {
    const { knownSince = 0 } = store.getState();
    // Older ones are known with gaps between them.
    const ids = new Set(known.filter(({ created }) => !(timeOf(created) < knownSince)).map(({ id }) => id));
    const lastInProgress = known.slice(0, pageSize).findLastIndex(isInProgress);
    const size = known.length === 0 || lastInProgress >= smallPageSize ? pageSize : smallPageSize;
    return pages.newest(size, ids, known.length === 0 ? size : maxEvents);
  }

  /** Views events in progress that are older than those read, the least recently read first. */
  async function readOlder(known: readonly Event[], read: readonly Event[]): Promise<readonly Event[]> {
    const fresh = new Set(read.map(({ id }) => id));
    const older = known
      .filter((event) => isInProgress(event) && !fresh.has(event.id))
      .sort((one, other) => (readAt.get(one.id) ?? 0) - (readAt.get(other.id) ?? 0))
      .slice(0, maxViewsPerPoll);
    return Promise.all(
      older.map((event) => {
        readAt.set(event.id, now());
        return pages.again(event);
      }),
    );
  }

  /** Puts events that were read among the known ones, and tells of those that changed, or are new and `isNews`. */
  function put(
    read: readonly Event[],
    further: Omit<EventsState, 'events'>,
    date: Timestamp,
    isNews: (event: Event) => boolean,
  ) {
    const { events: before, knownSince = 0 } = store.getState();
    const known = new Map(before.map((event) => [event.id, event]));
    const fresh = new Map(read.map((event) => [event.id, reuseEvent(known.get(event.id), event)]));
    const sorted = [...new Map([...known, ...fresh]).values()].sort((one, other) => compareIds(other.id, one.id));
    // One that is in progress stays, and once more when it has ended.
    const isHeld = (event: Event) => isInProgress(event) || isInProgress(known.get(event.id) ?? event);
    const all = sorted.filter((event, place) => place < maxEvents || isHeld(event));
    const since = Math.max(
      further.knownSince ?? knownSince,
      sorted.length > maxEvents ? (oldestOf(sorted.slice(0, maxEvents)) ?? 0) : 0,
    );
    const changed = [...fresh.values()].filter((event) => {
      const last = known.get(event.id);
      return last ? last.status !== event.status : isNews(event);
    });
    noteMoves(all, known, date);
    const isDayKnown = since <= Math.max(0, apiNow() - day);
    store.setState({ ...further, events: reuseList(before, all), knownSince: since, isDayKnown });
    if (changed.length > 0) onChange(changed.sort((one, other) => compareIds(one.id, other.id)));
  }

  /** @param time the clock of the API, in ms since the epoch */
  function noteMoves(events: readonly Event[], known: ReadonlyMap<Event['id'], Event>, time: number): void {
    const inProgress = new Map(events.filter(isInProgress).map((event) => [event.id, event]));
    for (const times of [moves, readAt]) for (const id of times.keys()) if (!inProgress.has(id)) times.delete(id);
    for (const [id, event] of inProgress) {
      const percent = percentOf(event) ?? 0;
      const last = moves.get(id);
      // An old event counts as unchanged since it began.
      if (!last) moves.set(id, { at: now() - Math.max(0, time - timeOf(event.created) || 0), percent });
      else if (known.get(id)?.status !== event.status || percent > last.percent)
        moves.set(id, { at: now(), percent: Math.max(percent, last.percent) });
    }
  }

  return {
    state: store,
    /** So many polls have begun. */
    begun: () => begun,
    isTorn: pages.isTorn,
    /** Reads the newest events, and again those that were in progress. */
    async readNewest() {
      const { events: before, polledAt } = store.getState();
      const isFirst = polledAt === undefined;
      const poll = ++begun;
      const { events: read, date = now(), since } = await newest(before);
      const older = await readOlder(before, read);
      const reach = {
        ...(since !== undefined && { knownSince: since }),
        ...(isFirst && { isReadingOn: since !== 0, isProgressKnown: since === 0 }),
      };
      put(
        [...older, ...read],
        { ...reach, poll, polledAt: now(), error: undefined },
        date,
        (event) => !isFirst || hasJustEnded(event, date),
      );
    },
    /**
     * Asks for what is under way, and reads page after page, back to a day or 1,000 events; an event that moves to the next
     * one meanwhile is dropped there. Resolves with whether all were read.
     * @param target reads back to this time, where that is longer than a day
     * @param wait resolves when the n-th page may be read, with whether it is to be
     */
    async readBack(target: Timestamp, wait: (page: number) => Promise<boolean>) {
      const { knownSince = 0, isProgressKnown } = store.getState();
      if (!isProgressKnown) {
        const found = await pages.underWay(pageSize);
        put(found ?? [], { isProgressKnown: found !== undefined }, now(), () => false);
      }
      let reached = knownSince;
      for (
        let page = 2;
        reached > Math.max(0, Math.min(target, apiNow() - day)) && page <= maxEvents / pageSize;
        page++
      ) {
        if (!(await wait(page))) return false;
        const { events, isLast, date = now() } = await pages.page(page, pageSize);
        reached = isLast ? 0 : (oldestOf(events) ?? reached);
        put(events, { knownSince: Math.min(reached, store.getState().knownSince ?? reached) }, date, (event) =>
          hasJustEnded(event, date),
        );
      }
      return true;
    },
    /** Whether an event in progress has shown a change lately. */
    isMoving: () => [...moves.values()].some(({ at }) => now() - at < stuckMs),
  };
}

/** The part of a day's events that is known. */
export interface EventsReach {
  /** From when on all are known, in ms since the epoch; undefined where that is a day. */
  since: Timestamp | undefined;
  /** Older ones are being read. */
  isReading: boolean;
  /** All that is in progress is known, however long ago it began. */
  isProgressKnown: boolean;
}

/** Undefined where all of a day is known, with all that is in progress, and where nothing was read yet. */
export function reachOf({ polledAt, knownSince, isDayKnown, ...state }: EventsState): EventsReach | undefined {
  const isProgressKnown = state.isProgressKnown === true;
  if (polledAt === undefined || (isDayKnown && isProgressKnown)) return undefined;
  return { since: isDayKnown ? undefined : knownSince, isReading: state.isReadingOn === true, isProgressKnown };
}

const reuseEvent = (known: Event | undefined, event: Event): Event => (known && isSame(known, event) ? known : event);

/** Percent done of an event that is going on, 0 to 100; undefined when the API does not say. */
export function percentOf(event: Row): number | undefined {
  const percent = event.percent_complete;
  return typeof percent === 'number' ? Math.min(100, Math.max(0, percent)) : undefined;
}

/** The events in progress by what they are about, `server 12`, be it their first or their second entity. */
const inProgressAbout = memoize((events: readonly Event[]) => {
  const found = new Map<string, Event[]>();
  for (const event of events.filter(isInProgress)) {
    for (const name of new Set([entityName(event.entity), entityName(event.secondary_entity)]))
      addTo(found, name, event);
  }
  return found;
});

/**
 * The newest event in progress about an entity, whatever other events are newer.
 * @param prefixes event actions that are about it also where it is their secondary entity
 */
export function progressOf(
  events: readonly Event[],
  type: string,
  id: unknown,
  prefixes: readonly string[] = [],
): Event | undefined {
  const name = `${type} ${id}`;
  return inProgressAbout(events)
    .get(name)
    ?.find(({ action, entity }) => entityName(entity) === name || prefixes.some((prefix) => action.startsWith(prefix)));
}
