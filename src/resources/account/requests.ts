import { isoText, type Timestamp } from '../../text/times.ts';
import { type Resource, type Row, resource } from '../resource.ts';

/** One attempt of a request to the API; times in ms, `at` since the epoch. */
export type RequestRow = Row & RequestFacts & { id: number; kind?: string };

/** A request with its outcome; times in ms. */
export interface RequestFacts {
  method: string;
  /** In the platform's words, without query. */
  path: string;
  status?: number;
  /** Duration, with the wait for a free connection. */
  ms: number;
  /** When it began. */
  at: Timestamp;
  /** From 1. */
  attempt: number;
  /** One sentence about the failure. */
  error?: string;
  /** The X-RateLimit-Limit header. */
  rateLimit?: number;
  retryAfterMs?: number;
}

function outcomeOf({ status, kind, error }: RequestRow): string {
  if (status === undefined) return kind === 'aborted' ? 'cancelled' : 'failed';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 300 ? 'refused' : error === undefined ? 'ok' : 'failed';
}

/** The requests of this session, the newest first. */
export const requests: Resource = resource<RequestRow>()({
  name: 'requests',
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
    { title: 'Path', value: 'path', keep: 1, width: 40 },
    { title: 'Status', value: 'status', format: 'number', keep: 3 },
    { title: 'Ms', value: ({ ms }) => Math.round(ms), format: 'number', keep: 3 },
    { title: 'Attempt', value: 'attempt', format: 'number', keep: 3 },
    {
      title: 'Retry after',
      value: ({ retryAfterMs }) => (retryAfterMs === undefined ? undefined : retryAfterMs / 1000),
      format: 'duration',
      keep: 3,
    },
    { title: 'Error', value: 'error', format: 'text', keep: 3 },
  ],
  card: [
    { title: 'Started', value: ({ at }) => isoText(at) },
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
