import type { Api } from '../../src/api/client.ts';
import { readPages } from '../../src/api/pages.ts';
import type { ApiRequest, ApiResponse } from '../../src/api/request.ts';
import { operationsOf, resources } from '../../src/resources/index.ts';
import type { Operation, Row } from '../../src/resources/resource.ts';
import { apiError, fakeApi } from '../store/fakeApi.ts';

/** An API that answers everything at once, on fake timers. */
export interface CloudApi extends Api {
  /** The rows of each list that has any, by resource. */
  lists: Record<string, readonly Row[]>;
  /** Every request fails with it; undefined while they work. */
  failure: Parameters<typeof apiError>[0] | undefined;
  /** Requests for these lists fail with it. */
  failing: Record<string, Parameters<typeof apiError>[0]>;
  /** When each request was made, in ms since the epoch, and its method. */
  readonly asked: readonly { at: number; method: string }[];
}

const lists = new Map<Operation, string>(
  resources.flatMap((resource) =>
    operationsOf(resource).flatMap(({ name, operation }) =>
      name === 'list' ? [[operation, resource.name] as const] : [],
    ),
  ),
);

export function cloudApi(): CloudApi {
  const asked: { at: number; method: string }[] = [];
  const api: CloudApi = {
    ...fakeApi(),
    lists: {},
    failing: {},
    failure: undefined,
    asked,
    send,
    pages: (operation, request = {}) =>
      readPages((further) => send(operation, { ...request, ...further }), operation, request),
  };
  return api;

  async function send(operation: Operation, _request: ApiRequest = {}): Promise<ApiResponse> {
    asked.push({ at: Date.now(), method: operation.method });
    const name = lists.get(operation);
    const failure = api.failure ?? (name === undefined ? undefined : api.failing[name]);
    if (failure) throw apiError(failure);
    const rows = name === undefined ? undefined : (api.lists[name] ?? []);
    return { status: 200, body: rows ? { data: rows, page: 1, pages: 1, results: rows.length } : {} };
  }
}
