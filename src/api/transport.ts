import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { abortedError, readOnlyError } from './error.ts';
import { Exchange, type Message, type Received } from './exchange.ts';

/** How many requests are under way at once: changes and probes never wait behind reads that hang. */
const connections = { reads: 6, others: 2 };

/** Longer than the pause between two looks at the events, so that an idle session keeps its connection. */
const keepAliveMs = 30_000;

/** What the gate looks at. */
type Gated = Pick<Message, 'method' | 'signal' | 'subject' | 'refusal'>;
type Agents = Record<keyof typeof connections, Agent>;

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
  #agents: Promise<Agents> | undefined;

  /** @param origin promised where the API is still starting: requests wait for it */
  constructor(origin: string | Promise<string>, timeoutMs: number, readOnly: boolean) {
    if (typeof origin === 'string') this.#origin = origin;
    this.#reached = Promise.resolve(origin);
    this.#timeoutMs = timeoutMs;
    this.#readOnly = readOnly;
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
    this.#agents ??= this.#open();
    await this.#agents;
  }

  /** Sends once and collects the answer. Rejects with an ApiError of any kind but `answer`. */
  async send(message: Message): Promise<Received> {
    this.#agents ??= this.#open();
    const { reads, others } = await this.#agents;
    const agent = message.method === 'GET' && !message.isProbe ? reads : others;
    return new Promise((resolve, reject) => {
      // Here and nowhere earlier, for this is the last point before the socket.
      this.#guard(message);
      const { method, target: path } = message;
      agent.dispatch(
        { origin: this.#origin, method, path, ...contentOf(message) },
        new Exchange(message, this.#origin, this.#timeoutMs, { resolve, reject }),
      );
    });
  }

  /** Sends once to any address, not only the API's, through the same gate; all that comes of it goes to the handler. */
  async pass(message: Gated, request: PassRequest, handler: Dispatcher.DispatchHandler): Promise<void> {
    this.#agents ??= this.#open();
    const { reads } = await this.#agents;
    this.#guard(message);
    reads.dispatch({ ...request, method: message.method }, handler);
  }

  #guard({ method, signal, subject, refusal }: Gated): void {
    if (this.#readOnly && method !== 'GET') throw readOnlyError(subject);
    if (this.#closed || signal.aborted) throw abortedError(subject, false);
    const refused = refusal?.();
    if (refused) throw refused;
  }

  async #open(): Promise<Agents> {
    // Loaded with the first request, so that the first frame need not wait for it.
    const loading = import('undici/lib/dispatcher/agent.js');
    this.#origin = await this.#reached;
    const { default: Agent } = await loading;
    const options = {
      keepAliveTimeout: keepAliveMs,
      connectTimeout: this.#timeoutMs,
      // The exchange watches the whole answer by its own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    };
    return {
      reads: new Agent({ ...options, connections: connections.reads }),
      others: new Agent({ ...options, connections: connections.others }),
    };
  }

  /** Drops every connection at once; whatever is under way fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const { reads, others } = (await this.#agents) ?? {};
    await Promise.all([reads?.destroy(), others?.destroy()]);
  }
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
