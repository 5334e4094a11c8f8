import { setImmediate } from 'node:timers/promises';
import { memoize } from '../resources/memoize.ts';
import { minute, type Timestamp, timerDelay } from '../text/times.ts';
import type { Cache } from './cache.ts';
import { isRefused } from './cacheChanges.ts';
import { entriesOf, entryAt } from './entries.ts';
import { type Attempt, isList, isSteady, type Pace, type Paces, type Urgency } from './paces.ts';
import { isLocal, type Query, queryKey } from './queries.ts';

/** Reads subscribed queries when they are due. */
export interface Scheduler {
  /**
   * Reads queries in their order and keeps them fresh; returns an unsubscribe function. The cache retains their answers.
   * Very many are given as a function, which is called whenever one may be due; of those the cache retains nothing.
   */
  subscribe(queries: readonly Query[] | (() => Iterable<Query>), urgency?: Urgency): () => void;
  /** Makes queries stale: each is read now, or at its next subscription. `rowsOf` is the resource of a list's rows. */
  invalidate(matches: (query: Query, rowsOf: string | undefined) => boolean): void;
  /** Reads all subscribed queries without a limit a minute now, and those that come next again in their turn. */
  refresh(): Promise<void>;
  /** Makes failed queries stale, except those that the API refuses. */
  retryFailed(): void;
  /** Milliseconds until `count` more requests of an urgency fit into the budget. */
  waitMs(count: number, urgency: Urgency): number;
  /** Pauses all reading; reads what is due when the pause ends. */
  pause(isPaused: boolean): void;
  /** Resolves when nothing is in flight, and the answers have led to no further subscription. */
  whenIdle(): Promise<void>;
  stop(): void;
}

interface SchedulerParts {
  cache: Cache;
  now: () => Timestamp;
  paces: Paces;
  /** The last attempt of a query whose entry the cache has evicted. */
  attemptOf?: (query: Query) => Attempt | undefined;
}

interface Subscription {
  queries: () => Iterable<Query>;
  pace: Pace;
}

