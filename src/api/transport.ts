import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { foundOrMade } from '../resources/memoize.ts';
import { ApiError, abortedError, asApiError, readOnlyError, unreachableError } from './error.ts';
import { type Proxies, type ProxyServer, proxyFor } from './proxies.ts';
import type { Exchanges } from './request.ts';
import { type HttpRequest, type HttpResponse, requestHandler } from './requestHandler.ts';

/** Concurrent connections. Changes and probes have their own, so that they never wait behind reads that hang. */
const connections = { reads: 6, others: 2 };

/** Longer than the interval at which events are polled, so that an idle session keeps its connection. */
const keepAliveMs = 30_000;

/** The parts of a request that decide whether it may be sent. */
type GuardedRequest = Pick<HttpRequest, 'method' | 'signal' | 'line' | 'blockedBy'>;
type Agents = Record<keyof typeof connections, Dispatcher>;

/** The only way from the process to the network. */
export type Transport = ReturnType<typeof createTransport>;

/**
 * Opens keep-alive connections with a time limit for each request, and the check that a read-only process sends nothing but
 * GET.
 * @param given the origin; a promise while the API is still starting, for which requests wait
 */
export function createTransport(
  given: string | Promise<string>,
  timeoutMs: number,
  readOnly: boolean,
  proxies?: Proxies,
  { answer, record }: Exchanges = {},
) {
  let origin = typeof given === 'string' ? given : '';
  let isClosed = false;
  /** By the address of the proxy; undefined for direct connections. */
  const agents = new Map<string | undefined, Promise<Agents>>();

  function guard({ method, signal, line, blockedBy }: GuardedRequest): void {
    if (readOnly && method !== 'GET') throw readOnlyError(line);
    if (isClosed || signal.aborted) throw abortedError(line, false);
    const error = blockedBy?.();
    if (error) throw error;
  }

  async function open(proxy: ProxyServer | undefined): Promise<Agents> {
    const options = {
      keepAliveTimeout: keepAliveMs,
      connectTimeout: timeoutMs,
      // The handlers of requests have timers of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    };
    const make = proxy ? await throughProxy(proxy, options) : await direct(options);
    return { reads: make(connections.reads), others: make(connections.others) };
  }

  const agentsFor = (proxy: ProxyServer | undefined) => foundOrMade(agents, proxy?.address, () => open(proxy));

  async function sendOver(request: HttpRequest): Promise<HttpResponse> {
    origin = await given;
    const proxy = proxyFor(origin, proxies);
    const { reads, others } = await agentsFor(proxy);
    const route = proxy ? `${origin} through the proxy ${proxy.label}` : origin;
    const { method, target: path, isProbe } = request;
    const agent = method === 'GET' && !isProbe ? reads : others;
    return new Promise((resolve, reject) => {
      // The last point before the socket.
      guard(request);
      const handler = requestHandler(request, route, timeoutMs, { resolve, reject });
      agent.dispatch({ origin, method, path, ...contentOf(request) }, handler);
    });
  }

  return {
    readOnly,
    /** Empty until a promised origin is known. */
    origin: () => origin,
    /** Loads undici and opens the agents, so that this does not count as time of the first request. */
    async ready(): Promise<void> {
      if (answer) return;
      // In parallel with the start of the API.
      if (agents.size === 0) void import('undici/lib/dispatcher/agent.js');
      origin = await given;
      await agentsFor(proxyFor(origin, proxies));
    },
    /** Sends once and collects the response. Rejects with an ApiError of any kind but `answer`. */
    async send(request: HttpRequest): Promise<HttpResponse> {
      if (answer) {
        guard(request);
        return answer(request);
      }
      if (!record) return sendOver(request);
      const [at, startedAt] = [Date.now(), performance.now()];
      const response = await sendOver(request).catch(asApiError);
      record({ request, origin, at, ms: performance.now() - startedAt, response });
      if (response instanceof ApiError) throw response;
      return response;
    },
    /** Sends once to any origin; the handler gets the response. Throws an ApiError when the request may not be sent. */
    async stream(
      guarded: GuardedRequest,
      request: Omit<Dispatcher.DispatchOptions, 'method'>,
      handler: Dispatcher.DispatchHandler,
    ): Promise<void> {
      const to = String(request.origin);
      if (answer) throw unreachableError(guarded.line, to, 'a replay has no network', false);
      const { reads } = await agentsFor(proxyFor(to, proxies));
      guard(guarded);
      reads.dispatch({ ...request, method: guarded.method }, handler);
    },
    /** Drops every connection at once; pending requests fail. */
    async close(): Promise<void> {
      isClosed = true;
      const opened = await Promise.all(agents.values());
      await Promise.all(opened.flatMap(({ reads, others }) => [reads.destroy(), others.destroy()]));
    },
  };
}

/** Returns a factory of dispatchers. Loads undici with the first request, so that the first frame does not wait for it. */
async function direct(options: Agent.Options): Promise<(connections: number) => Dispatcher> {
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
  return (connections) => new Agent({ ...options, connections });
}

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
