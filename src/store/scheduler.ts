import { setImmediate } from 'node:timers/promises';
import { timerDelay } from '../text/times.ts';
import { createBudget } from './budget.ts';
import type { Cache } from './cache.ts';
import { isRefused } from './cacheChanges.ts';
import { type Attempt, isList, isSteady, type Pace, type Paces, type Urgency } from './paces.ts';
import { createQueryKeys, isLocal, type Query } from './queries.ts';

/** Reads what somebody has subscribed to, when it is due, and nothing else. */
export interface Scheduler {
  /**
   * Reads queries and keeps them fresh, the first first; returns an unsubscribe function. Their answers stay in the cache
   * meanwhile. Very many are given as a function: they are gone through from the first on whenever one is due, and only
   * the latest of their answers stay.
   */
  subscribe(queries: readonly Query[] | (() => Iterable<Query>), urgency?: Urgency): () => void;
  /** Makes queries stale (`rowsOf` is the resource of a list's rows): each is read now where there is a subscription to it, else with the next one. */
  invalidate(matches: (query: Query, rowsOf: string | undefined) => boolean): void;
  /** Reads now all that is in no budget. */
  refresh(): Promise<void>;
  /** Makes stale all that failed, except what the API refuses. */
  retryFailed(): void;
  /** Milliseconds until so many further requests of an urgency can have been made, as it looks now. */
  waitMs(count: number, urgency: Urgency): number;
  /** Nothing is read while it is paused; afterwards all that is due. */
  pause(isPaused: boolean): void;
  /** Resolves when nothing is being read, and what came has led to no further subscription. */
  whenIdle(): Promise<void>;
  stop(): void;
}

interface SchedulerParts {
  cache: Cache;
  /** Milliseconds since the epoch. */
  now: () => number;
  paces: Paces;
  /** The last reading of what the cache has let go. */
  recall?: (query: Query) => Attempt | undefined;
}

interface Subscription {
  queries: () => Iterable<Query>;
  pace: Pace;
}

export function createScheduler({ cache, now, paces, recall }: SchedulerParts): Scheduler {
  const keyOf = createQueryKeys();
  const subscriptions = new Set<Subscription>();
  /** The paces of all subscriptions to each query, by key. */
  const wanted = new Map<string, Pace[]>();
  const stale = new Set<string>();
  /** The readings that are waited for, by key. */
  const inFlight = new Map<string, Promise<void>>();
  const budget = createBudget(now);
  const order = Object.values(paces);
  let timer: NodeJS.Timeout | undefined;
  /** When the timer ends, in ms since the epoch. */
  let wakeAt = Number.POSITIVE_INFINITY;
  let isPaused = false;
  let isStopped = false;

  const entryOf = (key: string) => cache.getState().collections[key] ?? cache.getState().answers[key];

  /** When a query is to be read, or waited for where somebody else reads it, in ms since the epoch. */
  function dueAt(query: Query, pace: Pace): number {
    const key = keyOf(query);
    if (inFlight.has(key)) return Number.POSITIVE_INFINITY;
    const entry = entryOf(key);
    const attempt: Attempt | undefined = entry ?? recall?.(query);
    if (entry?.loading || attempt?.triedAt === undefined || stale.has(key)) return 0;
    return attempt.triedAt + Math.max(pace.freshMs(query, attempt), attempt.error?.retryAfterMs ?? 0);
  }

  /** Reads a query, or waits for the reading under way; that one does not make fresh what became stale meanwhile. */
  function read(query: Query, pace: Pace): Promise<void> {
    const key = keyOf(query);
    const known = inFlight.get(key);
    if (known) return known;
    const isOthers = entryOf(key)?.loading === true;
    if (!isOthers) stale.delete(key);
    const end = isOthers ? () => {} : budget.begin(pace);
    const reading = (isList(query) ? cache.readCollection(query) : cache.readAnswer(query)).then(() => {
      if (inFlight.get(key) === reading) inFlight.delete(key);
      end(entryOf(key)?.error?.retryAfterMs);
      if (pace.maxInflight !== undefined) readDue();
      // No other query waited for this; what it means for those is still to be told to their subscribers.
      else for (const one of wanted.get(key) ?? []) readDue({ queries: () => [query], pace: one });
    });
    inFlight.set(key, reading);
    return reading;
  }

  /** Reads what is due and may be read now, of all subscriptions or of one, and waits for the next. */
  function readDue(one?: Subscription): void {
    if (isStopped || isPaused) return;
    if (!one) {
      clearTimeout(timer);
      wakeAt = Number.POSITIVE_INFINITY;
    }
    const next = one ? readThose(one) : Math.min(...[...subscriptions].sort(byUrgency).map(readThose));
    if (next >= wakeAt) return;
    clearTimeout(timer);
    wakeAt = next;
    timer = setTimeout(readDue, timerDelay(next - now()));
    timer.unref();
  }

  const byUrgency = (one: Subscription, other: Subscription) => order.indexOf(one.pace) - order.indexOf(other.pace);

  /** Reads what is due of a subscription; when the next is, in ms since the epoch, where no answer has to come first. */
  function readThose({ queries, pace }: Subscription): number {
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

  function leave(query: Query, pace: Pace): void {
    const key = keyOf(query);
    const left = wanted.get(key) ?? [];
    left.splice(left.indexOf(pace), 1);
    if (left.length > 0) return;
    wanted.delete(key);
    // A request that was counted in the budget may as well be answered.
    if (pace.perMinute !== undefined) return;
    if (entryOf(key)?.loading) stale.add(key);
    inFlight.delete(key);
    cache.cancel(query);
  }

  return {
    subscribe: (queries, urgency = 'screen') => {
      const pace = paces[urgency];
      const kept = typeof queries === 'function' ? [] : queries.filter((query) => !isLocal(query));
      const own: Subscription = { queries: typeof queries === 'function' ? queries : () => kept, pace };
      const release = cache.retain(kept);
      for (const key of kept.map(keyOf)) wanted.set(key, [...(wanted.get(key) ?? []), pace]);
      subscriptions.add(own);
      readDue(own);
      return () => {
        if (!subscriptions.delete(own)) return;
        // The next screen may subscribe to the same, and does so after this one has ended.
        queueMicrotask(() => {
          for (const query of kept) leave(query, pace);
          release();
        });
      };
    },
    invalidate: (matches) => {
      const { collections, answers } = cache.getState();
      const entries = { ...answers, ...collections };
      for (const key of stale) if (!(key in entries)) stale.delete(key);
      for (const [key, { query }] of Object.entries(entries))
        if (!isLocal(query) && matches(query, collections[key]?.resource) && !isSteady(query)) stale.add(key);
      readDue();
    },
    refresh: async () => {
      const unlimited = [...subscriptions].filter(({ pace }) => pace.perMinute === undefined);
      await Promise.all(unlimited.flatMap(({ queries, pace }) => [...queries()].map((query) => read(query, pace))));
    },
    retryFailed: () => {
      const { collections, answers } = cache.getState();
      for (const [key, entry] of [...Object.entries(collections), ...Object.entries(answers)])
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
