import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import {
  type ApiError,
  abortedError,
  malformedError,
  readOnlyError,
  type Subject,
  timeoutError,
  unreachableError,
} from './error.ts';

/** A page of a hundred of the largest rows has some 7 MB; what is beyond this is no answer of the API. */
const bodyCap = 64 * 1024 * 1024;

/** How many requests are under way at once: changes and probes never wait behind reads that hang. */
const connections = { reads: 6, others: 2 };

/** Bytes a millisecond: what even a slow line carries, which large bodies get more time for. */
const slowLine = 50;

/** Longer than the pause between two looks at the events, so that an idle session keeps its connection. */
const keepAliveMs = 30_000;

/** One request as it goes over the wire. */
export interface Message {
  method: string;
  /** Prefix, path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Told how many bytes of the body have gone out, of how many. */
  onProgress?: (bytes: number, total: number) => void;
  signal: AbortSignal;
  /** What errors call it. */
  subject: Subject;
  /** A read that finds out whether the API is there. */
  isProbe?: boolean;
  /** Why it is not to be sent after all, asked at the last moment; undefined when it is. */
  refusal?: () => ApiError | undefined;
}

/** What the gate looks at. */
type Gated = Pick<Message, 'method' | 'signal' | 'subject' | 'refusal'>;
type Agents = Record<keyof typeof connections, Agent>;

type PassRequest = Omit<Dispatcher.DispatchOptions, 'method'>;

/** An answer as it came, whatever its status. */
export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when the answer of a failed request broke off or was too large. */
  text: string | undefined;
}

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

interface Settle {
  resolve: (received: Received) => void;
  reject: (error: ApiError) => void;
}

/** One request and its answer, from the queue to the last byte. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #message: Message;
  readonly #origin: string;
  readonly #timeoutMs: number;
  readonly #settle: Settle;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over: ApiError | true | undefined;
  #status: number | undefined;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(message: Message, origin: string, timeoutMs: number, settle: Settle) {
    this.#message = message;
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    this.#settle = settle;
    message.signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It may have waited long for a free connection.
    const over = this.#over instanceof Error ? this.#over : this.#message.refusal?.();
    if (over) {
      this.#fail(over);
      controller.abort(over);
      return;
    }
    this.#controller = controller;
    // Waiting for a free connection does not count: others may be slow, which this one is not to blame for.
    const ms = this.#timeoutMs + Math.ceil((this.#message.body?.length ?? 0) / slowLine);
    const late = () => this.#fail(timeoutError(this.#message.subject, this.#origin, ms, this.#maybeSent));
    this.#timer = setTimeout(late, ms);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > bodyCap) this.#tooLarge(status);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.#size += chunk.length;
    if (this.#size > bodyCap) this.#tooLarge(this.#status ?? 0);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#succeed(Buffer.concat(this.#chunks).toString('utf8'));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    const { subject } = this.#message;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (this.#status !== undefined && !isSuccess(this.#status)) this.#succeed(undefined);
    else if (code === 'UND_ERR_CONNECT_TIMEOUT')
      this.#fail(timeoutError(subject, this.#origin, this.#timeoutMs, false));
    else if (this.#status !== undefined) {
      const why = 'the connection broke in the middle of the answer';
      this.#fail(unreachableError(subject, this.#origin, why, this.#maybeSent, this.#status));
    } else this.#fail(unreachableError(subject, this.#origin, whyOf(error), this.#maybeSent));
  }

  /** A change that has gone out may have been done, whatever becomes of its answer. */
  get #maybeSent(): boolean {
    return this.#controller !== undefined && this.#message.method !== 'GET';
  }

  #abort = (): void => this.#fail(abortedError(this.#message.subject, this.#maybeSent));

  #tooLarge(status: number): void {
    if (!isSuccess(status)) {
      this.#succeed(undefined);
      this.#controller?.abort(new Error('too large'));
      return;
    }
    const size = `more than ${bodyCap / 1024 / 1024} MiB`;
    this.#fail(malformedError(this.#message.subject, size, status));
  }

  #succeed(text: string | undefined): void {
    if (!this.#finish(true)) return;
    this.#settle.resolve({ status: this.#status ?? 0, headers: this.#headers, text });
  }

  #fail(error: ApiError): void {
    if (!this.#finish(error)) return;
    this.#settle.reject(error);
    this.#controller?.abort(error);
  }

  /** False when it was over already. */
  #finish(over: ApiError | true): boolean {
    if (this.#over) return false;
    this.#over = over;
    this.#chunks = [];
    clearTimeout(this.#timer);
    this.#message.signal.removeEventListener('abort', this.#abort);
    return true;
  }
}

/** Success is decided by the status alone. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority that is not trusted here',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'the file changed while it was sent',
  EPROTO: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
};

/** Why a request failed on the way, as a clause. */
export function whyOf({ name, code = '' }: NodeJS.ErrnoException): string {
  if (name === 'HTTPParserError') return 'what answers there does not speak HTTP';
  return reasons[code] ?? `the network failed${code ? ` (${code})` : ''}`;
}
