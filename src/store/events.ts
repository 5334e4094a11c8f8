import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { compareIds, isId } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { memoize } from '../resources/memoize.ts';
import { at, type Row } from '../resources/resource.ts';
import { rowsOf } from '../resources/row.ts';
import { timeOf, timerDelay } from '../text/times.ts';
import { textOf } from '../text/words.ts';
import { operationNamed } from './queries.ts';
import { isSame, reuseList } from './rows.ts';

/** An event of the account (document 1, 2.5), tolerant of nulls and unknown values. */
export type Event = Row & { id: number | string; action: string; status: string | null; created: string };

export interface EventsState {
  /** Newest first, each once, at most a thousand. */
  events: readonly Event[];
  /** When the last poll succeeded, in ms since the epoch. */
  polledAt?: number;
  /** Why the last poll failed. */
  error?: ApiError;
  /** When the next poll is due, in ms since the epoch; undefined while one is made that comes after a failure. */
  nextAt?: number;
}

export interface Poller extends StoreApi<EventsState> {
  /** Polls at once and from then on whenever it is due, until stopped. */
  start(): void;
  stop(): void;
  /** Polls now, also when a poll is under way, and is attentive for a while. Never rejects. */
  poll(): Promise<void>;
  /** Polls now because something may be wrong with the API, unless a poll is under way or has only just ended. */
  probe(): void;
  /** The factor for the time between polls; above 1 while nobody looks. */
  setIntervalFactor(factor: number): void;
  /** Whether nothing is polled for now; afterwards polls at once. */
  pause(isResting: boolean): void;
}

/** So many events are remembered. */
const most = 1000;
/** So many are asked for: as a rule, and when more may be of interest. */
const fewest = 25;
const pageSize = 100;
/** So many events older than those read are asked for alone in one poll. */
const olderAtOnce = 4;
/** Milliseconds between polls: while nothing is in progress, while something is, and at most after failures. */
const idle = 15_000;
const busy = 2_000;
const longest = 60_000;
/** For so long after a poll another one for the API's health tells nothing new, in milliseconds. */
const healthy = 10_000;
/** Polls stay frequent so long after one was asked for, in milliseconds: an event may be late. */
const attention = 10_000;
/** Something in progress without change for so long is waited for patiently, in milliseconds. */
const stuckAfter = 600_000;
/** An event that ended so long before the first poll is still news, in milliseconds. */
const newsFor = 10_000;

/** Whether an event is still going on. A snapshot may be at 100 percent and still be processed. */
export const isInProgress = (event: Row): boolean => event.status === 'started' || event.status === 'scheduled';

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
 * The newest event in progress about an entity; newer ones that are no progress do not hide it.
 * @param prefixes of event actions that are about it even where it is their second entity
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
 * Reads the newest events again and again, sooner while something is in progress.
 * @param onChange told the events that are new or have another status than before, the oldest first; of the first reading only what has just ended
 */
export function createPoller(api: Api, now: () => number, onChange: (events: readonly Event[]) => void): Poller {
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
  let isResting = false;
  let patience = 1;
  let failures = 0;
  let attentiveUntil = 0;
  let endedAt = 0;

  /** Pages from the newest on, until one ends in what is known: nothing is missed, however much has happened. */
  async function readNewest(known: readonly Event[]): Promise<{ read: readonly Event[]; date?: number }> {
    const ids = new Set(known.map(({ id }) => id));
    const lastInProgress = known.slice(0, pageSize).findLastIndex(isInProgress);
    const size = known.length === 0 || lastInProgress >= fewest ? pageSize : fewest;
    const read: Event[] = [];
    for (let page = 1; ; page++) {
      const { body, date } = await api.send(list, { query: { page, page_size: size }, isProbe: true });
      const rows = eventsIn(body);
      read.push(...rows);
      const last = rows.at(-1);
      const overlaps = last !== undefined && ids.has(last.id);
      if (known.length === 0 || rows.length < size || overlaps || page * size >= most) return { read, date };
    }
  }

  /** Events still in progress that are older than what was read, each asked for alone, those first that were not read for longest. */
  async function readOlder(known: readonly Event[], read: readonly Event[]): Promise<readonly Event[]> {
    const fresh = new Set(read.map(({ id }) => id));
    const older = known
      .filter((event) => isInProgress(event) && !fresh.has(event.id))
      .sort((one, other) => (readAt.get(one.id) ?? 0) - (readAt.get(other.id) ?? 0))
      .slice(0, olderAtOnce);
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
      const fresh = new Map([...older, ...read].map((event) => [event.id, unlessSameAs(known.get(event.id), event)]));
      const all = [...new Map([...known, ...fresh]).values()]
        .sort((one, other) => compareIds(other.id, one.id))
        .slice(0, most);
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
      // One that is old when it is seen first has shown no change since it began, as far as anybody knows.
      if (!last) moves.set(id, { at: now() - Math.max(0, time - timeOf(event.created) || 0), percent });
      else if (known.get(id)?.status !== event.status || percent > last.percent)
        moves.set(id, { at: now(), percent: Math.max(percent, last.percent) });
    }
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!started || isResting) return;
    const wait = waitOf();
    store.setState({ nextAt: now() + wait });
    timer = setTimeout(() => void poll(), timerDelay(wait));
    timer.unref();
  }

  function waitOf(): number {
    const { error } = store.getState();
    if (error) return Math.max(error.retryAfterMs ?? 0, Math.min(longest, busy * 2 ** failures));
    const isMoving = [...moves.values()].some(({ at }) => now() - at < stuckAfter);
    return (isMoving || now() < attentiveUntil ? busy : idle) * patience;
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

  /** A poll that begins no earlier than now: the one under way may tell of the time before. */
  function pollAnew(): Promise<void> {
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
      attentiveUntil = now() + attention;
      return pollAnew();
    },
    probe: () => {
      if (started && !running && now() - endedAt >= healthy) void poll();
    },
    start: () => {
      started = true;
      stopped = false;
      void pollAnew();
    },
    stop: () => {
      started = false;
      stopped = true;
      clearTimeout(timer);
    },
    setIntervalFactor: (factor) => {
      patience = factor;
      if (!running) schedule();
    },
    pause: (value) => {
      isResting = value;
      if (isResting) clearTimeout(timer);
      else if (started) void pollAnew();
    },
  };
}

/** The events of an answer. */
const eventsIn = (body: unknown): readonly Event[] => rowsOf(at(body, 'data')).flatMap((row) => eventIn(row) ?? []);

/** A row as an event; undefined where it has no id, by which events are put in order. An action that is no text is none that anything is known of. */
function eventIn(row: unknown): Event | undefined {
  if (!isId(at(row, 'id'))) return undefined;
  const event = row as Event;
  return typeof event.action === 'string' ? event : { ...event, action: textOf(event.action) };
}

const unlessSameAs = (known: Event | undefined, event: Event): Event => (known && isSame(known, event) ? known : event);

/**
 * Whether an event is over, but only just: what was read before it ended may not know of it.
 * @param time the clock of the API, in ms since the epoch
 */
function hasJustEnded(event: Event, time: number): boolean {
  const seconds = typeof event.duration === 'number' ? event.duration : 0;
  return !isInProgress(event) && time - (timeOf(event.created) + seconds * 1000) < newsFor;
}

/** An event that the API no longer has is over; any other failure is passed on. */
const unlessGone = (event: Event) => (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return { body: { ...event, status: 'finished' }, status: 404 };
  throw error;
};
