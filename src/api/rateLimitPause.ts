import { type ApiError, pausedError, type RequestLine } from './error.ts';
import { firstBackoffMs, maxBackoffMs, maxRetryAfterMs, type Sleep } from './retryPolicy.ts';

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
export class RateLimitPause {
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
