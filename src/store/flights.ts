import type { Row } from '../resources/resource.ts';

/** A reading under way. */
export interface Flight {
  done: Promise<void>;
  signal: AbortSignal;
  /** Rows that changed while their list was read, by id: newer than what the reading finds. */
  late: Map<string, Row | undefined>;
}

/** The readings under way; one for each key. */
export interface Flights {
  get(key: string): Flight | undefined;
  /**
   * Runs `read` unless the same is under way already.
   * @param needed it goes on though nobody looks
   */
  share(key: string, needed: boolean, read: (flight: Flight) => Promise<void>): Promise<void>;
  /** The same, but what is under way is no substitute: one more begins when it has ended. */
  shareAnew(key: string, read: (flight: Flight) => Promise<void>): Promise<void>;
  /** Breaks a reading off, unless it is needed. */
  abandon(key: string): void;
}

interface Running extends Flight {
  abort: AbortController;
  needed: boolean;
  next?: Promise<void>;
}

/** @param onBegin told each key whose reading begins; what it answers is called at the end */
export function createFlights(onBegin: (key: string) => () => void): Flights {
  const running = new Map<string, Running>();

  function begin(key: string, needed: boolean, read: (flight: Flight) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const flight: Running = { done: Promise.resolve(), abort, signal: abort.signal, late: new Map(), needed };
    const onEnd = onBegin(key);
    running.set(key, flight);
    flight.done = read(flight).finally(() => {
      if (running.get(key) === flight) running.delete(key);
      onEnd();
    });
    return flight.done;
  }

  function share(key: string, needed: boolean, read: (flight: Flight) => Promise<void>): Promise<void> {
    const flight = running.get(key);
    if (!flight) return begin(key, needed, read);
    flight.needed ||= needed;
    return flight.done;
  }

  return {
    get: (key) => running.get(key),
    share,
    shareAnew: (key, read) => {
      const flight = running.get(key);
      if (!flight) return begin(key, true, read);
      flight.next ??= flight.done.then(() => share(key, true, read));
      return flight.next;
    },
    abandon: (key) => {
      const flight = running.get(key);
      if (!flight || flight.needed) return;
      running.delete(key);
      flight.abort.abort();
    },
  };
}
