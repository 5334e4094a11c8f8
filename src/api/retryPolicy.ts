import type { ApiError } from './error.ts';

/** Waits; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The first attempt and three retries. */
export const maxAttempts = 4;

export const firstBackoffMs = 500;
const maxBackoffMs = 8_000;
/** The window of the provider's rate limit. A longer Retry-After is told to the user instead of waited for. */
export const maxRetryAfterMs = 120_000;

/** A longer Retry-After is taken for a mistake; timers cannot wait for much longer either. */
const maxBelievedMs = 86_400_000;

/** Whether a read that failed in this way may succeed on a retry. Changes are never retried. */
export function isTransient({ kind, status = 0, retryAfterMs = 0, errors, isTruncated }: ApiError): boolean {
  if (kind === 'unreachable' || kind === 'timeout' || isTruncated) return true;
  if (kind !== 'answer' || retryAfterMs > maxRetryAfterMs) return false;
  if ([429, 502, 503, 504].includes(status)) return true;
  // Another job is running on the object: the only 400 that passes by itself.
  return status === 400 && errors.some(({ reason }) => /^server busy\b/i.test(reason));
}

/** Whether a response turns the whole account away for a while, and not only this request. */
export const asksToPause = ({ kind, status, retryAfterMs = 0 }: ApiError): boolean =>
  kind === 'answer' && (status === 429 || (status === 503 && retryAfterMs > 0));

/** Whether whatever is sent next is refused as well: the token is not accepted, or the API takes nothing for a while. */
export const refusesAll = ({ kind, status }: Pick<ApiError, 'kind' | 'status'>): boolean =>
  kind === 'unavailable' || (kind === 'answer' && (status === 401 || status === 503));

/**
 * Exponential backoff with 50 % jitter, in milliseconds: each wait is at least as long as the one before it.
 * @param attempt the one that failed, from 1
 */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);

/**
 * A Retry-After header in milliseconds from now, a day at most; undefined when there is none or it cannot be read.
 * @param serverNow the Date header of the same response, which makes up for a wrong clock here
 */
export function parseRetryAfter(header = '', serverNow = Date.now()): number | undefined {
  const isCount = /^\d+(\.\d+)?$/.test(header.trim());
  const ms = isCount ? Number(header) * 1000 : Date.parse(header) - serverNow;
  return Number.isNaN(ms) ? undefined : Math.min(maxBelievedMs, Math.max(0, ms));
}
