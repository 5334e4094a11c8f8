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
  /** A read that finds out whether the API is available again; other reads are not sent while it is not. */
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

/** Handles one request from the queue of its connection to the last byte of the response; `resolve` or `reject` is called once. */
export function requestHandler(
  request: HttpRequest,
  origin: string,
  timeoutMs: number,
  { resolve, reject }: { resolve: (response: HttpResponse) => void; reject: (error: ApiError) => void },
): Dispatcher.DispatchHandler {
  const { line, method, signal, body } = request;
  let controller: Dispatcher.DispatchController | undefined;
  let timer: NodeJS.Timeout | undefined;
  let outcome: ApiError | true | undefined;
  let status: number | undefined;
  let headers: IncomingHttpHeaders = {};
  let chunks: Buffer[] = [];
  let size = 0;

  /** A change that was sent may have been done even if its response is lost. */
  const maybeSent = () => controller !== undefined && method !== 'GET';

  /** Returns false when it had finished before. */
  function finish(now: ApiError | true): boolean {
    if (outcome) return false;
    outcome = now;
    chunks = [];
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    return true;
  }

  function succeed(text: string | undefined): void {
    if (finish(true)) resolve({ status: status ?? 0, headers, text });
  }

  function fail(error: ApiError): void {
    if (!finish(error)) return;
    reject(error);
    controller?.abort(error);
  }

  const abort = () => fail(abortedError(line, maybeSent()));
  signal.addEventListener('abort', abort, { once: true });

  function tooLarge(of: number): void {
    if (isSuccess(of)) fail(malformedError(line, `more than ${maxBodyBytes / 1024 / 1024} MiB`, of));
    else {
      succeed(undefined);
      controller?.abort(new Error('too large'));
    }
  }

  return {
    onRequestStart(started) {
      // The request may have waited long for a free connection.
      const refused = outcome instanceof Error ? outcome : request.blockedBy?.();
      if (refused) {
        fail(refused);
        started.abort(refused);
        return;
      }
      controller = started;
      // The wait for a free connection does not count: other requests may be slow.
      const ms = timeoutMs + Math.ceil((body?.length ?? 0) / minBytesPerMs);
      timer = setTimeout(() => fail(timeoutError(line, origin, ms, maybeSent())), timerDelay(ms));
    },
    onResponseStart(_controller, answered, its) {
      status = answered;
      // Undici makes a list of a header that comes twice; Node takes the first.
      headers = Object.fromEntries(Object.entries(its).map(([name, value]) => [name, [value].flat()[0]]));
      if (Number(headers['content-length']) > maxBodyBytes) tooLarge(status);
    },
    onResponseData(_controller, chunk) {
      if (outcome) return;
      size += chunk.length;
      if (size > maxBodyBytes) tooLarge(status ?? 0);
      else chunks.push(chunk);
    },
    onResponseEnd: () => succeed(Buffer.concat(chunks).toString('utf8')),
    onResponseError(_controller, error) {
      if (outcome) return;
      const { code } = error as NodeJS.ErrnoException;
      if (status !== undefined && !isSuccess(status)) succeed(undefined);
      else if (code === 'UND_ERR_CONNECT_TIMEOUT') fail(timeoutError(line, origin, timeoutMs, false));
      else {
        const why = status === undefined ? networkReason(error) : 'the connection broke in the middle of the response';
        fail(unreachableError(line, origin, why, maybeSent(), status));
      }
    },
  };
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
