/**
 * The time and the processes of a simulation. Timers and clocks of Node are those of the simulation for whatever runs
 * within a process of it, and the real ones for everything else. Import this before anything that takes hold of a timer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import timersPromises from 'node:timers/promises';

/** A running program; a dead one never gets another answer, nor another turn. */
export interface Process {
  readonly name: string;
  readonly pid: number;
  isAlive: boolean;
  /** It has not ended by itself. */
  wasKilled: boolean;
}

/** Code runs in a process, for a deed of the story. */
export interface Frame {
  readonly process: Process;
  readonly deed: number;
}

interface Due {
  readonly at: number;
  /** Of those that are due at once, the first that was set runs first. */
  readonly order: number;
  readonly frame: Frame | undefined;
  readonly run: () => void;
  isCancelled: boolean;
}

const frames = new AsyncLocalStorage<Frame>();
let clock: Clock | undefined;

/** The frame of the code that runs; undefined outside of every process. */
export const frameNow = (): Frame | undefined => frames.getStore();

/** Runs a function within a process. */
export const within = <T>(frame: Frame, run: () => T): T => frames.run(frame, run);

/** A turn of the event loop, in which all that waits for nothing but its turn has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/** The only time that passes in a simulation. */
export class Clock {
  /** The true time, in milliseconds since the epoch. */
  now: number;
  /** So much the clock of our machine is ahead of the true time, in milliseconds. */
  skewMs = 0;
  readonly #random: () => number;
  readonly #heap: Due[] = [];
  #order = 0;

  /** @param random for whatever asks for chance within a process */
  constructor(now: number, random: () => number) {
    this.now = now;
    this.#random = random;
    clock = this;
  }

  random = (): number => this.#random();

  /** Has a function run so many milliseconds from now. */
  after(ms: number, run: () => void, frame?: Frame): Due {
    const due: Due = { at: this.now + Math.max(0, ms), order: this.#order++, frame, run, isCancelled: false };
    this.#push(due);
    return due;
  }

  /** Lets time pass until then, or until nothing is due any more; `isOver` ends it early. */
  async pass(until: number, isOver: () => boolean = () => false): Promise<void> {
    await turn();
    while (!isOver()) {
      const due = this.#heap[0];
      if (!due || due.at > until) break;
      this.#pop();
      if (due.isCancelled || due.frame?.process.isAlive === false) continue;
      this.now = Math.max(this.now, due.at);
      if (due.frame) frames.run(due.frame, due.run);
      else due.run();
      await turn();
    }
    if (!isOver() && Number.isFinite(until)) this.now = Math.max(this.now, until);
  }

  /** The timers that living processes wait for. */
  waiting(): readonly Frame[] {
    return this.#heap.flatMap(({ frame, isCancelled }) => (frame?.process.isAlive && !isCancelled ? [frame] : []));
  }

  /** Gives Node its own clocks and timers back. */
  stop(): void {
    if (clock === this) clock = undefined;
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let index = heap.push(due) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Due;
      if (isBefore(parent, due)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Due;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Due, heap[below] as Due)) below++;
      const child = heap[below] as Due;
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A timer as Node gives one. */
class Timer {
  readonly due: Due;
  constructor(due: Due) {
    this.due = due;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const { setTimeout: realTimeout, clearTimeout: realClear, setImmediate: realImmediate } = globalThis;
const { clearImmediate: realClearImmediate } = globalThis;
const [realNow, realRandom, realPerformance] = [Date.now, Math.random, performance.now.bind(performance)];
const realSleep = timersPromises.setTimeout;

/** The clock of what runs now; undefined where that is Node's. */
const own = (): Clock | undefined => (clock && frames.getStore() ? clock : undefined);

function cancelOr(real: (timer: never) => void) {
  return (timer: unknown): void => {
    if (timer instanceof Timer) timer.due.isCancelled = true;
    else real(timer as never);
  };
}

function sleep<T>(ms?: number, value?: T, options: { signal?: AbortSignal } = {}): Promise<T> {
  const mine = own();
  if (!mine) return realSleep(ms, value, options) as Promise<T>;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const { signal } = options;
  const due = mine.after(Math.max(1, ms ?? 1), () => resolve(value as T), frames.getStore());
  const abort = () => {
    due.isCancelled = true;
    reject(new DOMException('The operation was aborted', 'AbortError'));
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return promise;
}

Object.assign(globalThis, {
  setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const mine = own();
    if (!mine) return realTimeout(run, ms, ...args);
    return new Timer(mine.after(Math.max(1, ms ?? 1), () => run(...args), frames.getStore()));
  },
  clearTimeout: cancelOr(realClear),
  setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    const mine = own();
    if (!mine) return realImmediate(run, ...args);
    return new Timer(mine.after(0, () => run(...args), frames.getStore()));
  },
  clearImmediate: cancelOr(realClearImmediate),
});
Date.now = () => {
  const mine = own();
  return mine ? mine.now + mine.skewMs : realNow();
};
Math.random = () => own()?.random() ?? realRandom();
const realUUID = crypto.randomUUID.bind(crypto);
let uuids = 0;
crypto.randomUUID = () => (own() ? `${String(++uuids).padStart(8, '0')}-0000-4000-8000-000000000000` : realUUID());
performance.now = () => own()?.now ?? realPerformance();
Object.assign(timersPromises, { setTimeout: sleep });
