import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import {
  type ApiError,
  abortedError,
  malformedError,
  type RequestLine,
  timeoutError,
  unreachableError,
} from './error.ts';

/** A page of a hundred of the largest rows has about 7 MB. */
const maxBodyBytes = 64 * 1024 * 1024;

/** The throughput of a slow line; large bodies get more time at this rate. */
const minBytesPerMs = 50;

/** One request as it is sent. */
export interface HttpRequest {
  method: string;
  /** Prefix, path and query. */
  target: string;
  /** The target without secrets. */
  told: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Called with the bytes of the body sent so far, and all of them. */
  onProgress?: (bytes: number, total: number) => void;
  signal: AbortSignal;
  /** Names the request in errors. */
  line: RequestLine;
  /** A read that finds out whether the API is available. */
  isProbe?: boolean;
  /** Called at the last moment; returns an error when the request must not be sent after all. */
  blockedBy?: () => ApiError | undefined;
}

/** A response of any status. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when the body of an error response broke off or was too large. */
  text: string | undefined;
}

interface Settle {
  resolve: (response: HttpResponse) => void;
  reject: (error: ApiError) => void;
}

/** Handles one request from the queue of its connection to the last byte of the response. */
export class RequestHandler implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #origin: string;
  readonly #timeoutMs: number;
  readonly #settle: Settle;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outcome: ApiError | true | undefined;
  #status: number | undefined;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(request: HttpRequest, origin: string, timeoutMs: number, settle: Settle) {
    this.#request = request;
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    this.#settle = settle;
    request.signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request may have waited long for a free connection.
    const refused = this.#outcome instanceof Error ? this.#outcome : this.#request.blockedBy?.();
    if (refused) {
      this.#fail(refused);
      controller.abort(refused);
      return;
    }
    this.#controller = controller;
    // The wait for a free connection does not count: other requests may be slow.
    const ms = this.#timeoutMs + Math.ceil((this.#request.body?.length ?? 0) / minBytesPerMs);
    const expire = () => this.#fail(timeoutError(this.#request.line, this.#origin, ms, this.#maybeSent));
    this.#timer = setTimeout(expire, timerDelay(ms));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > maxBodyBytes) this.#tooLarge(status);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#outcome) return;
    this.#size += chunk.length;
    if (this.#size > maxBodyBytes) this.#tooLarge(this.#status ?? 0);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#succeed(Buffer.concat(this.#chunks).toString('utf8'));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#outcome) return;
    const { line } = this.#request;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (this.#status !== undefined && !isSuccess(this.#status)) this.#succeed(undefined);
    else if (code === 'UND_ERR_CONNECT_TIMEOUT') this.#fail(timeoutError(line, this.#origin, this.#timeoutMs, false));
    else if (this.#status !== undefined) {
      const why = 'the connection broke in the middle of the response';
      this.#fail(unreachableError(line, this.#origin, why, this.#maybeSent, this.#status));
    } else this.#fail(unreachableError(line, this.#origin, networkReason(error), this.#maybeSent));
  }

  /** A change that was sent may have been done even if its response is lost. */
  get #maybeSent(): boolean {
    return this.#controller !== undefined && this.#request.method !== 'GET';
  }

  #abort = (): void => this.#fail(abortedError(this.#request.line, this.#maybeSent));

  #tooLarge(status: number): void {
    if (!isSuccess(status)) {
      this.#succeed(undefined);
      this.#controller?.abort(new Error('too large'));
      return;
    }
    const size = `more than ${maxBodyBytes / 1024 / 1024} MiB`;
    this.#fail(malformedError(this.#request.line, size, status));
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

  /** Returns false when it had finished before. */
  #finish(outcome: ApiError | true): boolean {
    if (this.#outcome) return false;
    this.#outcome = outcome;
    this.#chunks = [];
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#abort);
    return true;
  }
}

/** Only the status decides about success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Why a request failed on the network, as a clause. Only the message of the error tells of a proxy that refuses. */
export function networkReason(error: NodeJS.ErrnoException): string {
  const { name, message, code } = error;
  const [, refused] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (refused === '407') return 'the proxy does not accept the name and password (407)';
  if (refused) return `the proxy refused to connect (${refused})`;
  if (name === 'HTTPParserError') return 'the server there does not speak HTTP';
  return reasonOf(error, `the network failed${code ? ` (${code})` : ''}`);
}
