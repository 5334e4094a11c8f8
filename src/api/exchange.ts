import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import { type ApiError, abortedError, malformedError, type Subject, timeoutError, unreachableError } from './error.ts';

/** A page of a hundred of the largest rows has some 7 MB; what is beyond this is no answer of the API. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Bytes a millisecond: what even a slow line carries, which large bodies get more time for. */
const slowBytesPerMs = 50;

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
  /** Errors name it so. */
  subject: Subject;
  /** A read that finds out whether the API is there. */
  isProbe?: boolean;
  /** Why it is not to be sent after all, asked at the last moment; undefined when it is. */
  refusal?: () => ApiError | undefined;
}

/** An answer as it came, whatever its status. */
export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when the answer of a failed request broke off or was too large. */
  text: string | undefined;
}

interface Settle {
  resolve: (received: Received) => void;
  reject: (error: ApiError) => void;
}

/** One request and its answer, from the queue to the last byte. */
export class Exchange implements Dispatcher.DispatchHandler {
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
    const ms = this.#timeoutMs + Math.ceil((this.#message.body?.length ?? 0) / slowBytesPerMs);
    const late = () => this.#fail(timeoutError(this.#message.subject, this.#origin, ms, this.#maybeSent));
    this.#timer = setTimeout(late, timerDelay(ms));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > maxBodyBytes) this.#tooLarge(status);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.#size += chunk.length;
    if (this.#size > maxBodyBytes) this.#tooLarge(this.#status ?? 0);
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
    const size = `more than ${maxBodyBytes / 1024 / 1024} MiB`;
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

/** Why a request failed on the way, as a clause. Of a proxy that refuses, its message alone tells. */
export function whyOf(error: NodeJS.ErrnoException): string {
  const { name, message, code } = error;
  const [, refused] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (refused === '407') return 'the proxy does not accept the name and password (407)';
  if (refused) return `the proxy refused to connect (${refused})`;
  if (name === 'HTTPParserError') return 'what answers there does not speak HTTP';
  return reasonOf(error, `the network failed${code ? ` (${code})` : ''}`);
}
