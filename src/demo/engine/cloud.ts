import { EventLog, type Job } from './eventLog.ts';
import { hour, timestamp } from './time.ts';
import { Timeline } from './timeline.ts';

/** Makes one table of the cloud, when it is first read. */
export type Part<T> = (cloud: Cloud) => T;

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

/** A cloud in memory: its clock, its events and, by area, its things. The same options give the same cloud. */
export class Cloud {
  readonly options: CloudOptions;
  readonly timeline: Timeline;
  readonly log: EventLog;
  #parts = new Map<Part<unknown>, unknown>();
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

  /** A table of the cloud. */
  of<T>(part: Part<T>): T {
    if (!this.#parts.has(part)) this.#parts.set(part, part(this));
    return this.#parts.get(part) as T;
  }

  /** An id that nothing had before. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The duration of a job of so many seconds by the clock of this cloud, in milliseconds. */
  lasting(seconds: number): number {
    return (seconds * 1000) / this.options.pace;
  }

  /** Has `run` happen after so many seconds of a job. */
  after(seconds: number, run: () => void): void {
    this.timeline.at(this.time + this.lasting(seconds), run);
  }

  /**
   * Does something again and again, each time after some seconds of a job; after a long pause only what falls into
   * the last three hours is made up for.
   * @param seconds how many, given how often it was done so far
   */
  repeat(seconds: (count: number) => number, run: () => void, count = 0): void {
    const { time, until } = this.timeline;
    this.timeline.at(Math.max(time + this.lasting(seconds(count)), until - 3 * hour), () => {
      run();
      this.repeat(seconds, run, count + 1);
    });
  }

  /** Begins a job of so many seconds, tells it as an event, and has `done` happen at its end. */
  begin(seconds: number, job: Omit<Job, 'lasts' | 'waits'>, done?: () => void): void {
    this.log.begin({ ...job, waits: this.lasting(1), lasts: this.lasting(seconds) }, done);
  }
}
