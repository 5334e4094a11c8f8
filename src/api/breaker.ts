import { ApiError } from './error.ts';

/** Repetitions at first and at most; each success brings a part of one back. */
const mostRepeats = 10;
const earned = 0.5;

/** So many failures in a row make the API away, when looking for it failed as well. */
const enough = 3;

/**
 * Judges the API as a whole by what became of every attempt. It bounds the repetitions of all requests together, and
 * while the API is away it lets only those through that look for it, so that an outage meets no storm.
 */
export class Breaker {
  #repeats = mostRepeats;
  #failures = 0;
  #away: ApiError | undefined;

  /** Why nothing but probes is to be sent now: what became of the latest one; undefined when all is well enough. */
  get away(): ApiError | undefined {
    return this.#failures >= enough ? this.#away : undefined;
  }

  /**
   * Takes note of an attempt that has ended.
   * @param isProbe it was made to find out whether the API is there
   */
  note(outcome: unknown, isProbe: boolean): void {
    if (outcome instanceof ApiError && outcome.kind === 'aborted') return;
    if (outcome instanceof ApiError && isTrouble(outcome)) {
      this.#failures++;
      if (isProbe) this.#away = outcome;
      return;
    }
    this.#failures = 0;
    this.#away = undefined;
    this.#repeats = Math.min(mostRepeats, this.#repeats + earned);
  }

  /** Whether one more repetition is allowed, which is counted then. */
  mayRepeat(): boolean {
    if (this.#repeats < 1) return false;
    this.#repeats--;
    return true;
  }
}

/** Whether a failure may be that of the whole API: it is not there, does not work, or turns everybody away. */
function isTrouble({ kind, status = 0 }: ApiError): boolean {
  if (kind !== 'answer') return true;
  return status >= 500 || status === 429 || status === 401 || (status >= 300 && status < 400);
}
