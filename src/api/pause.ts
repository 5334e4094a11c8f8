import { type ApiError, pausedError, type Subject } from './error.ts';
import { firstWaitMs, longestAskedMs, longestWaitMs, type Sleep } from './retry.ts';

/** A Retry-After header counts whole seconds. */
const grainMs = 1000;

/** Set by the tests and by runs that end by themselves. */
interface PauseOptions {
  sleep: Sleep;
  /** From 0 to 1. */
  random: () => number;
  /** All pauses together may hold requests up for so many milliseconds. */
  patienceMs: number;
}

/**
 * The pause after the API turned somebody away. Its limits count the requests of an account, so one pause holds for
 * every request of the process.
 */
export class Pause {
  readonly #sleep: Sleep;
  readonly #random: () => number;
  #patienceMs: number;
  /** When it began and ends, in milliseconds since the epoch. */
  #begun = 0;
  #until = 0;
  /** Pauses in a row that no success has ended. */
  #turns = 0;

  constructor({ sleep, random, patienceMs }: PauseOptions) {
    this.#sleep = sleep;
    this.#random = random;
    this.#patienceMs = patienceMs;
  }

  /** Milliseconds until requests may go out again; 0 where they may. A clock that was set back prolongs nothing. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#until - Date.now(), this.#until - this.#begun));
  }

  /** Whether it is longer than anybody waits for: then requests fail at once instead. */
  get isTooLong(): boolean {
    return this.leftMs > longestAskedMs || this.#patienceMs < 0;
  }

  /** Requests are answered again. */
  end(): void {
    this.#turns = 0;
  }

  /**
   * Begins, or goes on for longer.
   * @param sentAt when the request that was turned away was sent, in milliseconds since the epoch
   * @param askedMs what the API asks for; without it each pause in a row is twice as long, with half of it left to chance
   */
  begin(sentAt: number, askedMs = 0): void {
    const now = Date.now();
    const left = this.leftMs;
    // Requests that were under way together are turned away together, which makes one pause.
    if (sentAt < this.#begun && askedMs < left + grainMs) return;
    if (sentAt >= this.#begun) this.#turns++;
    const growing = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#turns) * (0.5 + this.#random() / 2);
    const ms = Math.max(left, askedMs || growing);
    this.#patienceMs -= ms - left;
    this.#begun = now;
    this.#until = now + ms;
  }

  /** Waits until it is over, and a little more, so that not all requests go out together. Rejects where it is too long. */
  async over(subject: Subject, signal: AbortSignal): Promise<void> {
    for (let left = this.leftMs; left > 0; left = this.leftMs) {
      if (this.isTooLong) throw pausedError(subject, left);
      const until = this.#until;
      await this.#sleep(left + this.#random() * firstWaitMs, signal);
      if (this.#until === until) this.#until = 0;
    }
  }

  /** Why a request that waited for a connection meanwhile is not to be sent now. */
  refusal(subject: Subject): ApiError | undefined {
    const left = this.leftMs;
    return left > 0 ? pausedError(subject, left) : undefined;
  }
}
