import { ApiError } from './error.ts';

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
