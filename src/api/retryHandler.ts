import { setTimeout as delay } from 'node:timers/promises';
import { ApiClock } from './apiClock.ts';
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
  maxBackoffMs,
  maxRetryAfterMs,
  type Sleep,
} from './retryPolicy.ts';
import type { Transport } from './transport.ts';

type ParseResponse = (response: HttpResponse) => ApiResponse | ApiError;

/** Sends requests. Retries reads while that may help and the API is available; sends changes once. */
export class RetryHandler {
  readonly #transport: Transport;
  readonly clock = new ApiClock();
  readonly #breaker = new CircuitBreaker();
  readonly #pause: RateLimitPause;
  readonly #onCall: NonNullable<ApiOptions['onCall']>;
  readonly #sleep: Sleep;
  readonly #random: () => number;
  readonly #retriesTimeouts: boolean;

  constructor(
    transport: Transport,
    {
      onCall = () => {},
      sleep = (ms, signal) => delay(ms, undefined, { signal }),
      random = Math.random,
      pauseBudgetMs: budgetMs = Number.POSITIVE_INFINITY,
      retriesTimeouts = true,
    }: Pick<ApiOptions, 'onCall' | 'sleep' | 'random' | 'pauseBudgetMs' | 'retriesTimeouts'>,
  ) {
    this.#transport = transport;
    this.#onCall = onCall;
    this.#sleep = sleep;
    this.#random = random;
    this.#retriesTimeouts = retriesTimeouts;
    this.#pause = new RateLimitPause({ sleep, random, budgetMs });
  }

  /** Sends until an attempt succeeds or another would not help. Rejects with an ApiError. */
  async sendWithRetry(request: HttpRequest, parse: ParseResponse): Promise<ApiResponse> {
    const guarded = { ...request, blockedBy: () => this.#blockedBy(request) };
    for (let attempt = 1; ; ) {
      await this.#wait(request, (signal) => this.#pause.wait(request.line, signal));
      try {
        return await this.#attempt(guarded, parse, attempt);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The pause began while the request waited for a connection, so it was not sent.
        if (error.kind === 'unavailable' && error.retryAfterMs !== undefined) continue;
        if (request.method !== 'GET' || attempt >= maxAttempts || !this.#mayRetry(error)) throw error;
        const ms = backoffMs(attempt, this.#random);
        // A request that waits for the pause to end needs no backoff of its own.
        if (this.#pause.leftMs === 0) await this.#wait(request, (signal) => this.#sleep(ms, signal));
        attempt++;
      }
    }
  }

  #mayRetry(error: ApiError): boolean {
    // While the breaker is open, probes come at a pace of their own.
    if (!isTransient(error) || this.#breaker.openedBy || (error.kind === 'timeout' && !this.#retriesTimeouts))
      return false;
    return this.#pause.leftMs > 0 ? !this.#pause.isTooLong : this.#breaker.takeRetry();
  }

  /** An open breaker blocks reads but not changes, because a user waits for those. A pause blocks everything. */
  #blockedBy({ method, isProbe, line }: HttpRequest): ApiError | undefined {
    const { openedBy } = this.#breaker;
    return openedBy && method === 'GET' && !isProbe ? unavailableError(line, openedBy) : this.#pause.error(line);
  }

  async #wait({ signal, line }: HttpRequest, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await wait(signal);
    } catch (error) {
      throw signal.aborted ? abortedError(line, false) : error;
    }
  }

  async #attempt(request: HttpRequest, parse: ParseResponse, attempt: number): Promise<ApiResponse> {
    const { line, signal, isProbe = false } = request;
    if (signal.aborted) throw abortedError(line, false);
    await this.#transport.ready();
    const at = Date.now();
    const startedAt = performance.now();
    const response = await this.#transport.send(request).catch(asApiError);
    const outcome = response instanceof ApiError ? response : parse(response);
    // A blocked request is no call: nothing was sent.
    if (outcome instanceof ApiError && (outcome.kind === 'read-only' || outcome.kind === 'unavailable')) throw outcome;
    this.#breaker.record(outcome, isProbe);
    const cameAt = performance.now();
    const ms = cameAt - startedAt;
    const rateLimit = response instanceof ApiError ? undefined : headerNumber(response.headers['x-ratelimit-limit']);
    const { method, wirePath: path = line.path } = line;
    const call = { method, path, status: outcome.status, ms, at, attempt, rateLimit };
    if (outcome instanceof ApiError) {
      const { kind, message: error, retryAfterMs } = outcome;
      if (asksToPause(outcome)) this.#pause.begin(startedAt, retryAfterMs);
      this.#onCall({ ...call, kind, error, retryAfterMs });
      throw outcome;
    }
    this.#pause.end();
    if (outcome.date !== undefined) this.clock.note(outcome.date, startedAt, cameAt);
    this.#onCall(call);
    return outcome;
  }
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
export class CircuitBreaker {
  #retryBudget = maxRetryBudget;
  #failures = 0;
  #failedProbe: ApiError | undefined;