export function createScheduler({ cache, now, paces, attemptOf }: SchedulerParts): Scheduler {
  const keyOf = memoize(queryKey);
  const subscriptions = new Set<Subscription>();
  /** The paces of all subscriptions to each query, by key. */
  const wanted = new Map<string, Pace[]>();
  const stale = new Set<string>();
  const inFlight = new Map<string, Promise<void>>();
  const budget = createBudget(now);
  const order = Object.values(paces);
  let timer: NodeJS.Timeout | undefined;
  /** When the timer ends, in ms since the epoch. */
  let wakeAt = Number.POSITIVE_INFINITY;
  let isPaused = false;
  let isStopped = false;

  const entryOf = (key: string) => entryAt(cache.getState(), key);

  /** When a query is due. One that somebody else reads is due now: its answer is awaited. */
  function dueAt(query: Query, pace: Pace): Timestamp {
    const key = keyOf(query);
    if (inFlight.has(key)) return Number.POSITIVE_INFINITY;
    const entry = entryOf(key);
    const attempt: Attempt | undefined = entry ?? attemptOf?.(query);
    if (entry?.loading || attempt?.triedAt === undefined || attempt.triedAt > now() || stale.has(key)) return 0;
    return attempt.triedAt + Math.max(pace.freshMs(query, attempt), attempt.error?.retryAfterMs ?? 0);
  }

  /** Reads a query, or awaits the request of somebody else, which leaves a stale query stale. */
  function read(query: Query, pace: Pace): Promise<void> {
    const key = keyOf(query);
    const known = inFlight.get(key);
    if (known) return known;
    const isForeign = entryOf(key)?.loading === true;
    if (!isForeign) stale.delete(key);
    const end = isForeign ? () => {} : budget.begin(pace);
    const reading = (isList(query) ? cache.readCollection(query) : cache.readAnswer(query)).then(() => {
      if (inFlight.get(key) === reading) inFlight.delete(key);
      end(entryOf(key)?.error?.retryAfterMs);
      if (pace.maxInflight !== undefined) readDue();
      // Outside the budget, only the subscriptions to this query have something new to do.
      else for (const one of wanted.get(key) ?? []) readDue({ queries: () => [query], pace: one });
    });
    inFlight.set(key, reading);
    return reading;
  }

  /** Reads what is due and within the budget, of all subscriptions or of one, and sets the timer for the next. */
  function readDue(one?: Subscription): void {
    if (isStopped || isPaused) return;
    if (!one) {
      clearTimeout(timer);
      wakeAt = Number.POSITIVE_INFINITY;
    }
    const next = one ? readSubscription(one) : Math.min(...[...subscriptions].sort(byUrgency).map(readSubscription));
    if (next >= wakeAt) return;
    clearTimeout(timer);
    wakeAt = next;
    timer = setTimeout(readDue, timerDelay(next - now())).unref();
  }

  const byUrgency = (one: Subscription, other: Subscription) => order.indexOf(one.pace) - order.indexOf(other.pace);

  /** Reads what is due of a subscription; returns when the next is. */
  function readSubscription({ queries, pace }: Subscription): Timestamp {
    let next = Number.POSITIVE_INFINITY;
    for (const query of queries()) {
      const due = dueAt(query, pace);
      if (due > now()) {
        next = Math.min(next, due);
        continue;
      }
      if (budget.isFull(pace)) return Number.POSITIVE_INFINITY;
      const free = budget.freeAt(pace);
      if (free > now()) return free;
      void read(query, pace);
    }
    return next;
  }

  function unsubscribe(query: Query, pace: Pace): void {
    const key = keyOf(query);
    const left = wanted.get(key) ?? [];
    left.splice(left.indexOf(pace), 1);
    if (left.length > 0) return;
    wanted.delete(key);
    // A request that counts in the budget is not cancelled.
    if (pace.perMinute !== undefined) return;
    if (entryOf(key)?.loading) stale.add(key);
    inFlight.delete(key);
    cache.cancel(query);
  }

  return {
    subscribe: (queries, urgency = 'screen') => {
      const pace = paces[urgency];
      const retained = typeof queries === 'function' ? [] : queries.filter((query) => !isLocal(query));
      const subscription: Subscription = { queries: typeof queries === 'function' ? queries : () => retained, pace };
      const release = cache.retain(retained);
      for (const key of retained.map(keyOf)) wanted.set(key, [...(wanted.get(key) ?? []), pace]);
      subscriptions.add(subscription);
      readDue(subscription);
      return () => {
        if (!subscriptions.delete(subscription)) return;
        // The next screen may subscribe to the same queries, after this one has unsubscribed.
        queueMicrotask(() => {
          for (const query of retained) unsubscribe(query, pace);
          release();
        });
      };
    },
    invalidate: (matches) => {
      const { collections } = cache.getState();
      const entries = entriesOf(cache.getState());
      for (const key of stale) if (!(key in entries)) stale.delete(key);
      for (const [key, { query }] of Object.entries(entries))
        if (!isLocal(query) && matches(query, collections[key]?.resource) && !isSteady(query)) stale.add(key);
      readDue();
    },
    refresh: async () => {
      for (const [key, those] of wanted) if (those.includes(paces.next)) stale.add(key);
      readDue();
      const unlimited = [...subscriptions].filter(({ pace }) => pace.perMinute === undefined);
      await Promise.all(unlimited.flatMap(({ queries, pace }) => [...queries()].map((query) => read(query, pace))));
    },
    retryFailed: () => {
      for (const [key, entry] of Object.entries(entriesOf(cache.getState())))
        if (entry.error && !entry.loading && !isRefused(entry)) stale.add(key);
      readDue();
    },
    waitMs: (count, urgency) => Math.max(0, budget.freeAt(paces[urgency], count) - now()),
    pause: (value) => {
      isPaused = value;
      clearTimeout(timer);
      readDue();
    },
    whenIdle: async () => {
      while (inFlight.size > 0) {
        await Promise.all(inFlight.values());
        await setImmediate();
      }
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const maxPerMinute = 90;

/** Counts the requests about single rows, of which the API allows 100 a minute in all; a clock that is set changes nothing. */
function createBudget(now: () => Timestamp) {
  let begun: { at: number; pace: Pace }[] = [];
  let inFlight = 0;
  /** The requests in flight that have no maximum: lists, and what a screen is about. */
  let unlimited = 0;
  /** The end of the last `Retry-After`. */
  let pausedUntil = 0;

  /** When `count` more requests fit into a limit; each waits until a minute after an earlier one began. */
  function fitAt(spent: readonly { at: number }[], perMinute: number, count: number): number {
    const beyond = spent.length + count - perMinute - 1;
    if (beyond < 0) return 0;
    const minutes = Math.floor(beyond / perMinute) + 1;
    return (spent[beyond % perMinute]?.at ?? performance.now()) + minutes * minute;
  }

  return {
    /** When `count` more requests of a pace may have begun; in the past where they may begin now. */
    freeAt: (pace: Pace, count = 1) => {
      if (pace.perMinute === undefined) return 0;
      begun = begun.filter(({ at }) => performance.now() - at < minute);
      const own = begun.filter((one) => one.pace === pace);
      const from = Math.max(pausedUntil, fitAt(begun, maxPerMinute, count), fitAt(own, pace.perMinute, count));
      return now() - performance.now() + from;
    },
    /** Whether the maximum in flight is reached: one while a list is read, whose pages go first. */
    isFull: ({ maxInflight }: Pace) => maxInflight !== undefined && inFlight >= (unlimited > 0 ? 1 : maxInflight),
    /** Counts a request that begins; returns a function to call at its end, with the `Retry-After` of the API, in ms. */
    begin: (pace: Pace) => {
      const weight = pace.maxInflight === undefined ? 0 : 1;
      inFlight += weight;
      unlimited += 1 - weight;
      if (pace.perMinute !== undefined) begun.push({ at: performance.now(), pace });
      return (retryAfterMs = 0) => {
        inFlight -= weight;
        unlimited -= 1 - weight;
        if (pace.perMinute !== undefined) pausedUntil = Math.max(pausedUntil, performance.now() + retryAfterMs);
      };
    },
  };
}
