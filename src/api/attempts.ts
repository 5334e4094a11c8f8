import { setTimeout as delay } from 'node:timers/promises';
import { numberIn } from './answerText.ts';
import { Breaker } from './breaker.ts';
import { ApiError, abortedError, awayError } from './error.ts';
import type { Message, Received } from './exchange.ts';
import { Pause } from './pause.ts';
import type { Answer, ApiOptions } from './request.ts';
import { asksToPause, isTransient, maxAttempts, type Sleep, waitBefore } from './retry.ts';
import type { Transport } from './transport.ts';

/** Makes of an answer as it came what it says. */
type Read = (received: Received) => Answer | ApiError;

/** Sends requests: reads again and again while that may help and the API as a whole is there, changes once. */
export class Attempts {
  readonly #transport: Transport;
  readonly #breaker = new Breaker();
  readonly #pause: Pause;
  readonly #onCall: NonNullable<ApiOptions['onCall']>;
  readonly #sleep: Sleep;
  readonly #random: () => number;

  constructor(
    transport: Transport,
    {
      onCall = () => {},
      sleep = (ms, signal) => delay(ms, undefined, { signal }),
      random = Math.random,
      patienceMs = Number.POSITIVE_INFINITY,
    }: Pick<ApiOptions, 'onCall' | 'sleep' | 'random' | 'patienceMs'>,
  ) {
    this.#transport = transport;
    this.#onCall = onCall;
    this.#sleep = sleep;
    this.#random = random;
    this.#pause = new Pause({ sleep, random, patienceMs });
  }

  /** Attempts until one succeeds or another one is of no use. Rejects with an ApiError. */
  async sendWithRetry(message: Message, read: Read): Promise<Answer> {
    const held = { ...message, refusal: () => this.#refusal(message) };
    for (let attempt = 1; ; ) {
      await this.#wait(message, (signal) => this.#pause.over(message.subject, signal));
      try {
        return await this.#attempt(held, read, attempt);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The pause began while it waited for a connection; it has not been sent.
        if (error.kind === 'away' && error.retryAfterMs !== undefined) continue;
        if (message.method !== 'GET' || attempt >= maxAttempts || !this.#mayHelp(error)) throw error;
        const ms = waitBefore(attempt, this.#random);
        // A request that waits for the pause to end adds to no storm, and has waited then.
        if (this.#pause.leftMs === 0) await this.#wait(message, (signal) => this.#sleep(ms, signal));
        attempt++;
      }
    }
  }

  #mayHelp(error: ApiError): boolean {
    // While the API is away, whoever looks for it has a pace of its own.
    if (!isTransient(error) || this.#breaker.away) return false;
    return this.#pause.leftMs > 0 ? !this.#pause.isTooLong : this.#breaker.mayRepeat();
  }

  /** While the API is away, a read is not sent; a change is, for somebody wants it now. In a pause nothing is sent. */
  #refusal({ method, isProbe, subject }: Message): ApiError | undefined {
    const { away } = this.#breaker;
    return away && method === 'GET' && !isProbe ? awayError(subject, away) : this.#pause.refusal(subject);
  }

  async #wait({ signal, subject }: Message, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await wait(signal);
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
    // A request that was held back was no call: nothing went out.
    if (outcome instanceof ApiError && (outcome.kind === 'read-only' || outcome.kind === 'away')) throw outcome;
    this.#breaker.note(outcome, isProbe);
    const ms = performance.now() - begun;
    const rateLimit = received instanceof ApiError ? undefined : numberIn(received.headers['x-ratelimit-limit']);
    const { method, wirePath: path = subject.path } = subject;
    const call = { method, path, status: outcome.status, ms, at, attempt, rateLimit };
    if (outcome instanceof ApiError) {
      const { kind, message: error, retryAfterMs } = outcome;
      if (asksToPause(outcome)) this.#pause.begin(at, retryAfterMs);
      this.#onCall({ ...call, kind, error, retryAfterMs });
      throw outcome;
    }
    this.#pause.end();
    this.#onCall(call);
    return outcome;
  }
}
