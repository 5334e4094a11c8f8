import { resources } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { timestamp } from './time.ts';

/** A thing as an event names it (document 1, 2.5). Those of type account and profile have no id. */
export interface Entity {
  id?: number | string;
  label: string;
  type: string;
  url: string | null;
}

/** A row as an event names it, with the path at which it is viewed. */
export function entityOf(
  resource: string,
  type: string,
  { id, label }: { id: number | string; label: string },
): Entity {
  const description = resources.find(({ name }) => name === resource);
  return { id, label, type, url: description?.view?.path.replace(`{${description.param}}`, String(id)) ?? null };
}

/** An event before it has an id. */
export interface EventDetails {
  action: string;
  entity: Entity | null;
  secondary?: Entity | null;
  username: string;
  message?: string;
}

/** An event that takes time. */
export interface Job extends EventDetails {
  /** Its duration, in milliseconds of the cloud's clock. */
  durationMs: number;
  /** The delay before it starts, in the same unit. */
  delayMs?: number;
  /** Megabytes that are moved; the event then carries a rate and the time left. */
  megabytes?: number;
  fails?: true;
}

interface LoggedEvent {
  id: number;
  details: EventDetails;
  created: number;
  /** When it starts and ends; undefined for a notification. */
  span?: { starts: number; ends: number };
  megabytes?: number;
  fails: boolean;
  read: boolean;
  seen: boolean;
}

const firstId = 731_400_001;

/** The account's events (document 1, 2.5 and 6). Progress follows from the time at which it is read. */
export class EventLog {
  #entries: LoggedEvent[] = [];
  #busy = new Map<string, number>();
  #timeline: Timeline;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Logs something that took no time. */
  note(details: EventDetails, created: number = this.#timeline.time): void {
    this.#write({ details, created, fails: false });
  }

  /** Logs a job that begins now, and calls `done` at its end. */
  begin(job: Job, done: () => void = () => {}): void {
    const { ends } = this.record(job, this.#timeline.time);
    if (job.entity) this.#busy.set(entityKey(job.entity), Math.max(ends, this.#busy.get(entityKey(job.entity)) ?? 0));
    this.#timeline.at(ends, done);
  }

  /** Logs a job that began at `created`; returns the times of its start and end. */
  record(job: Job, created: number): { starts: number; ends: number } {
    const starts = created + (job.delayMs ?? 0);
    const span = { starts, ends: starts + job.durationMs };
    this.#write({ details: job, created, span, megabytes: job.megabytes, fails: job.fails === true });
    return span;
  }

  /** Whether a job runs or waits on this entity. */
  busy(type: string, id: number): boolean {
    return (this.#busy.get(entityKey({ type, id })) ?? 0) > this.#timeline.time;
  }

  /** All events as they are answered, newest first. */
  rows(): readonly Row[] {
    return this.#entries.map((entry) => rowOf(entry, this.#timeline.time)).reverse();
  }

  markRead(id: number): void {
    for (const entry of this.#entries) if (entry.id === id) entry.read = true;
  }

  /** Marks this event and every one with a lower id as seen. */
  markSeen(id: number): void {
    for (const entry of this.#entries) if (entry.id <= id) entry.seen = true;
  }

  /** Marks all events as read and seen but those created since. */
  settle(since: number): void {
    for (const entry of this.#entries) entry.read = entry.seen = entry.created < since;
  }

  #write(entry: Omit<LoggedEvent, 'id' | 'read' | 'seen'>): void {
    const forgotten = this.#timeline.time - 90 * 86_400_000;
    while ((this.#entries[0]?.created ?? forgotten) < forgotten) this.#entries.shift();
    const id = (this.#entries.at(-1)?.id ?? firstId - 1) + 1;
    this.#entries.push({ ...entry, id, read: false, seen: false });
  }
}

const entityKey = ({ type, id }: { type: string; id?: number | string }) => `${type}/${id}`;

const rowOf = ({ id, details, created, span, megabytes, fails, read, seen }: LoggedEvent, now: number): Row => ({
  id,
  action: details.action,
  created: timestamp(created),
  entity: details.entity,
  secondary_entity: details.secondary ?? null,
  message: details.message ?? '',
  username: details.username,
  read,
  seen,
  ...progressOf(span, megabytes, fails, now),
});

const still = { duration: null, percent_complete: null, rate: null, time_remaining: null };

function progressOf(span: LoggedEvent['span'], megabytes: number | undefined, fails: boolean, now: number): Row {
  if (!span) return { ...still, status: 'notification' };
  if (now < span.starts) return { ...still, status: 'scheduled', percent_complete: 0 };
  const durationMs = span.ends - span.starts;
  const running = now < span.ends;
  const passed = running ? now - span.starts : durationMs;
  const rate =
    megabytes === undefined || durationMs <= 0 ? null : `${(megabytes / (durationMs / 1000)).toFixed(2)} MB/s`;
  return {
    status: running ? 'started' : fails ? 'failed' : 'finished',
    duration: Math.round(passed) / 1000,
    percent_complete: running ? Math.floor((90 * passed) / durationMs) : fails ? 90 : 100,
    rate,
    time_remaining: running && megabytes !== undefined ? clock((span.ends - now) / 1000) : null,
  };
}

/** Seconds as `h:m:s` without leading zeros, e.g. `0:0:20`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 3600)}:${Math.floor((whole % 3600) / 60)}:${whole % 60}`;
}

/**
 * A queue of calls that are due at a time. Nothing runs by itself: every request advances the clock, and everything
 * due by then runs in order, each at its own time. An idle cloud therefore costs nothing.
 */
export class Timeline {
  #due: { at: number; run: () => void }[] = [];
  /** The time of what is happening now, in milliseconds since the epoch. */
  time: number;
  /** The time up to which everything is happening, in the same unit; later than `time` after a pause. */
  until: number;

  constructor(time: number) {
    this.time = this.until = time;
  }

  /** Calls `run` at `at`, in milliseconds since the epoch; after everything else that is due then. */
  at(at: number, run: () => void): void {
    const later = this.#due.findIndex((due) => due.at > at);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { at, run });
  }

  /** Runs everything that is due by `now`. A clock that goes back changes nothing. */
  advance(now: number): void {
    this.until = Math.max(this.until, now);
    for (let next = this.#due[0]; next && next.at <= now; next = this.#due[0]) {
      this.#due.shift();
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = this.until;
  }
}
