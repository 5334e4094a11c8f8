import { setTimeout as delay } from 'node:timers/promises';
import { createApiClock } from './apiClock.ts';
import { ApiError, abortedError, asApiError, pausedError, type RequestLine, unavailableError } from './error.ts';
import type { ApiOptions, ApiResponse } from './request.ts';
import type { HttpRequest, HttpResponse } from './requestHandler.ts';
import { headerNumber } from './responseText.ts';
import {
  asksToPause,
  backoffMs,
  firstBackoffMs,
  isTransient,
  maxAttempts,
  maxRetryAfterMs,
  type Sleep,
} from './retryPolicy.ts';
import type { Transport } from './transport.ts';

type ParseResponse = (response: HttpResponse) => ApiResponse | ApiError;

/** Sends requests. Retries reads while that may help and the API is available; sends changes once. */
export function createRetries(
  transport: Transport,
  {
    onCall = () => {},
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
    random = Math.random,
    pauseBudgetMs = Number.POSITIVE_INFINITY,
    retriesTimeouts = true,
  }: Pick<ApiOptions, 'onCall' | 'sleep' | 'random' | 'pauseBudgetMs' | 'retriesTimeouts'>,
) {
  const clock = createApiClock();
  let stored = 0;
  const breaker = createCircuitBreaker();
  const pause = createRateLimitPause(sleep, random, pauseBudgetMs);

  function mayRetry(error: ApiError): boolean {
    // While the breaker is open, probes come at a pace of their own.
    if (!isTransient(error) || breaker.openedBy() || (error.kind === 'timeout' && !retriesTimeouts)) return false;
    return pause.leftMs() > 0 ? !pause.isTooLong() : breaker.takeRetry();
  }

  /** An open breaker blocks reads but not changes, because a user waits for those. A pause blocks everything. */
  function blockedBy({ method, isProbe, line }: HttpRequest): ApiError | undefined {
    const failure = breaker.openedBy();
    return failure && method === 'GET' && !isProbe ? unavailableError(line, failure) : pause.error(line);
  }

  const waited = (wait: Promise<void>, { signal, line }: HttpRequest) =>
    wait.catch((error) => {
      throw signal.aborted ? abortedError(line, false) : error;
    });

  async function attempt(request: HttpRequest, parse: ParseResponse, nth: number): Promise<ApiResponse> {
    const { line, signal, isProbe = false } = request;
    if (signal.aborted) throw abortedError(line, false);
    await transport.ready();
    const at = Date.now();
    const startedAt = performance.now();
    const response = await transport.send(request).catch(asApiError);
    const outcome = response instanceof ApiError ? response : parse(response);
    // A blocked request is no call: nothing was sent.
    if (outcome instanceof ApiError && (outcome.kind === 'read-only' || outcome.kind === 'unavailable')) throw outcome;
    breaker.record(outcome, isProbe);
    if (!(response instanceof ApiError) && Number(response.headers.age) > 0) stored++;
    const cameAt = performance.now();
    const ms = cameAt - startedAt;
    const rateLimit = response instanceof ApiError ? undefined : headerNumber(response.headers['x-ratelimit-limit']);
    const { method, wirePath: path = line.path } = line;
    const call = { method, path, status: outcome.status, ms, at, attempt: nth, rateLimit };
    if (outcome instanceof ApiError) {
      const { kind, message: error, retryAfterMs } = outcome;
      if (asksToPause(outcome)) pause.begin(startedAt, retryAfterMs);
      onCall({ ...call, kind, error, retryAfterMs });
      throw outcome;
    }
    pause.end();
    if (outcome.date !== undefined) clock.note(outcome.date, startedAt, cameAt);
    onCall(call);
    return { ...outcome, sentAt: startedAt };
  }

  return {
    clock,
    /** So many answers came from a store on the way, though none may answer: they may be older than what was sent. */
    stored: () => stored,
    /** Sends until an attempt succeeds or another would not help. Rejects with an ApiError. */
    async send(request: HttpRequest, parse: ParseResponse): Promise<ApiResponse> {
      const guarded = { ...request, blockedBy: () => blockedBy(request) };
      for (let nth = 1; ; ) {
        await waited(pause.wait(request.line, request.signal), request);
        const outcome = await attempt(guarded, parse, nth).catch(asApiError);
        if (!(outcome instanceof ApiError)) return outcome;
        // The pause began while the request waited for a connection, so it was not sent.
        if (outcome.kind === 'unavailable' && outcome.retryAfterMs !== undefined) continue;
        if (request.method !== 'GET' || nth >= maxAttempts || !mayRetry(outcome)) throw outcome;
        const ms = backoffMs(nth, random);
        // A request that waits for the pause to end needs no backoff of its own.
        if (pause.leftMs() === 0) await waited(sleep(ms, request.signal), request);
        nth++;
      }
    },
  };
}

