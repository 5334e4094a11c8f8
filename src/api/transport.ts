import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { abortedError, readOnlyError } from './error.ts';
import { Exchange, type Message, type Received } from './exchange.ts';
import { type Proxies, type ProxyServer, proxyFor } from './proxies.ts';

/** So many requests are under way at once: changes and probes never wait behind reads that hang. */
const connections = { reads: 6, others: 2 };

/** Longer than the pause between two looks at the events, so that an idle session keeps its connection. */
const keepAliveMs = 30_000;

/** The gate looks at these alone. */
type Gated = Pick<Message, 'method' | 'signal' | 'subject' | 'refusal'>;
type Agents = Record<keyof typeof connections, Dispatcher>;

type PassRequest = Omit<Dispatcher.DispatchOptions, 'method'>;

/**
 * The only way out of the process to the API: one origin, kept-alive connections, a time limit for each request, and
 * the gate that, once closed, lets nothing but GET through for the rest of the process.
 */
export class Transport {
  readonly #reached: Promise<string>;
  readonly #timeoutMs: number;
  #origin = '';
  #readOnly: boolean;
  #closed = false;
  readonly #proxies: Proxies | undefined;
  /** By the address of the proxy; without one for what is reached directly. */
  readonly #agents = new Map<string | undefined, Promise<Agents>>();

  /** @param origin promised where the API is still starting: requests wait for it */
  constructor(origin: string | Promise<string>, timeoutMs: number, readOnly: boolean, proxies?: Proxies) {
    if (typeof origin === 'string') this.#origin = origin;
    this.#reached = Promise.resolve(origin);
    this.#timeoutMs = timeoutMs;
    this.#readOnly = readOnly;
    this.#proxies = proxies;
  }

  /** Empty until it is known. */
  get origin(): string {
    return this.#origin;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  /** Read-only from now on; nothing opens it again. */
  closeGate(): void {
    this.#readOnly = true;
  }

  /** Loads what sending needs, once; so that the first request is not measured together with it. */
  async ready(): Promise<void> {
    // While the API is still starting.
    void import('undici/lib/dispatcher/agent.js');
    this.#origin = await this.#reached;
    await this.#agentsFor(proxyFor(this.#origin, this.#proxies));
  }

  /** Sends once and collects the answer. Rejects with an ApiError of any kind but `answer`. */
  async send(message: Message): Promise<Received> {
    this.#origin = await this.#reached;
    const proxy = proxyFor(this.#origin, this.#proxies);
    const { reads, others } = await this.#agentsFor(proxy);
    const way = proxy ? `${this.#origin} through the proxy ${proxy.shown}` : this.#origin;
    const agent = message.method === 'GET' && !message.isProbe ? reads : others;
    return new Promise((resolve, reject) => {
      // Here and nowhere earlier, for this is the last point before the socket.
      this.#guard(message);
      const { method, target: path } = message;
      agent.dispatch(
        { origin: this.#origin, method, path, ...contentOf(message) },
        new Exchange(message, way, this.#timeoutMs, { resolve, reject }),
      );
    });
  }

  /** Sends once to any address, not only the API's, through the same gate; all that comes of it goes to the handler. */
  async pass(message: Gated, request: PassRequest, handler: Dispatcher.DispatchHandler): Promise<void> {
    const { reads } = await this.#agentsFor(proxyFor(String(request.origin), this.#proxies));
    this.#guard(message);
    reads.dispatch({ ...request, method: message.method }, handler);
  }

  #guard({ method, signal, subject, refusal }: Gated): void {
    if (this.#readOnly && method !== 'GET') throw readOnlyError(subject);
    if (this.#closed || signal.aborted) throw abortedError(subject, false);
    const refused = refusal?.();
    if (refused) throw refused;
  }

  #agentsFor(proxy: ProxyServer | undefined): Promise<Agents> {
    const agents = this.#agents.get(proxy?.address) ?? this.#open(proxy);
    this.#agents.set(proxy?.address, agents);
    return agents;
  }

  async #open(proxy: ProxyServer | undefined): Promise<Agents> {
    const options = {
      keepAliveTimeout: keepAliveMs,
      connectTimeout: this.#timeoutMs,
      // The exchange watches the whole answer by its own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    };
    const make = proxy ? await proxied(proxy, options) : await direct(options);
    return { reads: make(connections.reads), others: make(connections.others) };
  }

  /** Drops every connection at once; whatever is under way fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = await Promise.all(this.#agents.values());
    await Promise.all(opened.flatMap(({ reads, others }) => [reads.destroy(), others.destroy()]));
  }
}

/** Makes dispatchers with so many connections each. Loaded with the first request, so that the first frame need not wait. */
async function direct(options: Agent.Options): Promise<(connections: number) => Dispatcher> {
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
  return (connections) => new Agent({ ...options, connections });
}

/** The same through a proxy. */
async function proxied({ address }: ProxyServer, options: Agent.Options): Promise<(connections: number) => Dispatcher> {
  const { default: ProxyAgent } = await import('undici/lib/dispatcher/proxy-agent.js');
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
  const { default: connect } = await import('undici/lib/api/api-connect.js');
  // Only the entry point of undici, which is not loaded, gives every dispatcher its methods.
  const clientFactory = (origin: URL, own: object) => Object.assign(new Pool(origin, own), { connect });
  return (connections) => {
    // Where it forwards requests instead of opening a tunnel, it would keep to no limit.
    const factory = (origin: string | URL, own: object) => new Pool(origin, { ...options, ...own, connections });
    return new ProxyAgent({ ...options, uri: address, connections, factory, clientFactory });
  };
}

/** A body goes out at once, or in slices where somebody wants to hear how far it is. */
function contentOf({ headers, body, onProgress }: Message): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
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
