import type { Row } from '../resources/resource.ts';

/** A request in flight. */
export interface InflightRequest {
  done: Promise<void>;
  signal: AbortSignal;
  /** Rows that changed while their list was read, by id, and when, by the monotonic clock in ms; newer than what was asked for before. */
  updates: Map<string, { row: Row | undefined; at: number }>;
}

interface Running extends InflightRequest {
  controller: AbortController;
  required: boolean;
  next?: Promise<void>;
}

/**
 * The requests in flight, one for each key.
 * @param onBegin called with the key of each request that begins; returns a function called at its end
 */
export function createInflightRequests(onBegin: (key: string) => () => void) {
  const running = new Map<string, Running>();

  function begin(key: string, required: boolean, read: (request: InflightRequest) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const request: Running = { done: Promise.resolve(), controller, signal, updates: new Map(), required };
    const onEnd = onBegin(key);
    running.set(key, request);
    request.done = read(request).finally(() => {
      if (running.get(key) === request) running.delete(key);
      onEnd();
    });
    return request.done;
  }

  function share(key: string, required: boolean, read: (request: InflightRequest) => Promise<void>): Promise<void> {
    const request = running.get(key);
    if (!request) return begin(key, required, read);
    request.required ||= required;
    return request.done;
  }

  return {
    get: (key: string) => running.get(key),
    /** Runs `read`, or joins the request in flight. */
    share: (key: string, read: (request: InflightRequest) => Promise<void>) => share(key, false, read),
    /** Runs `read` after the request in flight has ended; all that call meanwhile share one. */
    shareNext: (key: string, read: (request: InflightRequest) => Promise<void>) => {
      const request = running.get(key);
      if (!request) return begin(key, true, read);
      request.next ??= request.done.then(() => share(key, true, read));
      return request.next;
    },
    /** Aborts a request that is not required. */
    cancel: (key: string) => {
      const request = running.get(key);
      if (!request || request.required) return;
      running.delete(key);
      request.controller.abort();
    },
  };
}
