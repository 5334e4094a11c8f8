import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { resourceNamed } from '../resources/index.ts';
import { at, type Row } from '../resources/resource.ts';
import { operationNamed } from './records.ts';

/** An event of the account (document 1, 2.5), tolerant of nulls and unknown values. */
export type Event = Row & { id: number; action: string; status: string | null; created: string };

export interface EventsState {
  /** Newest first, each once, at most a thousand. */
  events: readonly Event[];
  /** When the last poll succeeded, in ms since the epoch. */
  polledAt?: number;
  /** Why the last poll failed. */
  error?: ApiError;
  /** When the next poll is due, in ms since the epoch. */
  nextAt?: number;
}

export interface Poller extends StoreApi<EventsState> {
  /** Polls at once and from then on whenever it is due, until stopped. */
  start(): void;
  stop(): void;
  /** Polls now; what was due later comes later. Never rejects. */
  poll(): Promise<void>;
  /** How long to wait between polls, as a factor; above 1 while nobody looks. */
  setPatience(factor: number): void;
}

const most = 1000;
const pageSize = 25;
const idle = 15_000;
const busy = 2_000;
const longest = 60_000;

/** Whether an event is still going on. A snapshot may be at 100 percent and still be processed. */
export const isInProgress = (event: Row): boolean => event.status === 'started' || event.status === 'scheduled';

/** Percent done of an event that is going on, 0 to 100; undefined when the API does not say. */
export function percentOf(event: Row): number | undefined {
  const percent = event.percent_complete;
  return typeof percent === 'number' ? Math.min(100, Math.max(0, percent)) : undefined;
}

/** The newest event in progress about an entity; newer ones that are no progress do not hide it. */
export const progressOf = (events: readonly Event[], type: string, id: unknown): Event | undefined =>
  events.find(
    (event) =>
      isInProgress(event) && at(event, 'entity.type') === type && String(at(event, 'entity.id')) === String(id),
  );

/**
 * Reads the newest events again and again, sooner while something is in progress.
 * @param onChange told each event that is new or has another status than before; not told of the first reading
 */
export function createPoller(api: Api, now: () => number, onChange: (event: Event) => void): Poller {
  const store = createStore<EventsState>(() => ({ events: [] }));
  const description = resourceNamed('events');
  const list = operationNamed(description, 'list');
  const view = operationNamed(description, 'view');
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let started = false;
  let patience = 1;
  let failures = 0;

  /** Pages from the newest on, until one overlaps with what is known: nothing is missed, however much has happened. */
  async function readNewest(known: ReadonlyMap<number, Event>): Promise<Event[]> {
    const read: Event[] = [];
    for (let page = 1; page <= most / pageSize; page++) {
      const size = known.size === 0 ? 100 : pageSize;
      const { body } = await api.send(list, { query: { page, page_size: size } });
      const rows = (at(body, 'data') as Event[] | undefined) ?? [];
      read.push(...rows);
      if (known.size === 0 || rows.length < size || rows.some(({ id }) => known.has(id))) break;
    }
    return read;
  }

  /** Events still in progress that are older than what was read, each asked for alone. */
  async function readOlder(known: ReadonlyMap<number, Event>, read: readonly Event[]): Promise<Event[]> {
    const fresh = new Set(read.map(({ id }) => id));
    const older = [...known.values()].filter((event) => isInProgress(event) && !fresh.has(event.id)).slice(0, 4);
    const answers = await Promise.all(
      older.map((event) => api.send(view, { params: { eventId: String(event.id) } }).catch(unlessGone(event))),
    );
    return answers.map(({ body }) => body as Event);
  }

  async function pollOnce(): Promise<void> {
    const known = new Map(store.getState().events.map((event) => [event.id, event]));
    try {
      const read = await readNewest(known);
      const older = await readOlder(known, read);
      const all = new Map([...known, ...[...older, ...read].map((event) => [event.id, event] as const)]);
      const events = [...all.values()].sort((one, other) => other.id - one.id).slice(0, most);
      const first = store.getState().polledAt === undefined;
      failures = 0;
      const changed = [...older, ...read].filter(({ id, status }) => known.get(id)?.status !== status);
      const same = changed.length === 0 && events.every((event) => sameProgress(event, known.get(event.id)));
      store.setState({ events: same ? store.getState().events : events, polledAt: now(), error: undefined });
      if (!first) for (const event of changed.reverse()) onChange(event);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures++;
      store.setState({ error });
    }
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!started) return;
    const wait = waitOf();
    store.setState({ nextAt: now() + wait });
    timer = setTimeout(() => void poll(), wait);
    timer.unref();
  }

  function waitOf(): number {
    const { events, error } = store.getState();
    if (error?.retryAfterMs) return error.retryAfterMs;
    if (failures > 0) return Math.min(longest, busy * 2 ** failures);
    return (events.some(isInProgress) ? busy : idle) * patience;
  }

  function poll(): Promise<void> {
    running ??= pollOnce().finally(() => {
      running = undefined;
      schedule();
    });
    return running;
  }

  return {
    ...store,
    poll,
    start: () => {
      started = true;
      void poll();
    },
    stop: () => {
      started = false;
      clearTimeout(timer);
    },
    setPatience: (factor) => {
      patience = factor;
      if (!running) schedule();
    },
  };
}

const sameProgress = (event: Event, known: Event | undefined) =>
  known !== undefined &&
  event.percent_complete === known.percent_complete &&
  event.seen === known.seen &&
  event.read === known.read;

/** An event that the API no longer has is over; any other failure is passed on. */
const unlessGone = (event: Event) => (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return { body: { ...event, status: 'finished' }, status: 404 };
  throw error;
};