/** Retries allowed at first and at most; each success gives a part of one back. */
const maxRetryBudget = 10;
const budgetPerSuccess = 0.5;

/** Failures in a row, the last probe among them, that open the breaker. */
const failureThreshold = 3;

/**
 * Judges the API as a whole by the outcome of every attempt. It limits the retries of all requests together, and while
 * it is open only probes and changes are sent, so that an outage meets no storm.
 */
export function createCircuitBreaker() {
  let retryBudget = maxRetryBudget;
  let failures = 0;
  let failedProbe: ApiError | undefined;
  return {
    /** The failure of the latest probe while the breaker is open; undefined while it is closed. */
    openedBy: () => (failures >= failureThreshold ? failedProbe : undefined),
    /**
     * Records the outcome of an attempt.
     * @param isProbe the attempt was made to find out whether the API is available
     */
    record(outcome: unknown, isProbe: boolean): void {
      if (outcome instanceof ApiError && outcome.kind === 'aborted') return;
      if (outcome instanceof ApiError && isOutage(outcome)) {
        failures++;
        if (isProbe) failedProbe = outcome;
        return;
      }
      failures = 0;
      failedProbe = undefined;
      retryBudget = Math.min(maxRetryBudget, retryBudget + budgetPerSuccess);
    },
    /** Takes one retry from the budget; false when it is used up. */
    takeRetry(): boolean {
      if (retryBudget < 1) return false;
      retryBudget--;
      return true;
    },
  };
}

/** Whether a failure may concern the whole API: it is unreachable, broken, or refuses the account. */
function isOutage({ kind, status = 0 }: ApiError): boolean {
  if (kind !== 'answer') return true;
  return status >= 500 || status === 429 || status === 401 || (status >= 300 && status < 400);
}

/** A Retry-After header counts whole seconds. */
const retryAfterStepMs = 1000;

/**
 * The pause after a rate limit. The limits are per account, so one pause holds for all requests of the process. Its times
 * are those of the monotonic clock, in milliseconds, so that a clock that is set neither prolongs it nor ends it.
 * @param random from 0 to 1
 * @param budgetMs the limit on how long all pauses together may delay requests, set by runs that end by themselves
 */
function createRateLimitPause(sleep: Sleep, random: () => number, budgetMs: number) {
  let leftOfBudget = budgetMs;
  let startedAt = Number.NEGATIVE_INFINITY;
  let endsAt = Number.NEGATIVE_INFINITY;
  /** Pauses in a row without a success between them. */
  let count = 0;

  /** Milliseconds until requests may be sent again; 0 when they may. */
  const leftMs = () => Math.max(0, endsAt - performance.now());
  /** Whether requests fail at once instead of waiting for its end. */
  const isTooLong = () => leftMs() > maxRetryAfterMs || leftOfBudget < 0;

  return {
    leftMs,
    isTooLong,
    /** Ends the row of pauses: a request succeeded. */
    end(): void {
      count = 0;
    },
    /**
     * Begins a pause, or prolongs the one that is on.
     * @param sentAt when the refused request was sent
     * @param askedMs the wait that the API asks for; without it each pause in a row is twice as long, with 50 % jitter
     */
    begin(sentAt: number, askedMs = 0): void {
      const now = performance.now();
      const left = leftMs();
      // Requests that were under way together are refused together, which makes one pause.
      if (sentAt < startedAt && askedMs < left + retryAfterStepMs) return;
      if (sentAt >= startedAt) count++;
      const ms = Math.max(left, askedMs || backoffMs(count + 1, random));
      leftOfBudget -= ms - left;
      startedAt = now;
      endsAt = now + ms;
    },
    /** Waits until it is over, and a random moment more, so that not all requests leave together. Rejects when it is too long. */
    async wait(line: RequestLine, signal: AbortSignal): Promise<void> {
      for (let left = leftMs(); left > 0; left = leftMs()) {
        if (isTooLong()) throw pausedError(line, left);
        const end = endsAt;
        await sleep(left + random() * firstBackoffMs, signal);
        if (endsAt === end) endsAt = Number.NEGATIVE_INFINITY;
      }
    },
    /** The error for a request that must not be sent during the pause; undefined when there is none. */
    error(line: RequestLine): ApiError | undefined {
      const left = leftMs();
      return left > 0 ? pausedError(line, left) : undefined;
    },
  };
}
