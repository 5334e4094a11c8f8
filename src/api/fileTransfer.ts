import { constants, rmSync, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isNearby } from '../resources/ipAddress.ts';
import { oneLine } from '../text/cells.ts';
import { attempt, reasonOf } from '../text/errno.ts';
import { grouped } from '../text/numbers.ts';
import { timerDelay } from '../text/times.ts';
import { withoutStop } from '../text/words.ts';
import type { ChangeAudit, OutgoingChange } from './changeAudit.ts';
import { ApiError, abortedError, type RequestLine, requestText, timeoutError, unreachableError } from './error.ts';
import { type HttpResponse, isSuccess, networkReason } from './requestHandler.ts';
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
    options: TransferOptions,
    recorded: Pick<OutgoingChange, 'body'>,
    send: (request: TransferRequest) => Promise<StreamedResponse>,
  ): Promise<void> {
    const run = () =>
      runTransfer(transport, to, options, idleMs, async (request) => {
        const response = await send(request);
        for await (const _ of response.body);
        return { status: response.status };
      });
    // The transport rejects a change that is not sent; there is nothing to record.
    if (transport.readOnly || options.signal?.aborted) await run();
    else await audit(to.line, { uid: options.change?.uid, ...recorded }, run);
  }

  return {
    async upload(address, path, { contentType = 'application/octet-stream', ...options } = {}) {
      const to = signedAddress('PUT', address, transport.origin());
      // A pipe opens at once, and is refused.
      const opened = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      await using file = await onDisk(to.line, path, 'read', opened);
      const before = await file.stat();
      if (!before.isFile()) throw localError(to.line, `${path} is not a file, so nothing was sent; name a file.`);
      const total = before.size;
      const headers = { 'content-type': contentType, 'content-length': String(total) };
      await record(to, options, { body: { file: path, bytes: total } }, async ({ send, onMoved }) => {
        let given = 0;
        async function* content() {
          do {
            const read = file.read(Buffer.allocUnsafe(Math.min(65_536, total - given)));
            const { bytesRead, buffer } = await onDisk(to.line, path, 'read', read);
            const isLast = given + bytesRead === total;
            // Without its end, no host keeps a file.
            if (isLast ? await isChanged(path, file, before) : bytesRead === 0)
              throw changedError(to, path, given, total);
            given = onMoved(bytesRead, total);
            yield buffer.subarray(0, bytesRead);
          } while (given < total);
        }
        const response = await send({ headers, body: Readable.from(content()) });
        if (given < total) throw unreachableError(to.line, to.origin, 'it answered before it had the whole file', true);
        return response;
      });
    },

    async remove(address, signal, change) {
      const to = signedAddress('DELETE', address, transport.origin());
      await record(to, { ...(signal && { signal }), change }, {}, ({ send }) => send());
    },

    async download(address, path, options = {}) {
      const from = signedAddress('GET', address, transport.origin());
      await runTransfer(transport, from, options, idleMs, async ({ send, onMoved }) => {
        const { status, headers, body } = await send();
        const total = /^\d+$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : undefined;
        const isEnded = total !== undefined || headers['transfer-encoding'] !== undefined;
        const why =
          status === 200 ? 'does not tell where the file ends' : `answers with ${status}, which is no whole file`;
        if (status !== 200 || !isEnded) throw localError(from.line, `The host ${why}, so nothing was saved.`);
        await writeToFile(from.line, path, body, options.signal, (bytes) => onMoved(bytes, total));
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

interface StreamedResponse extends Pick<HttpResponse, 'status' | 'headers'> {
  body: Readable;
}

interface TransferRequest {
  /** Sends once and resolves when the response begins. Rejects with an ApiError unless the status is a success. */
  send(sent?: { headers: Record<string, string>; body: Readable | null }): Promise<StreamedResponse>;
  /** Restarts the idle timer, tells how far it is, and returns the bytes that have moved so far. */
  onMoved(bytes: number, total: number | undefined): number;
}

/** Runs one transfer; cancels it when it is idle for too long. Rejects with an ApiError. */
async function runTransfer<T>(
  transport: Transport,
  { origin, target, line }: SignedAddress,
  { signal, onProgress }: TransferOptions,
  idleMs: number,
  run: (request: TransferRequest) => Promise<T>,
): Promise<T> {
  const idle = new AbortController();
  const expire = () => idle.abort(timeoutError(line, origin, idleMs, line.method !== 'GET'));
  const timer = setTimeout(expire, timerDelay(idleMs));
  const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
  let isSent = false;
  let moved = 0;
  const request: TransferRequest = {
    onMoved(bytes, total) {
      timer.refresh();
      moved += bytes;
      onProgress?.(moved, total);
      return moved;
    },
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

/** Whether a file that was read was written, has more than it tells, or was replaced; one whose name is gone is the same. */
async function isChanged(path: string, file: FileHandle, { ino, size, mtimeMs }: Stats): Promise<boolean> {
  const own = await file.stat();
  const named = await stat(path).catch(() => own);
  const { bytesRead: more } = await file.read(Buffer.alloc(1));
  return more > 0 || [own, named].some((now) => now.ino !== ino || now.size !== size || now.mtimeMs !== mtimeMs);
}

async function writeToFile(
  line: RequestLine,
  path: string,
  body: Readable,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = await onDisk(line, path, 'written', open(path, 'wx', 0o600));
  // At once: what cancels it may be the end of the program.
  const remove = () => attempt(() => rmSync(path, { force: true }));
  signal?.addEventListener('abort', remove);
  try {
    for await (const chunk of body) {
      await onDisk(line, path, 'written', file.writeFile(chunk));
      onBytes(chunk.length);
    }
    signal?.removeEventListener('abort', remove);
    await onDisk(line, path, 'written', file.close());
  } catch (error) {
    await file.close().catch(() => {});
    remove();
    throw error;
  }
}

async function errorText(body: Readable): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const part of body) {
    read = Buffer.concat([read, part]);
    if (read.length > maxErrorBytes) break;
  }
  return read.toString();
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

const localError = (line: RequestLine, message: string, maybeSent = false) =>
  new ApiError({ kind: 'malformed', ...line, maybeSent, message });

/** A file was not the same to its end; the bytes before that were sent. */
function changedError({ line, origin }: SignedAddress, path: string, bytes: number, size: number): ApiError {
  const sent = `${grouped(bytes)} of ${grouped(size)} bytes were sent, so ${origin} never had all of it`;
  return localError(line, `The file ${path} changed while it was sent: ${sent}; upload it again.`, bytes > 0);
}

const onDisk = async <T>(line: RequestLine, path: string, action: 'read' | 'written', work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw localError(line, `The file ${path} cannot be ${action}: ${reasonOf(error)}.`);
  });
