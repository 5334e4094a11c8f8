import type { ApiError } from './error.ts';

/** Waits; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The first attempt and three more. */
export const maxAttempts = 4;

/** The longest wait after the first failed attempt, and after any. */
export const firstWaitMs = 500;
export const longestWaitMs = 8_000;
/** The window of the provider's rate limit; who asks for more is told to the user instead of waited for. */
export const longestAskedMs = 120_000;

/** Nobody is away for longer, and a timer could not wait for much longer. */
const longestBelievedMs = 86_400_000;

/** Whether a read that failed so may succeed when it is repeated. Writes are never repeated. */
export function isTransient({ kind, status = 0, retryAfterMs = 0, errors, isCutOff }: ApiError): boolean {
  if (kind === 'unreachable' || kind === 'timeout' || isCutOff) return true;
  if (kind !== 'answer' || retryAfterMs > longestAskedMs) return false;
  if ([429, 502, 503, 504].includes(status)) return true;
  // Another job is running on the object: the only 400 that passes by itself.
  return status === 400 && errors.some(({ reason }) => /^server busy\b/i.test(reason));
}

/** Whether an answer turns the whole account away for a while, and not this request alone. */
export const asksToPause = ({ kind, status, retryAfterMs = 0 }: ApiError): boolean =>
  kind === 'answer' && (status === 429 || (status === 503 && retryAfterMs > 0));

/**
 * The wait after a failed attempt, in milliseconds: exponential backoff with half of it left to chance, so
 * that each wait is at least as long as the one before it.
 * @param attempt the one that failed, from 1
 */
export const waitBefore = (attempt: number, random: () => number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);

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
