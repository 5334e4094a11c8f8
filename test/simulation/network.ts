import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import { type Clock, type Frame, frameNow, type Process } from './clock.ts';
import type { Answered, Cloud } from './cloud/cloud.ts';
import type { Write } from './cloud/items.ts';
import type { Fault, Planned } from './deeds/faults.ts';

/** A request with all that became of it. */
export interface Exchange {
  readonly number: number;
  readonly at: number;
  readonly process: Process;
  readonly deed: number;
  readonly host: string;
  readonly token: string;
  readonly method: string;
  /** After the version, without the query. */
  readonly path: string;
  readonly body: unknown;
  readonly fault: Fault | undefined;
  /** When the cloud had it, and what it did; of an answer from a store, when that had it from the cloud. */
  arrivedAt?: number;
  /** A store on the way has answered it. */
  isStored?: true;
  write?: Write;
  /** The answer that the process had, and its time. */
  answeredAt?: number;
  status?: number;
}

interface NetworkParts {
  clock: Clock;
  clouds: readonly Cloud[];
  /** The faults of a deed. */
  faultsOf: (deed: number) => readonly Planned[];
  /** From 0 to 1, the same for the same request in each run of a story. */
  luck: (...of: readonly (string | number)[]) => number;
  kill: (process: Process) => void;
}

type Handler = Dispatcher.DispatchHandler;

/** All that lies between the processes and the clouds. The real client sends through it without knowing. */
export class Network {
  readonly exchanges: Exchange[] = [];
  readonly #parts: NetworkParts;
  /** Until then a store on the way answers reads, each with what it has had for so long at most, in milliseconds. */
  store: { until: number; freshMs: number } | undefined;
  readonly #stored = new Map<string, { at: number; answered: Answered }>();
  /** The requests of a process for a deed so far. */
  readonly #counts = new Map<string, number>();

  constructor(parts: NetworkParts) {
    this.#parts = parts;
    network = this;
  }

  stop(): void {
    if (network === this) network = undefined;
  }

  send(frame: Frame, options: Dispatcher.DispatchOptions, handler: Handler): void {
    let isAborted = false;
    const controller = {
      abort: () => {
        isAborted = true;
      },
    };
    const { clock, luck, kill } = this.#parts;
    const { process, deed } = frame;
    const exchange = this.#begin(frame, options);
    const { fault, number, method } = exchange;
    // Without a connection no request begins.
    if (fault !== 'refused') handler.onRequestStart?.(controller as never, {});
    if (isAborted) return;
    const [there, back] = [20 + 130 * luck('there', deed, number), 20 + 180 * luck('back', deed, number)];
    const ifWanted = (run: () => void) => () => void (isAborted || run());
    const breaks = (ms: number, code = 'ECONNRESET') =>
      clock.after(
        ms,
        ifWanted(() => handler.onResponseError?.(controller as never, systemError(code))),
        frame,
      );
    if (fault === 'refused') return void breaks(5, 'ECONNREFUSED');
    if (fault === 'dropped') return void breaks(there);
    if (fault === 'silent') return;
    if (fault === 'killed before') return void clock.after(0, () => kill(process));
    clock.after(there, () => {
      const refusal = statusOf(fault);
      const answered: Answered = refusal
        ? { status: refusal, body: { errors: [{ reason: `Refused with ${refusal}` }] } }
        : this.#answerOrStored(exchange, options);
      exchange.arrivedAt ??= clock.now;
      exchange.write = answered.write;
      if (fault === 'killed after') return kill(process);
      if (fault === 'mute') return;
      if (fault === 'lost') return void breaks(back);
      const wait = fault === 'slow' ? 1000 + 14_000 * luck('slow', deed, number) ** 2 : back;
      clock.after(
        wait,
        ifWanted(() => {
          if (fault === 'killed answered') return kill(process);
          const status = fault === 'done, 500' ? 500 : fault === 'done, 502' ? 502 : answered.status;
          exchange.answeredAt = clock.now;
          exchange.status = status;
          const body = fault?.startsWith('done') ? { errors: [{ reason: 'The gateway lost it' }] } : answered.body;
          const writtenAt = exchange.isStored && exchange.arrivedAt;
          tell(handler, controller as never, { status, text: textOf(body), now: clock.now, fault, method, writtenAt });
        }),
        frame,
      );
    });
  }

