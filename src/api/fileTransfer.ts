import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isNearby } from '../resources/ipAddress.ts';
import { oneLine } from '../text/cells.ts';
import { attempt, reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import { withoutStop } from '../text/words.ts';
import type { ChangeAudit, OutgoingChange } from './changeAudit.ts';
import { ApiError, abortedError, type RequestLine, requestText, timeoutError, unreachableError } from './error.ts';
import { isSuccess, networkReason } from './requestHandler.ts';
import type { Transport } from './transport.ts';

/** Names the change that a file goes along with, cancels its transfer and reports its progress. */
export interface TransferOptions {
  change?: Pick<OutgoingChange, 'uid'> | undefined;
  signal?: AbortSignal;
  /** Called with the bytes transferred so far, and all of them if known. */
  onProgress?: (bytes: number, total: number | undefined) => void;
}

/** Uploads to and downloads from signed addresses on any host; the token is never sent. */
export interface FileTransfers {
  /** Streams a file to an absolute address by PUT. Rejects with an ApiError, also when the process is read-only. */
  upload(address: string, path: string, options?: TransferOptions & { contentType?: string }): Promise<void>;
  /**
   * Streams an absolute address into a new file that only its owner can read; the file is removed on failure.
   * Rejects with an ApiError, also when the file exists already.
   */
  download(address: string, path: string, options?: TransferOptions): Promise<void>;
  /** Deletes the object at an absolute address. Rejects with an ApiError, also when the process is read-only. */
  remove(address: string, signal?: AbortSignal, change?: TransferOptions['change']): Promise<void>;
}

/** No more of an error body is read. */
const maxErrorBytes = 16_384;

/**
 * Creates the transfers of a client.
 * @param audit records uploads and deletions
 * @param idleMs a transfer without any progress fails after this time
 */
export function fileTransfers(transport: Transport, audit: ChangeAudit, idleMs = 60_000): FileTransfers {
  /** Sends a change and waits for the whole response. */
  async function record(
    to: SignedAddress,
    signal: AbortSignal | undefined,
    recorded: Pick<OutgoingChange, 'uid' | 'body'>,
    send: (request: TransferRequest) => Promise<StreamedResponse>,
  ): Promise<void> {
    const run = () =>
      runTransfer(transport, to, { signal, idleMs }, async (request) => {
        const response = await send(request);
        for await (const _ of response.body);
        return { status: response.status };
      });
    // The transport rejects a change that is not sent; there is nothing to record.
    if (transport.readOnly || signal?.aborted) await run();
    else await audit(to.line, recorded, run);
  }

  return {
    async upload(address, path, { signal, onProgress, change, contentType = 'application/octet-stream' } = {}) {
      const to = signedAddress('PUT', address, transport.origin());
      const total = await fileSize(to.line, path);
      const headers = { 'content-type': contentType, 'content-length': String(total) };
      const recorded = { uid: change?.uid, body: { file: path, bytes: total } };
      await record(to, signal, recorded, async ({ send, onActivity }) => {
        let given = 0;
        const onBytes = (bytes: number) => {
          given = bytes;
          onActivity();
          onProgress?.(bytes, total);
        };
        const response = await send({ headers, body: Readable.from(readChunks(to.line, path, onBytes)) });
        if (given < total) throw unreachableError(to.line, to.origin, 'it answered before it had the whole file', true);
        return response;
      });
    },

    async remove(address, signal, change) {
      const to = signedAddress('DELETE', address, transport.origin());
      await record(to, signal, { uid: change?.uid }, ({ send }) => send());
    },

    async download(address, path, { signal, onProgress } = {}) {
      const from = signedAddress('GET', address, transport.origin());
      await runTransfer(transport, from, { signal, idleMs }, async ({ send, onActivity }) => {
        const { status, headers, body } = await send();
        const total = /^\d+$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : undefined;
        const isEnded = total !== undefined || headers['transfer-encoding'] !== undefined;
        const why =
          status === 200 ? 'does not tell where the file ends' : `answers with ${status}, which is no whole file`;
        if (status !== 200 || !isEnded) throw localError(from.line, `The host ${why}, so nothing was saved.`);
        await writeToFile(from.line, path, body, signal, (bytes) => {
          onActivity();
          onProgress?.(bytes, total);
        });
      });
    },
  };
}

interface SignedAddress {
  origin: string;
  /** Path and query, with the signature. */
  target: string;
  /** Without the signature, for errors. */
  line: RequestLine;
}

/**
 * Parses and checks an address that the API gave.
 * @param api the origin of the API: only if that is local or unencrypted may the address be so
 */
function signedAddress(method: 'GET' | 'PUT' | 'DELETE', address: string, api: string): SignedAddress {
  const url = URL.parse(address);
  const refuse = (why: string) => localError({ method, path: 'a file' }, `${why}, so nothing was sent.`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refuse('The API gave an address that is not a valid http or https address');
  if (url.protocol === 'http:' && !api.startsWith('http:'))
    throw refuse(`The API gave an address for files that is not encrypted (${url.host})`);
  if (isNearby(url.hostname) && !isNearby(URL.parse(api)?.hostname ?? ''))
    throw refuse(`The API gave an address for files that points to this machine or a link-local host (${url.host})`);
  const line = { method, path: url.origin + url.pathname };
  return { origin: url.origin, target: url.pathname + url.search, line };
}

interface StreamedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

interface TransferRequest {
  /** Sends once and resolves when the response begins. Rejects with an ApiError unless the status is a success. */
  send(sent?: { headers: Record<string, string>; body: Readable | null }): Promise<StreamedResponse>;
  /** Restarts the idle timer. */
  onActivity(): void;
}

/** Runs one transfer; cancels it when it is idle for too long. Rejects with an ApiError. */
async function runTransfer<T>(
  transport: Transport,
  { origin, target, line }: SignedAddress,
  { signal, idleMs }: { signal: AbortSignal | undefined; idleMs: number },
  run: (request: TransferRequest) => Promise<T>,
): Promise<T> {
  const idle = new AbortController();
  const expire = () => idle.abort(timeoutError(line, origin, idleMs, line.method !== 'GET'));
  const timer = setTimeout(expire, timerDelay(idleMs));
  const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
  let isSent = false;
  const request: TransferRequest = {
    onActivity: () => void timer.refresh(),
    async send({ headers, body } = { headers: {}, body: null }) {
      const handler = streamHandler(either);
      const guarded = { method: line.method, line, signal: either };
      await transport.stream(guarded, { origin, path: target, headers, body }, handler);
      isSent = true;
      const response = await handler.response;
      if (!isSuccess(response.status)) throw await refusedError(line, origin, response);
      return response;
    },
  };
  try {
    return await run(request);
  } catch (error) {
    if (idle.signal.reason instanceof ApiError) throw idle.signal.reason;
    const { code } = error as NodeJS.ErrnoException;
    const maybeSent = isSent && line.method !== 'GET';
    if (signal?.aborted || code === 'UND_ERR_DESTROYED') throw abortedError(line, maybeSent);
    if (error instanceof ApiError) throw error;
    throw unreachableError(line, origin, networkReason(error as Error), maybeSent);
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

/** Streams a response, no faster than it is read. */
function streamHandler(signal: AbortSignal): Dispatcher.DispatchHandler & { response: Promise<StreamedResponse> } {
  const { promise: response, resolve, reject } = Promise.withResolvers<StreamedResponse>();
  // It may fail before anything awaits it, which must not end the program.
  response.catch(() => {});
  let body: Readable | undefined;
  return {
    response,
    onRequestStart(controller) {
      const stop = () => controller.abort(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      body = new Readable({ read: () => controller.resume() });
      // A response that breaks off before anything reads it must not end the program.
      body.on('error', () => {});
      resolve({ status, headers, body });
    },
    onResponseData(controller, chunk) {
      if (body?.push(chunk) === false) controller.pause();
    },
    onResponseEnd: () => void body?.push(null),
    onResponseError(_controller, error) {
      body?.destroy(error);
      reject(error);
    },
  };
}

/** Reads a file; reports the bytes that the connection is given. */
async function* readChunks(line: RequestLine, path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      bytes += chunk.length;
      onBytes(bytes);
      yield chunk;
    }
  } catch (error) {
    throw fileError(line, path, 'read', error);
  }
}

async function writeToFile(
  line: RequestLine,
  path: string,
  body: Readable,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const onDisk = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(fileError(line, path, 'written', error)));
  const file: FileHandle = await onDisk(open(path, 'wx', 0o600));
  // At once: what cancels it may be the end of the program.
  const remove = () => attempt(() => rmSync(path, { force: true }));
  signal?.addEventListener('abort', remove);
  try {
    let bytes = 0;
    for await (const chunk of body) {
      await onDisk(file.writeFile(chunk));
      bytes += chunk.length;
      onBytes(bytes);
    }
    signal?.removeEventListener('abort', remove);
    await onDisk(file.close());
  } catch (error) {
    await file.close().catch(() => {});
    remove();
    throw error;
  }
}

async function fileSize(line: RequestLine, path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => Promise.reject(fileError(line, path, 'read', error)));
  if (!found.isFile()) throw localError(line, `${path} is not a file, so nothing was sent; name a file.`);
  return found.size;
}

async function errorText(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxErrorBytes) break;
  }
  return Buffer.concat(parts).toString();
}

/** Storage hosts say what is wrong as XML, the API as JSON. */
async function refusedError(line: RequestLine, origin: string, { status, body }: StreamedResponse): Promise<ApiError> {
  const text = await errorText(body).catch(() => '');
  const [, reason] = /<Message>([^<]{1,200})</.exec(text) ?? /"reason": *"([^"]{1,200})"/.exec(text) ?? [];
  const because = reason ? `: ${withoutStop(oneLine(reason))}` : '';
  const wayOut = status === 403 ? 'the address may have expired, so create a new one' : 'try again with a new address';
  const message = `${origin} refuses ${requestText(line)} (${status}${because}); ${wayOut}.`;
  return new ApiError({ kind: 'answer', ...line, status, message });
}

const localError = (line: RequestLine, message: string) => new ApiError({ kind: 'malformed', ...line, message });

const fileError = (line: RequestLine, path: string, action: 'read' | 'written', error: unknown): ApiError =>
  localError(line, `The file ${path} cannot be ${action}: ${reasonOf(error)}.`);