  /** The failure of the latest probe while the breaker is open; undefined while it is closed. */
  get openedBy(): ApiError | undefined {
    return this.#failures >= failureThreshold ? this.#failedProbe : undefined;
  }

  /**
   * Records the outcome of an attempt.
   * @param isProbe the attempt was made to find out whether the API is available
   */
  record(outcome: unknown, isProbe: boolean): void {
    if (outcome instanceof ApiError && outcome.kind === 'aborted') return;
    if (outcome instanceof ApiError && isOutage(outcome)) {
      this.#failures++;
      if (isProbe) this.#failedProbe = outcome;
      return;
    }
    this.#failures = 0;
    this.#failedProbe = undefined;
    this.#retryBudget = Math.min(maxRetryBudget, this.#retryBudget + budgetPerSuccess);
  }

  /** Takes one retry from the budget; false when it is used up. */
  takeRetry(): boolean {
    if (this.#retryBudget < 1) return false;
    this.#retryBudget--;
    return true;
  }
}

/** Whether a failure may concern the whole API: it is unreachable, broken, or refuses the account. */
function isOutage({ kind, status = 0 }: ApiError): boolean {
  if (kind !== 'answer') return true;
  return status >= 500 || status === 429 || status === 401 || (status >= 300 && status < 400);
}

/** A Retry-After header counts whole seconds. */
const retryAfterStepMs = 1000;

/** Set by tests and by runs that end by themselves. */
interface PauseOptions {
  sleep: Sleep;
  /** From 0 to 1. */
  random: () => number;
  /** The limit on how long all pauses together may delay requests. */
  budgetMs: number;
}

/**
 * The pause after a rate limit. The limits are per account, so one pause holds for all requests of the process. Its times
 * are those of the monotonic clock, in milliseconds, so that a clock that is set neither prolongs it nor ends it.
 */
class RateLimitPause {
  readonly #sleep: Sleep;
  readonly #random: () => number;
  #budgetMs: number;
  #startedAt = Number.NEGATIVE_INFINITY;
  #endsAt = Number.NEGATIVE_INFINITY;
  /** Pauses in a row without a success between them. */
  #count = 0;

  constructor({ sleep, random, budgetMs }: PauseOptions) {
    this.#sleep = sleep;
    this.#random = random;
    this.#budgetMs = budgetMs;
  }

  /** Milliseconds until requests may be sent again; 0 when they may. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Whether requests fail at once instead of waiting for its end. */
  get isTooLong(): boolean {
    return this.leftMs > maxRetryAfterMs || this.#budgetMs < 0;
  }

  /** Ends the row of pauses: a request succeeded. */
  end(): void {
    this.#count = 0;
  }

  /**
   * Begins a pause, or prolongs the one that is on.
   * @param sentAt when the refused request was sent
   * @param askedMs the wait that the API asks for; without it each pause in a row is twice as long, with 50 % jitter
   */
  begin(sentAt: number, askedMs = 0): void {
    const now = performance.now();
    const left = this.leftMs;
    // Requests that were under way together are refused together, which makes one pause.
    if (sentAt < this.#startedAt && askedMs < left + retryAfterStepMs) return;
    if (sentAt >= this.#startedAt) this.#count++;
    const growing = Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.#count) * (0.5 + this.#random() / 2);
    const ms = Math.max(left, askedMs || growing);
    this.#budgetMs -= ms - left;
    this.#startedAt = now;
    this.#endsAt = now + ms;
  }

  /** Waits until it is over, and a random moment more, so that not all requests leave together. Rejects when it is too long. */
  async wait(line: RequestLine, signal: AbortSignal): Promise<void> {
    for (let left = this.leftMs; left > 0; left = this.leftMs) {
      if (this.isTooLong) throw pausedError(line, left);
      const endsAt = this.#endsAt;
      await this.#sleep(left + this.#random() * firstBackoffMs, signal);
      if (this.#endsAt === endsAt) this.#endsAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** The error for a request that must not be sent during the pause; undefined when there is none. */
  error(line: RequestLine): ApiError | undefined {
    const left = this.leftMs;
    return left > 0 ? pausedError(line, left) : undefined;
  }
}
