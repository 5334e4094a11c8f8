import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { foundOrMade } from '../resources/memoize.ts';
import { ApiError, abortedError, asApiError, readOnlyError, unreachableError } from './error.ts';
import { type Proxies, type ProxyServer, proxyFor } from './proxies.ts';
import type { Exchanges } from './request.ts';
import { type HttpRequest, type HttpResponse, RequestHandler } from './requestHandler.ts';

/** Concurrent connections. Changes and probes have their own, so that they never wait behind reads that hang. */
const connections = { reads: 6, others: 2 };

/** Longer than the interval at which events are polled, so that an idle session keeps its connection. */
const keepAliveMs = 30_000;

/** The parts of a request that decide whether it may be sent. */
type GuardedRequest = Pick<HttpRequest, 'method' | 'signal' | 'line' | 'blockedBy'>;
type Agents = Record<keyof typeof connections, Dispatcher>;

type StreamRequest = Omit<Dispatcher.DispatchOptions, 'method'>;

/**
 * The only way from the process to the network: keep-alive connections, a time limit for each request, and the check
 * that a read-only process sends nothing but GET.
 */
export class Transport {
  readonly #originReady: Promise<string>;
  readonly #timeoutMs: number;
  #origin = '';
  readonly readOnly: boolean;
  #closed = false;
  readonly #proxies: Proxies | undefined;
  readonly #exchanges: Exchanges;
  /** By the address of the proxy; undefined for direct connections. */
  readonly #agents = new Map<string | undefined, Promise<Agents>>();

  /** @param origin a promise while the API is still starting; requests wait for it */
  constructor(
    origin: string | Promise<string>,
    timeoutMs: number,
    readOnly: boolean,
    proxies?: Proxies,
    exchanges: Exchanges = {},
  ) {
    if (typeof origin === 'string') this.#origin = origin;
    this.#originReady = Promise.resolve(origin);
    this.#timeoutMs = timeoutMs;
    this.readOnly = readOnly;
    this.#proxies = proxies;
    this.#exchanges = exchanges;
  }

  /** Empty until a promised origin is known. */
  get origin(): string {
    return this.#origin;
  }

  /** Loads undici and opens the agents, so that this does not count as time of the first request. */
  async ready(): Promise<void> {
    if (this.#exchanges.answer) return;
    // In parallel with the start of the API.
    if (this.#agents.size === 0) void import('undici/lib/dispatcher/agent.js');
    this.#origin = await this.#originReady;
    await this.#agentsFor(proxyFor(this.#origin, this.#proxies));
  }

  /** Sends once and collects the response. Rejects with an ApiError of any kind but `answer`. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { answer, record } = this.#exchanges;
    if (answer) {
      this.#guard(request);
      return answer(request);
    }
    if (!record) return this.#sendOver(request);
    const [at, startedAt] = [Date.now(), performance.now()];
    const response = await this.#sendOver(request).catch(asApiError);
    record({ request, origin: this.#origin, at, ms: performance.now() - startedAt, response });
    if (response instanceof ApiError) throw response;
    return response;
  }

  async #sendOver(request: HttpRequest): Promise<HttpResponse> {
    this.#origin = await this.#originReady;
    const proxy = proxyFor(this.#origin, this.#proxies);
    const { reads, others } = await this.#agentsFor(proxy);
    const route = proxy ? `${this.#origin} through the proxy ${proxy.label}` : this.#origin;
    const agent = request.method === 'GET' && !request.isProbe ? reads : others;
    return new Promise((resolve, reject) => {
      // The last point before the socket.
      this.#guard(request);
      const { method, target: path } = request;
      agent.dispatch(
        { origin: this.#origin, method, path, ...contentOf(request) },
        new RequestHandler(request, route, this.#timeoutMs, { resolve, reject }),
      );
    });
  }

  /** Sends once to any origin; the handler gets the response. Throws an ApiError when the request may not be sent. */
  async stream(guarded: GuardedRequest, request: StreamRequest, handler: Dispatcher.DispatchHandler): Promise<void> {
    if (this.#exchanges.answer)
      throw unreachableError(guarded.line, String(request.origin), 'a replay has no network', false);
    const { reads } = await this.#agentsFor(proxyFor(String(request.origin), this.#proxies));
    this.#guard(guarded);
    reads.dispatch({ ...request, method: guarded.method }, handler);
  }

  #guard({ method, signal, line, blockedBy }: GuardedRequest): void {
    if (this.readOnly && method !== 'GET') throw readOnlyError(line);
    if (this.#closed || signal.aborted) throw abortedError(line, false);
    const error = blockedBy?.();
    if (error) throw error;
  }

  #agentsFor(proxy: ProxyServer | undefined): Promise<Agents> {
    return foundOrMade(this.#agents, proxy?.address, () => this.#open(proxy));
  }

  async #open(proxy: ProxyServer | undefined): Promise<Agents> {
    const options = {
      keepAliveTimeout: keepAliveMs,
      connectTimeout: this.#timeoutMs,
      // The handlers of requests have timers of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    };
    const make = proxy ? await throughProxy(proxy, options) : await direct(options);
    return { reads: make(connections.reads), others: make(connections.others) };
  }

  /** Drops every connection at once; pending requests fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = await Promise.all(this.#agents.values());
    await Promise.all(opened.flatMap(({ reads, others }) => [reads.destroy(), others.destroy()]));
  }
}

/** Returns a factory of dispatchers. Loads undici with the first request, so that the first frame does not wait for it. */
async function direct(options: Agent.Options): Promise<(connections: number) => Dispatcher> {
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
  return (connections) => new Agent({ ...options, connections });
}

/** The same through a proxy. */
async function throughProxy(
  { address }: ProxyServer,
  options: Agent.Options,
): Promise<(connections: number) => Dispatcher> {
  const { default: ProxyAgent } = await import('undici/lib/dispatcher/proxy-agent.js');
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
  const { default: connect } = await import('undici/lib/api/api-connect.js');
  // Undici's entry point, which is not loaded, would add this method to every dispatcher.
  const clientFactory = (origin: URL, own: object) => Object.assign(new Pool(origin, own), { connect });
  return (connections) => {
    // Without it, a proxy that forwards requests instead of opening a tunnel would have unlimited connections.
    const factory = (origin: string | URL, own: object) => new Pool(origin, { ...options, ...own, connections });
    return new ProxyAgent({ ...options, uri: address, connections, factory, clientFactory });
  };
}

/** Headers and body; a body whose progress is reported is sent in slices. */
function contentOf({ headers, body, onProgress }: HttpRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (!onProgress || !(body instanceof Uint8Array)) return { headers, body: body ?? null };
  const sized = { ...headers, 'content-length': String(body.length) };
  return { headers: sized, body: Readable.from(slices(body, onProgress)) };
}

const sliceBytes = 65_536;

function* slices(body: Uint8Array, onProgress: (bytes: number, total: number) => void): Generator<Uint8Array> {
  for (let sent = 0; sent < body.length; sent += sliceBytes) {
    yield body.subarray(sent, sent + sliceBytes);
    onProgress(Math.min(sent + sliceBytes, body.length), body.length);
  }
}
