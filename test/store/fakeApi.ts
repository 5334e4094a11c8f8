import { vi } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { ApiError, abortedError, type ErrorDetails } from '../../src/api/error.ts';
import type { ApiRequest, ApiResponse } from '../../src/api/request.ts';
import { operationsOf, resources } from '../../src/resources/index.ts';
import type { Operation, Row } from '../../src/resources/resource.ts';
import { apiOn } from './apiOn.ts';

/** A request that waits for the test to answer it. */
export interface Asked {
  /** The resource and the name of its operation: `servers.list`. */
  name: string;
  request: ApiRequest;
  /** Answers it; what waits for the answer has gone on when this resolves. */
  answer(body: unknown, further?: Partial<ApiResponse>): Promise<void>;
  /** Answers one page of a collection; `pages` and `results` are those of a list that fits on it. */
  page(rows: readonly Row[], pages?: number, results?: number): Promise<void>;
  fail(error?: Partial<ErrorDetails>): Promise<void>;
}

/** An API under the test's control. */
export interface FakeApi extends Api {
  /** Every request so far, in order. */
  readonly all: readonly Asked[];
  /** The requests that are neither answered nor cancelled. */
  readonly open: readonly Asked[];
  /** The oldest open request of this name; throws when there is none. */
  next(name: string): Asked;
  /** Counts the requests of this name. */
  count(name: string): number;
}

/** Lets all that waits for nothing but its turn go on; works with fake timers only. */
export const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

const names = new Map<Operation, string>(
  resources.flatMap((resource) =>
    operationsOf(resource).map(({ name, operation }) => [operation, `${resource.name}.${name}`] as const),
  ),
);

/**
 * An API whose requests the test answers one by one.
 * @param own answers some requests by itself, by their names
 */
export function fakeApi(own: (name: string) => unknown = () => undefined): FakeApi {
  const all: Asked[] = [];
  const open = new Set<Asked>();

  function send(operation: Operation, request: ApiRequest = {}): Promise<ApiResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
    const subject = { method: operation.method, path: operation.path };
    const asked: Asked = {
      name: names.get(operation) ?? `${operation.method} ${operation.path}`,
      request,
      answer: async (body, further) => {
        open.delete(asked);
        resolve({ body, status: 200, ...further });
        await settled();
      },
      page: (rows, pages = 1, results = rows.length) =>
        asked.answer({ data: rows, page: Number(request.query?.page ?? 1), pages, results }),
      fail: async (error) => {
        open.delete(asked);
        reject(new ApiError({ kind: 'answer', status: 500, message: 'It broke.', ...subject, ...error }));
        await settled();
      },
    };
    all.push(asked);
    open.add(asked);
    const body = own(asked.name);
    if (body !== undefined) void asked.answer(body);
    const cancel = () => {
      if (open.delete(asked)) reject(abortedError(subject, false));
    };
    if (request.signal?.aborted) cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    return promise;
  }

  return {
    ...apiOn(send),
    all,
    get open() {
      return [...open];
    },
    next: (name) => {
      const found = [...open].find((asked) => asked.name === name);
      if (!found)
        throw new Error(`nobody asks for ${name}, but for ${[...open].map((asked) => asked.name).join(', ')}`);
      return found;
    },
    count: (name) => all.filter((asked) => asked.name === name).length,
  };
}

/** An error of the API as the client throws it. */
export const apiError = (details: Partial<ErrorDetails> = {}): ApiError =>
  new ApiError({ kind: 'answer', method: 'GET', path: '/', message: 'It broke.', status: 500, ...details });
