import { setTimeout as delay } from 'node:timers/promises';
import type { TimeSpan } from '../api/apiClock.ts';
import type { Api } from '../api/client.ts';
import { ApiError, asApiError } from '../api/error.ts';
import { compareIds } from '../resources/identity.ts';
import { second, type Timestamp, timeOf, timerDelay } from '../text/times.ts';
import { createEventLog, type EventsState } from './history/eventLog.ts';
import type { Event } from './history/eventPages.ts';

export type { EventsState } from './history/eventLog.ts';
export { percentOf, progressOf } from './history/eventLog.ts';
export type { Event } from './history/eventPages.ts';

export type Poller = ReturnType<typeof createPoller>;

/** Before further pages are read, the first rows of a screen come; these wait no longer for one another. */
const maxCalmMs = 5 * second;
/** Between two of the further pages. */
const pagePauseMs = 250;
const unreferenced = { ref: false };
/** Between polls: while nothing is in progress, while something is, and at most after failures. */
const idlePollMs = 15_000;
const busyPollMs = 2_000;
const maxPollMs = 60_000;
/** A second health check within this time tells nothing new. */
const probeIntervalMs = 10_000;
/** Polls stay frequent after a requested one: an event may be late. */
const attentiveMs = 10_000;

/** The newest event that was known before a change was sent, and when that was. */
type Sent = Partial<{ event: Event['id']; sent: TimeSpan }>;

/** Whether no event since a change was sent is missing; times are whole seconds. */
function isWholeSince({ events, knownSince = Number.POSITIVE_INFINITY }: EventsState, { event, sent }: Sent): boolean {
  const isBefore = ({ id, created }: Event) => timeOf(created) >= knownSince && compareIds(id, event) <= 0;
  if (event === undefined) return sent !== undefined && knownSince + second <= sent.from;
  return knownSince + second <= (sent?.from ?? second) || events.some(isBefore);
}

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
) {
  const log = createEventLog(api, now, (events) => {
    if (!stopped) onChange(events);
  });
  const store = log.state;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let readingOn: Promise<unknown> | undefined;
  /** Back to this time events were read, as far as they can be. */
  let readTo = Number.POSITIVE_INFINITY;
  let started = false;
  let stopped = false;
  let isPaused = false;
  let intervalFactor = 1;
  let failures = 0;
  let attentiveUntil = 0;
  let endedAt = Number.NEGATIVE_INFINITY;

  async function pollOnce(): Promise<void> {
    try {
      await log.readNewest();
      failures = 0;
      if (started) void readOn();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures++;
      store.setState({ error });
    }
  }

  /** Reads the events before the first poll's, back to a day, or to a time before that, but 1,000 of them at most. Never rejects. */
  function readOn(target = Number.MAX_VALUE): Promise<unknown> {
    if (readTo <= target || store.getState().polledAt === undefined) return Promise.resolve();
    if (readingOn && target < Number.MAX_VALUE) return readingOn.then(() => readOn(target));
    readingOn ??= readBack(started, target)
      .catch(asApiError)
      .finally(() => {
        readingOn = undefined;
        store.setState({ isReadingOn: false });
      });
    return readingOn;
  }

  async function readBack(isPaced: boolean, target: Timestamp): Promise<void> {
    const { knownSince = 0 } = store.getState();
    if (isPaced && knownSince > 0) await Promise.race([whenCalm(), delay(maxCalmMs, undefined, unreferenced)]);
    const isRead = await log.readBack(target, async (page) => {
      if (isPaced && page > 2) await delay(pagePauseMs, undefined, unreferenced);
      return !stopped && !isPaused;
    });
    if (isRead) readTo = target;
  }

  /** Polls, and reads on to the events of when a change was sent. Resolves with whether none since is missing; never rejects. */
  async function pollSince(before: Sent): Promise<boolean> {
    attentiveUntil = performance.now() + attentiveMs;
    await pollNext();
    const { error } = store.getState();
    if (!error && !isWholeSince(store.getState(), before)) await readOn((before.sent?.from ?? 0) - second);
    return !error && !log.isTorn() && isWholeSince(store.getState(), before);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!started || isPaused) return;
    const wait = waitOf();
    store.setState({ nextAt: now() + wait });
    timer = setTimeout(() => void poll(), timerDelay(wait)).unref();
  }

  function waitOf(): number {
    const { error } = store.getState();
    if (error) return Math.max(error.retryAfterMs ?? 0, Math.min(maxPollMs, busyPollMs * 2 ** failures));
    return (log.isMoving() || performance.now() < attentiveUntil ? busyPollMs : idlePollMs) * intervalFactor;
  }

  function poll(): Promise<void> {
    clearTimeout(timer);
    if (store.getState().error) store.setState({ nextAt: undefined });
    running = pollOnce().finally(() => {
      running = undefined;
      endedAt = performance.now();
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
    /** So many polls have begun. */
    begun: log.begun,
    /** Polls now, or right after the poll in flight, and often for a while. Never rejects. */
    poll: () => {
      attentiveUntil = performance.now() + attentiveMs;
      return pollNext();
    },
    readOn,
    pollSince,
    /** Polls to check the health of the API, unless a poll is in flight or has just ended. */
    probe: () => {
      if (started && !running && performance.now() - endedAt >= probeIntervalMs) void poll();
    },
    /** Polls now, and whenever a poll is due until stopped; once more it does nothing. */
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
    /** Multiplies the time between polls: above 1 while the terminal has no focus. */
    setIntervalFactor: (factor: number) => {
      intervalFactor = factor;
      if (!running) schedule();
    },
    /** Pauses polling; polls at once when it ends. */
    pause: (value: boolean) => {
      isPaused = value;
      if (isPaused) clearTimeout(timer);
      else if (started) void pollNext();
    },
  };
}