  #begin(frame: Frame, { origin, method, path, body, headers }: Dispatcher.DispatchOptions): Exchange {
    const { process, deed } = frame;
    const of = method === 'GET' ? 'read' : 'write';
    const key = `${process.name} ${deed} ${of}`;
    const nth = this.#counts.get(key) ?? 0;
    this.#counts.set(key, nth + 1);
    const fault = this.#parts.faultsOf(deed).find((one) => one.of === of && one.nth === nth)?.how;
    const exchange: Exchange = {
      number: this.exchanges.length,
      at: this.#parts.clock.now,
      process,
      deed,
      host: hostIn(String(origin)),
      token: (headers as Record<string, string>).authorization?.replace('Bearer ', '') ?? '',
      method,
      path: pathIn(path),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      fault,
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  /** An answer of the cloud, or one that a store has kept although none may answer. */
  #answerOrStored(exchange: Exchange, options: Dispatcher.DispatchOptions): Answered {
    const { clock } = this.#parts;
    const { store } = this;
    if (!store || exchange.method !== 'GET' || clock.now > store.until) return this.#answer(exchange, options);
    const { host, token } = exchange;
    const key = JSON.stringify([host, token, options.path, (options.headers as Record<string, string>)['x-filter']]);
    const kept = this.#stored.get(key);
    const age = clock.now - (kept?.at ?? 0);
    // Proxies that keep nothing tell an age of 0 as well, so a younger one cannot be told from a fresh answer.
    if (kept && age >= 1000 && age < store.freshMs) {
      exchange.isStored = true;
      exchange.arrivedAt = kept.at;
      return kept.answered;
    }
    const answered = this.#answer(exchange, options);
    if (answered.status < 300) this.#stored.set(key, { at: clock.now, answered });
    return answered;
  }

  #answer({ host, token, method, path, body, process, deed }: Exchange, options: Dispatcher.DispatchOptions): Answered {
    const cloud = this.#parts.clouds.find((one) => one.host === host);
    if (!cloud) throw new Error(`there is no cloud at ${host}`);
    const headers = options.headers as Record<string, string>;
    return cloud.answer({
      method,
      path,
      query: new URLSearchParams(options.path.split('?')[1]),
      token,
      filter: JSON.parse(headers['x-filter'] ?? '{}'),
      body: (body ?? {}) as Record<string, unknown>,
      by: process.name,
      deed,
    });
  }
}

/** The host of an origin, which has neither a path nor a user. */
const hostIn = (origin: string): string => origin.slice(origin.indexOf('//') + 2);

/** A path behind its version; the same ones are asked for again and again. */
function pathIn(path: string): string {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const short = path.replace(/\?.*$/, '').split('/').slice(2).join('/');
  paths.set(path, short);
  return short;
}
const paths = new Map<string, string>();

const statusOf = (fault: Fault | undefined): number | undefined =>
  fault && /^\d+$/.test(fault) ? Number(fault) : undefined;

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** The rows that were sent, as JSON: a row is never changed, and the same ones are asked for again and again. */
const texts = new WeakMap<object, string>();

function textOf(body: unknown): string {
  const { data, ...rest } = body as { data?: readonly object[] };
  if (!Array.isArray(data)) return JSON.stringify(body);
  return `{"data":[${data.map(rowText).join()}],${JSON.stringify(rest).slice(1)}`;
}

function rowText(row: object): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(row);
  texts.set(row, text);
  return text;
}

interface Told {
  status: number;
  text: string;
  now: number;
  fault: Fault | undefined;
  method: string;
  /** When the cloud wrote it, where a store answers. */
  writtenAt: number | undefined;
}

function tell(handler: Handler, controller: Dispatcher.DispatchController, told: Told): void {
  const { status, text, now, fault, writtenAt } = told;
  const age = writtenAt === undefined ? {} : { age: String(Math.floor((now - writtenAt) / 1000)) };
  const pause = status === 429 ? { 'retry-after': String(1 + (now % 7)) } : {};
  const headers = {
    'content-type': 'application/json',
    date: new Date(writtenAt ?? now).toUTCString(),
    ...pause,
    ...age,
  };
  handler.onResponseStart?.(controller, status, headers, '');
  const bytes = Buffer.from(text);
  const isCut = fault === 'cut' || fault === 'short';
  handler.onResponseData?.(controller, isCut ? bytes.subarray(0, bytes.length / 2) : bytes);
  if (fault === 'cut') handler.onResponseError?.(controller, systemError('ECONNRESET'));
  else handler.onResponseEnd?.(controller, {});
}

let network: Network | undefined;
const { dispatch: realDispatch, destroy: realDestroy } = Agent.prototype;

/** The client's own connections, those of a simulation where one runs. */
Agent.prototype.dispatch = function (this: Agent, options, handler) {
  const frame = frameNow();
  if (!frame || !network) return realDispatch.call(this, options, handler);
  network.send(frame, options, handler);
  return true;
};
Agent.prototype.destroy = function (this: Agent, ...args: never[]) {
  return frameNow() ? Promise.resolve() : (realDestroy as (...args: never[]) => Promise<void>).apply(this, args);
} as typeof realDestroy;
