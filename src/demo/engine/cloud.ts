import { memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { EventLog, type Job, Timeline } from './eventLog.ts';
import { hour, timestamp } from './time.ts';

/** A described row as the demo keeps it: open to change, and nothing but the fields that its description names. */
export type Stored<T extends Row> = { -readonly [K in keyof T as string extends K ? never : K]: Open<T[K]> };

type Open<T> = T extends object ? (T extends readonly unknown[] ? T : { -readonly [K in keyof T]: Open<T[K]> }) : T;

/** Rows by their id, in the order in which they come. */
export const byId = <T extends { id: number | string }>(rows: Iterable<T>): Map<T['id'], T> =>
  new Map(Array.from(rows, (row) => [row.id, row]));

/** The options from which a cloud is made. */
export interface CloudOptions {
  seed: number;
  /** The number of servers at first. */
  servers: number;
  /** The factor by which jobs run faster than real time. */
  pace: number;
  /** The time it starts at, in milliseconds since the epoch. */
  time: number;
}

/** State that each cloud has of its own, e.g. the rows of one resource: made when it is first read, then kept. */
export const perCloud = <T>(make: (cloud: Cloud) => T): ((cloud: Cloud) => T) => memoize(make);

/** A cloud in memory: its clock and its events. The same options give the same cloud. */
export class Cloud {
  readonly options: CloudOptions;
  readonly timeline: Timeline;
  readonly log: EventLog;
  #lastId = 90_000_000;

  constructor(options: CloudOptions) {
    this.options = options;
    this.timeline = new Timeline(options.time);
    this.log = new EventLog(this.timeline);
  }

  /** The time of what is happening, in milliseconds since the epoch. */
  get time(): number {
    return this.timeline.time;
  }

  /** The same as the API writes it. */
  get timestamp(): string {
    return timestamp(this.time);
  }

  /** Notes the time at which a row was changed. */
  touch(row: { updated: string }): void {
    row.updated = this.timestamp;
  }

  /** Gives a row another status. */
  setStatus(row: { status: string | null; updated: string }, status: string): void {
    row.status = status;
    this.touch(row);
  }

  /** An id that nothing had before. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The id of a row that is made now, and its times. */
  newRow(): { id: number; created: string; updated: string } {
    return { id: this.nextId(), created: this.timestamp, updated: this.timestamp };
  }

  /** A job of so many seconds takes this long by the clock of this cloud, in milliseconds. */
  durationOf(seconds: number): number {
    return (seconds * 1000) / this.options.pace;
  }

  /** Calls `run` after so many seconds of a job. */
  after(seconds: number, run: () => void): void {
    this.timeline.at(this.time + this.durationOf(seconds), run);
  }

  /**
   * Calls `run` again and again, each time after some seconds of a job; after a long pause only the calls of the last
   * three hours are made up for.
   * @param seconds given the number of calls so far
   */
  repeat(seconds: (count: number) => number, run: () => void, count = 0): void {
    const { time, until } = this.timeline;
    this.timeline.at(Math.max(time + this.durationOf(seconds(count)), until - 3 * hour), () => {
      run();
      this.repeat(seconds, run, count + 1);
    });
  }

  /** Begins a job of so many seconds, logs it as an event, and calls `done` at its end. */
  begin(seconds: number, job: Omit<Job, 'durationMs' | 'delayMs'>, done?: () => void): void {
    this.log.begin({ ...job, delayMs: this.durationOf(1), durationMs: this.durationOf(seconds) }, done);
  }
}
