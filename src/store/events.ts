import { setTimeout as delay } from 'node:timers/promises';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { isInProgress } from '../resources/account/events.ts';
import { compareIds } from '../resources/identity.ts';
import { day, second, type Timestamp, timeOf, timerDelay } from '../text/times.ts';
import { createEventPages, type Event, hasJustEnded, type Newest, oldestOf } from './history/eventPages.ts';
import { percentOf } from './history/progress.ts';
import { isSame, reuseList } from './rows.ts';

export type { Event } from './history/eventPages.ts';
export { percentOf, progressOf } from './history/progress.ts';

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
  /** When the last poll succeeded. */
  polledAt?: Timestamp;
  /** Why the last poll failed. */
  error?: ApiError;
  /** When the next poll is due; undefined while a retry is in flight. */
  nextAt?: Timestamp;
}

export interface Poller extends StoreApi<EventsState> {
  /** Polls now, and whenever a poll is due until stopped; once more it does nothing. */
  start(): void;
  stop(): void;
  /** Polls now, or right after the poll in flight, and often for a while. Never rejects. */
  poll(): Promise<void>;
  /** Reads the events before the first poll's, back to a day or 1,000 of them. Never rejects. */
  readOn(): Promise<void>;
  /** Polls to check the health of the API, unless a poll is in flight or has just ended. */
  probe(): void;
  /** Multiplies the time between polls: above 1 while the terminal has no focus. */
  setIntervalFactor(factor: number): void;
  /** Pauses polling; polls at once when it ends. */
  pause(isPaused: boolean): void;
}

const maxEvents = 1000;
/** Before further pages are read, the first rows of a screen come; these wait no longer for one another. */
const maxCalmMs = 5 * second;
/** Between two of the further pages. */
const pagePauseMs = 250;
const unreferenced = { ref: false };
/** The page size as a rule, and where more may be new or in progress. */
const smallPageSize = 25;
const pageSize = 100;
/** Older events in progress are viewed one by one. */
const maxViewsPerPoll = 4;
/** Between polls: while nothing is in progress, while something is, and at most after failures. */
const idlePollMs = 15_000;
const busyPollMs = 2_000;
const maxPollMs = 60_000;
/** A second health check within this time tells nothing new. */
const probeIntervalMs = 10_000;
/** Polls stay frequent after a requested one: an event may be late. */
const attentiveMs = 10_000;
/** Without change for this long, an event in progress is polled as if idle. */
const stuckMs = 600_000;

/**
 * Polls the newest events, more often while something is in progress.
 * @param whenCalm resolves when nothing more urgent is being read
 * @param onChange called with the events that are new or changed their status, the oldest first; of the first poll only with what has just ended
 */
