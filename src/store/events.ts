import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { second, type Timestamp, timerDelay } from '../text/times.ts';
import { createEventLog } from './history/eventLog.ts';
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
  let readingOn: Promise<void> | undefined;
  let isBackRead = false;
  let started = false;
  let stopped = false;
  let isPaused = false;
  let intervalFactor = 1;
  let failures = 0;
  let attentiveUntil = 0;
  let endedAt = 0;

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

  /** Reads the events before the first poll's, back to a day or 1,000 of them. Never rejects. */
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

  async function readBack(isPaced: boolean): Promise<void> {
    const { knownSince = 0 } = store.getState();
    if (isPaced && knownSince > 0) await Promise.race([whenCalm(), delay(maxCalmMs, undefined, unreferenced)]);
    isBackRead = await log.readBack(async (page) => {
      if (isPaced && page > 2) await delay(pagePauseMs, undefined, unreferenced);
      return !stopped && !isPaused;
    });
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
    return (log.isMoving() || now() < attentiveUntil ? busyPollMs : idlePollMs) * intervalFactor;
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
    /** So many polls have begun. */
    begun: log.begun,
    /** Polls now, or right after the poll in flight, and often for a while. Never rejects. */
    poll: () => {
      attentiveUntil = now() + attentiveMs;
      return pollNext();
    },
    readOn,
    /** Polls to check the health of the API, unless a poll is in flight or has just ended. */
    probe: () => {
      if (started && !running && now() - endedAt >= probeIntervalMs) void poll();
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
