import { setTimeout as delay } from 'node:timers/promises';
import { numberIn } from './answerText.ts';
import { Breaker } from './breaker.ts';
import type { Answer, ApiOptions } from './client.ts';
import { ApiError, abortedError, awayError } from './error.ts';
import type { Message, Received } from './exchange.ts';
import { isTransient, maxAttempts, waitBefore } from './retry.ts';
import type { Transport } from './transport.ts';

/** Makes of an answer as it came what it says. */
type Read = (received: Received) => Answer | ApiError;

/** Sends requests: reads again and again while that may help and the API as a whole is there, changes once. */
export class Attempts {
  readonly #transport: Transport;
  readonly #breaker = new Breaker();
  readonly #onCall: NonNullable<ApiOptions['onCall']>;
  readonly #sleep: NonNullable<ApiOptions['sleep']>;
  readonly #random: () => number;

  constructor(transport: Transport, { onCall, sleep, random }: Pick<ApiOptions, 'onCall' | 'sleep' | 'random'>) {
    this.#transport = transport;
    this.#onCall = onCall ?? (() => {});
    this.#sleep = sleep ?? ((ms, signal) => delay(ms, undefined, { signal }));
    this.#random = random ?? Math.random;
  }

  /** Attempts until one succeeds or another one is of no use. Rejects with an ApiError. */
  async insist(message: Message, read: Read): Promise<Answer> {
    const held = { ...message, refusal: () => this.#refusal(message) };
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(held, read, attempt);
      } catch (error) {
        const mayHelp = error instanceof ApiError && isTransient(error) && message.method === 'GET';
        // While the API is away, whoever looks for it has a pace of its own.
        const again = mayHelp && attempt < maxAttempts && !this.#breaker.away && this.#breaker.mayRepeat();
        if (!again) throw error;
        await this.#wait(waitBefore(attempt, error.retryAfterMs, this.#random), message);
      }
    }
  }

  /** While the API is away, a read is not sent; a change is, for somebody wants it now. */
  #refusal({ method, isProbe, subject }: Message): ApiError | undefined {
    const { away } = this.#breaker;
    return away && method === 'GET' && !isProbe ? awayError(subject, away) : undefined;
  }

  async #wait(ms: number, { signal, subject }: Message): Promise<void> {
    try {
      await this.#sleep(ms, signal);
    } catch (error) {
      throw signal.aborted ? abortedError(subject, false) : error;
    }
  }

  async #attempt(message: Message, read: Read, attempt: number): Promise<Answer> {
    const { subject, signal, isProbe = false } = message;
    if (signal.aborted) throw abortedError(subject, false);
    await this.#transport.ready();
    const at = Date.now();
    const begun = performance.now();
    const received = await this.#transport.send(message).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    const outcome = received instanceof ApiError ? received : read(received);
    // What was held back was no call: nothing went out.
    if (outcome instanceof ApiError && (outcome.kind === 'read-only' || outcome.kind === 'away')) throw outcome;
    this.#breaker.note(outcome, isProbe);
    const ms = performance.now() - begun;
    const rateLimit = received instanceof ApiError ? undefined : numberIn(received.headers['x-ratelimit-limit']);
    const call = { ...subject, status: outcome.status, ms, at, attempt, rateLimit };
    if (outcome instanceof ApiError) {
      const { kind, message: error, retryAfterMs } = outcome;
      this.#onCall({ ...call, kind, error, retryAfterMs });
      throw outcome;
    }
    this.#onCall(call);
    return outcome;
  }
}
