import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { isInProgress } from '../resources/account/events.ts';
import { compareIds, isId } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { memoize } from '../resources/memoize.ts';
import { at, type Row } from '../resources/resource.ts';
import { rowsOf } from '../resources/row.ts';
import { type Timestamp, timeOf, timerDelay } from '../text/times.ts';
import { textOf } from '../text/words.ts';
import { operationNamed } from './queries.ts';
import { isSame, reuseList } from './rows.ts';

/** An event of the account (document 1, 2.5); nulls and unknown values are allowed. */
export type Event = Row & { id: number | string; action: string; status: string | null; created: string };

export interface EventsState {
  /** Newest first, each once, at most `maxEvents`. */
  events: readonly Event[];
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
  /** Polls to check the health of the API, unless a poll is in flight or has just ended. */
  probe(): void;
  /** Multiplies the time between polls: above 1 while the terminal has no focus. */
  setIntervalFactor(factor: number): void;
  /** Pauses polling; polls at once when it ends. */
  pause(isPaused: boolean): void;
}

const maxEvents = 1000;
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
/** An event that ended this long before the first poll is still reported. */
const newsMs = 10_000;

/** Percent done of an event that is going on, 0 to 100; undefined when the API does not say. */
export function percentOf(event: Row): number | undefined {
  const percent = event.percent_complete;
  return typeof percent === 'number' ? Math.min(100, Math.max(0, percent)) : undefined;
}

/** The events in progress by what they are about, `server 12`, be it their first or their second entity. */
const inProgressAbout = memoize((events: readonly Event[]) => {
  const found = new Map<string, Event[]>();
  for (const event of events.filter(isInProgress)) {
    for (const name of new Set([nameIn(event.entity), nameIn(event.secondary_entity)])) {
      const those = found.get(name) ?? [];
      found.set(name, those);
      those.push(event);
    }
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
    ?.find(({ action, entity }) => nameIn(entity) === name || prefixes.some((prefix) => action.startsWith(prefix)));
}

const nameIn = (entity: unknown) => `${at(entity, 'type')} ${at(entity, 'id')}`;

/**
 * Polls the newest events, more often while something is in progress.
 * @param onChange called with the events that are new or changed their status, the oldest first; of the first poll only with what has just ended
 */
export function createPoller(api: Api, now: () => Timestamp, onChange: (events: readonly Event[]) => void): Poller {
  const store = createStore<EventsState>(() => ({ events: [] }));
  const description = resourceNamed('events');
  const list = operationNamed(description, 'list');
  const view = operationNamed(description, 'view');
  /** When each event in progress last showed a change, and the most percent it had; when it was last read. In ms since the epoch. */
  const moves = new Map<Event['id'], { at: number; percent: number }>();
  const readAt = new Map<Event['id'], number>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let started = false;
  let stopped = false;
  let isPaused = false;
  let intervalFactor = 1;
  let failures = 0;
  let attentiveUntil = 0;
  let endedAt = 0;

  /** Reads pages from the newest on, until one overlaps the known events, so that none is missed. */
  async function readNewest(known: readonly Event[]): Promise<{ read: readonly Event[]; date?: number }> {
    const ids = new Set(known.map(({ id }) => id));
    const lastInProgress = known.slice(0, pageSize).findLastIndex(isInProgress);
    const size = known.length === 0 || lastInProgress >= smallPageSize ? pageSize : smallPageSize;
    const read: Event[] = [];
    for (let page = 1; ; page++) {
      const { body, date } = await api.send(list, { query: { page, page_size: size }, isProbe: true });
      const rows = eventsIn(body);
      read.push(...rows);
      const last = rows.at(-1);
      const overlaps = last !== undefined && ids.has(last.id);
      if (known.length === 0 || rows.length < size || overlaps || page * size >= maxEvents) return { read, date };
    }
  }

  /** Views events in progress that are older than those read, the least recently read first. */
  async function readOlder(known: readonly Event[], read: readonly Event[]): Promise<readonly Event[]> {
    const fresh = new Set(read.map(({ id }) => id));
    const older = known
      .filter((event) => isInProgress(event) && !fresh.has(event.id))
      .sort((one, other) => (readAt.get(one.id) ?? 0) - (readAt.get(other.id) ?? 0))
      .slice(0, maxViewsPerPoll);
    return Promise.all(
      older.map(async (event) => {
        readAt.set(event.id, now());
        const { body } = await api.send(view, { params: { eventId: String(event.id) } }).catch(unlessGone(event));
        return eventIn(body) ?? { ...event, status: 'finished' };
      }),
    );
  }

  async function pollOnce(): Promise<void> {
    const { events: before, polledAt } = store.getState();
    try {
      const { read, date } = await readNewest(before);
      const older = await readOlder(before, read);
      const known = new Map(before.map((event) => [event.id, event]));
      const fresh = new Map([...older, ...read].map((event) => [event.id, reuseEvent(known.get(event.id), event)]));
      const all = [...new Map([...known, ...fresh]).values()]
        .sort((one, other) => compareIds(other.id, one.id))
        .slice(0, maxEvents);
      const isFirst = polledAt === undefined;
      const changed = [...fresh.values()].filter((event) =>
        isFirst
          ? hasJustEnded(event, date ?? now())
          : !known.has(event.id) || known.get(event.id)?.status !== event.status,
      );
      failures = 0;
      noteMoves(all, known, date ?? now());
      store.setState({ events: reuseList(before, all), polledAt: now(), error: undefined });
      if (!stopped && changed.length > 0) onChange(changed.sort((one, other) => compareIds(one.id, other.id)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures++;
      store.setState({ error });
    }
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

/** The events of an answer. */
const eventsIn = (body: unknown): readonly Event[] => rowsOf(at(body, 'data')).flatMap((row) => eventIn(row) ?? []);

/** A row as an event with a text as its action; undefined where it has no id, by which events are sorted. */
function eventIn(row: unknown): Event | undefined {
  if (!isId(at(row, 'id'))) return undefined;
  const event = row as Event;
  return typeof event.action === 'string' ? event : { ...event, action: textOf(event.action) };
}

const reuseEvent = (known: Event | undefined, event: Event): Event => (known && isSame(known, event) ? known : event);

/**
 * Whether an event is over, but only just: what was read before it ended may not know of it.
 * @param time the clock of the API, in ms since the epoch
 */
function hasJustEnded(event: Event, time: number): boolean {
  const seconds = typeof event.duration === 'number' ? event.duration : 0;
  return !isInProgress(event) && time - (timeOf(event.created) + seconds * 1000) < newsMs;
}

/** An event that the API no longer has is over; any other failure is passed on. */
const unlessGone = (event: Event) => (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return { body: { ...event, status: 'finished' }, status: 404 };
  throw error;
};
