import type { ApiError } from './error.ts';

/** The first attempt and three more. */
export const maxAttempts = 4;

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** The window of the provider's rate limit; who asks for more is told to the user instead of waited for. */
const longestAskedMs = 120_000;

/** Nobody is away for longer, and a timer could not wait for much longer. */
const longestBelievedMs = 86_400_000;

/** Whether a read that failed so may succeed when it is repeated. Writes are never repeated. */
export function isTransient({ kind, status, retryAfterMs = 0 }: ApiError): boolean {
  if (kind === 'unreachable' || kind === 'timeout') return true;
  const busy = status === 429 || status === 502 || status === 503 || status === 504;
  return kind === 'answer' && busy && retryAfterMs <= longestAskedMs;
}

/**
 * How long to wait after a failed attempt, in milliseconds: what the API asked for and a little more, so that those
 * who were turned away together do not come back together; else exponential backoff with full jitter.
 * @param attempt the one that failed, from 1
 */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random() * firstWaitMs;
  return random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
}

/**
 * A Retry-After header in milliseconds from now, a day at most; undefined when there is none or it cannot be read.
 * @param serverNow the Date header of the same answer, which makes up for a clock that is wrong
 */
export function retryAfter(header: string | undefined, serverNow = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const isCount = /^\d+(\.\d+)?$/.test(header.trim());
  const ms = isCount ? Number(header) * 1000 : Date.parse(header) - serverNow;
  return Number.isNaN(ms) ? undefined : Math.min(longestBelievedMs, Math.max(0, ms));
}