export function createPoller(
  api: Api,
  now: () => Timestamp,
  onChange: (events: readonly Event[]) => void,
  whenCalm: () => Promise<void> = async () => {},
): Poller {
  const store = createStore<EventsState>(() => ({ events: [] }));
  const pages = createEventPages(api);
  /** When each event in progress last showed a change, and the most percent it had; when it was last read. In ms since the epoch. */
  const moves = new Map<Event['id'], { at: number; percent: number }>();
  const readAt = new Map<Event['id'], number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let readingOn: Promise<void> | undefined;
  let isBackRead = false;
  let started = false;
  let stopped = false;
  let isPaused = false;
  let intervalFactor = 1;
  let failures = 0;
  let attentiveUntil = 0;
  let endedAt = 0;
  const apiNow = () => api.time()?.from ?? now();

  /** Reads pages from the newest on, until one overlaps the known events, so that none is missed. */
  function readNewest(known: readonly Event[]): Promise<Newest> {
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
    if (!stopped && changed.length > 0) onChange(changed.sort((one, other) => compareIds(one.id, other.id)));
  }

  async function pollOnce(): Promise<void> {
    const { events: before, polledAt } = store.getState();
    const isFirst = polledAt === undefined;
    try {
      const { events: read, date = now(), since } = await readNewest(before);
      const older = await readOlder(before, read);
      failures = 0;
      const reach = {
        ...(since !== undefined && { knownSince: since }),
        ...(isFirst && { isReadingOn: since !== 0, isProgressKnown: since === 0 }),
      };
      put(
        [...older, ...read],
        { ...reach, polledAt: now(), error: undefined },
        date,
        (event) => !isFirst || hasJustEnded(event, date),
      );
      if (started) void readOn();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures++;
      store.setState({ error });
    }
  }

  function readOn(): Promise<void> {
    if (isBackRead || store.getState().polledAt === undefined) return Promise.resolve();
    readingOn ??= readBack(started)
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      })
      .finally(() => {
        readingOn = undefined;
        store.setState({ isReadingOn: false });
      });
    return readingOn;
  }

  /** Asks for what is under way, and reads page after page; an event that moves to the next one meanwhile is dropped there. */
  async function readBack(isPaced: boolean): Promise<void> {
    const { knownSince = 0, isProgressKnown } = store.getState();
    if (isPaced && knownSince > 0) await Promise.race([whenCalm(), delay(maxCalmMs, undefined, unreferenced)]);
    if (!isProgressKnown) {
      const found = await pages.underWay(pageSize);
      put(found ?? [], { isProgressKnown: found !== undefined }, now(), () => false);
    }
    let reached = knownSince;
    for (let page = 2; reached > Math.max(0, apiNow() - day) && page <= maxEvents / pageSize; page++) {
      if (isPaced && page > 2) await delay(pagePauseMs, undefined, unreferenced);
      if (stopped || isPaused) return;
      const { events, isLast, date = now() } = await pages.page(page, pageSize);
      reached = isLast ? 0 : (oldestOf(events) ?? reached);
      put(events, { knownSince: Math.min(reached, store.getState().knownSince ?? reached) }, date, (event) =>
        hasJustEnded(event, date),
      );
    }
    isBackRead = true;
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

  function schedule(): void {
    clearTimeout(timer);
    if (!started || isPaused) return;
    const wait = waitOf();
    store.setState({ nextAt: now() + wait });
    timer = setTimeout(() => void poll(), timerDelay(wait));
    timer.unref();
  }

  function waitOf(): number {
    const { error } = store.getState();
    if (error) return Math.max(error.retryAfterMs ?? 0, Math.min(maxPollMs, busyPollMs * 2 ** failures));
    const isMoving = [...moves.values()].some(({ at }) => now() - at < stuckMs);
    return (isMoving || now() < attentiveUntil ? busyPollMs : idlePollMs) * intervalFactor;
  }

  function poll(): Promise<void> {
    clearTimeout(timer);
    if (store.getState().error) store.setState({ nextAt: undefined });
    running = pollOnce().finally(() => {
      running = undefined;
      endedAt = now();
      schedule();
    });
    return running;
  }

  /** A poll that begins now or later: the one in flight may show an older state. */
  function pollNext(): Promise<void> {
    if (!running) return poll();
    next ??= running.then(() => {
      next = undefined;
      return poll();
    });
    return next;
  }

  return {
    ...store,
    poll: () => {
      attentiveUntil = now() + attentiveMs;
      return pollNext();
    },
    readOn,
    probe: () => {
      if (started && !running && now() - endedAt >= probeIntervalMs) void poll();
    },
    start: () => {
      if (started) return;
      started = true;
      stopped = false;
      void pollNext();
    },
    stop: () => {
      started = false;
      stopped = true;
      clearTimeout(timer);
    },
    setIntervalFactor: (factor) => {
      intervalFactor = factor;
      if (!running) schedule();
    },
    pause: (value) => {
      isPaused = value;
      if (isPaused) clearTimeout(timer);
      else if (started) void pollNext();
    },
  };
}

const reuseEvent = (known: Event | undefined, event: Event): Event => (known && isSame(known, event) ? known : event);
