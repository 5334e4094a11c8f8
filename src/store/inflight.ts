import type { Row } from '../resources/resource.ts';

/** A reading under way. */
export interface InflightRequest {
  done: Promise<void>;
  signal: AbortSignal;
  /** Rows that changed while their list was read, by id: newer than what the reading finds. */
  updates: Map<string, Row | undefined>;
}

/** The readings under way; one for each key. */
export interface InflightRequests {
  get(key: string): InflightRequest | undefined;
  /**
   * Runs `read` unless the same is under way already.
   * @param needed it goes on though nobody looks
   */
  share(key: string, needed: boolean, read: (request: InflightRequest) => Promise<void>): Promise<void>;
  /** The same, but what is under way is no substitute: one more begins when it has ended. */
  shareNext(key: string, read: (request: InflightRequest) => Promise<void>): Promise<void>;
  /** Breaks a reading off, unless it is needed. */
  cancel(key: string): void;
}

interface Running extends InflightRequest {
  abort: AbortController;
  needed: boolean;
  next?: Promise<void>;
}

/** @param onBegin told each key whose reading begins; what it answers is called at the end */
export function createInflightRequests(onBegin: (key: string) => () => void): InflightRequests {
  const running = new Map<string, Running>();

  function begin(key: string, needed: boolean, read: (request: InflightRequest) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const request: Running = { done: Promise.resolve(), abort, signal: abort.signal, updates: new Map(), needed };
    const onEnd = onBegin(key);
    running.set(key, request);
    request.done = read(request).finally(() => {
      if (running.get(key) === request) running.delete(key);
      onEnd();
    });
    return request.done;
  }

  function share(key: string, needed: boolean, read: (request: InflightRequest) => Promise<void>): Promise<void> {
    const request = running.get(key);
    if (!request) return begin(key, needed, read);
    request.needed ||= needed;
    return request.done;
  }

  return {
    get: (key) => running.get(key),
    share,
    shareNext: (key, read) => {
      const request = running.get(key);
      if (!request) return begin(key, true, read);
      request.next ??= request.done.then(() => share(key, true, read));
      return request.next;
    },
    cancel: (key) => {
      const request = running.get(key);
      if (!request || request.needed) return;
      running.delete(key);
      request.abort.abort();
    },
  };
}
