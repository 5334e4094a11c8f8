interface Due {
  at: number;
  run: () => void;
}

/**
 * A queue of calls that are due at a time. Nothing runs by itself: every request advances the clock, and everything
 * due by then runs in order, each at its own time. An idle cloud therefore costs nothing.
 */
export class Timeline {
  #due: Due[] = [];
  /** The time of what is happening now, in milliseconds since the epoch. */
  time: number;
  /** The time up to which everything is happening, in the same unit; later than `time` after a pause. */
  until: number;

  constructor(time: number) {
    this.time = this.until = time;
  }

  /** Calls `run` at `at`, in milliseconds since the epoch; after everything else that is due then. */
  at(at: number, run: () => void): void {
    const later = this.#due.findIndex((due) => due.at > at);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { at, run });
  }

  /** Runs everything that is due by `now`. A clock that goes back changes nothing. */
  advance(now: number): void {
    this.until = Math.max(this.until, now);
    for (let next = this.#due[0]; next && next.at <= now; next = this.#due[0]) {
      this.#due.shift();
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = this.until;
  }
}
