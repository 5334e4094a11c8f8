import { type Resource, type Row, resource } from '../resource.ts';

/** One attempt of a request to the API; times in ms, `at` since the epoch. */
export type RequestRow = Row & {
  id: number;
  method: string;
  path: string;
  status?: number;
  /** The kind of the error, when it failed. */
  kind?: string;
  ms: number;
  at: number;
  attempt: number;
  error?: string;
  retryAfterMs?: number;
  rateLimit?: number;
};

/** The outcome of a request, in one word. */
function outcomeOf({ status, kind, error }: RequestRow): string {
  if (status === undefined) return kind === 'aborted' ? 'cancelled' : 'failed';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 300 ? 'refused' : error === undefined ? 'ok' : 'failed';
}

/** The requests of this session, the newest first. */
export const requests: Resource = resource<RequestRow>()({
  name: 'requests',
  one: 'request',
  area: 'Account',
  aliases: ['req', 'calls', 'inspector'],
  local: true,
  label: ({ method, path }) => `${method} ${path}`,
  empty: 'The requests that Skydeck sends to the API are listed here.',
  columns: [
    { title: 'Ago', value: 'at', format: 'age', keep: 1 },
    {
      title: 'Outcome',
      value: outcomeOf,
      format: 'status',
      words: ['ok', 'limited', 'refused', 'failed', 'cancelled'],
      keep: 1,
    },
    { title: 'Method', value: 'method', format: 'text', keep: 1 },
    { title: 'Path', value: 'path', keep: 1, width: 56 },
    { title: 'Status', value: 'status', format: 'number', keep: 2 },
    { title: 'Ms', value: ({ ms }) => Math.round(ms), format: 'number', keep: 1 },
    { title: 'Attempt', value: 'attempt', format: 'number', keep: 2 },
    {
      title: 'Retry after',
      value: ({ retryAfterMs }) => (retryAfterMs === undefined ? undefined : retryAfterMs / 1000),
      format: 'duration',
      keep: 2,
    },
    { title: 'Error', value: 'error', format: 'text', keep: 3 },
  ],
  card: [
    {
      title: 'Started',
      value: ({ at }) => (Number.isNaN(new Date(at).getTime()) ? undefined : new Date(at).toISOString()),
    },
    { title: 'Rate limit', value: 'rateLimit', format: 'number' },
    { title: 'Full error', value: 'error', format: 'paragraph' },
  ],
  sections: [
    { title: 'All', only: () => true },
    { title: 'Changes', only: ({ method }) => method !== 'GET', empty: 'Nothing was changed in this session.' },
    { title: 'Failed', only: ({ error }) => error !== undefined, empty: 'No request has failed.' },
  ],
  copies: { path: ({ path }) => path, error: ({ error }) => error },
});
