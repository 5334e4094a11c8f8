import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isNearby } from '../resources/ipAddress.ts';
import { oneLine } from '../text/cells.ts';
import { reasonOf } from '../text/errno.ts';
import { timerDelay } from '../text/times.ts';
import type { ChangeRecord } from './changeRecord.ts';
import { ApiError, abortedError, type Subject, timeoutError, unreachableError } from './error.ts';
import { isSuccess, whyOf } from './exchange.ts';
import type { Transport } from './transport.ts';

/** Cancels a transfer, and hears of its progress. */
export interface FileOptions {
  signal?: AbortSignal;
  /** Told of the bytes moved so far and of all there are, where that is known. */
  onProgress?: (bytes: number, total: number | undefined) => void;
}

/** Sends files to and gets them from signed addresses on any host; the token never goes along. */
export interface FileTransfers {
  /** Puts the file of this path to an absolute address, streaming. Rejects with an ApiError; a closed gate refuses it. */
  upload(address: string, path: string, options?: FileOptions & { contentType?: string }): Promise<void>;
  /**
   * Gets an absolute address into a new file that only its owner can read, streaming; what was written is removed
   * on failure. Rejects with an ApiError, also when there is a file of this path already.
   */
  download(address: string, path: string, options?: FileOptions): Promise<void>;
  /** Deletes what is at an absolute address. Rejects with an ApiError; a closed gate refuses it. */
  erase(address: string, signal?: AbortSignal): Promise<void>;
}

/** The part of an error body that is looked at. */
const maxErrorBytes = 16_384;

/**
 * @param record keeps what changes something, before it leaves and afterwards
 * @param idleMs how long nothing may move before a transfer is given up
 */
export function fileTransfers(transport: Transport, record: ChangeRecord, idleMs = 60_000): FileTransfers {
  /** Sends what changes something and waits for the whole answer, on record. */
  async function change(
    to: SignedAddress,
    signal: AbortSignal | undefined,
    body: unknown,
    send: (request: FileRequest) => Promise<Streamed>,
  ): Promise<void> {
    const run = () =>
      request(transport, to, { signal, idleMs }, async (one) => {
        const answer = await send(one);
        await drain(answer.body);
        return { status: answer.status };
      });
    // The transport says why it does not leave.
    if (transport.readOnly || signal?.aborted) await run();
    else await record.keep(to.subject, body, run);
  }

  return {
    async upload(address, path, { signal, onProgress, contentType = 'application/octet-stream' } = {}) {
      const to = signedAddress('PUT', address, transport.origin);
      const total = await sizeOf(to.subject, path);
      const headers = { 'content-type': contentType, 'content-length': String(total) };
      await change(to, signal, { file: path, bytes: total }, (request) => {
        const told = (bytes: number) => {
          request.moved();
          onProgress?.(bytes, total);
        };
        return request.send({ headers, body: Readable.from(counted(to.subject, path, told)) });
      });
    },

    async erase(address, signal) {
      await change(signedAddress('DELETE', address, transport.origin), signal, undefined, (request) =>
        request.send({ headers: {}, body: null }),
      );
    },

    async download(address, path, { signal, onProgress } = {}) {
      const from = signedAddress('GET', address, transport.origin);
      await request(transport, from, { signal, idleMs }, async ({ send, moved }) => {
        const { headers, body } = await send({ headers: {}, body: null });
        const length = Number(headers['content-length']);
        const total = Number.isInteger(length) ? length : undefined;
        await intoFile(from.subject, path, body, (bytes) => {
          moved();
          onProgress?.(bytes, total);
        });
      });
    },
  };
}

/** An address taken apart; errors name it without its signature. */
interface SignedAddress {
  origin: string;
  target: string;
  subject: Subject;
}

/** @param api the origin of the API, which alone may lead to this machine, or away without encryption */
function signedAddress(method: 'GET' | 'PUT' | 'DELETE', address: string, api: string): SignedAddress {
  const url = URL.parse(address);
  const refuse = (why: string) => localError({ method, path: 'a file' }, `${why}, so nothing was sent.`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw refuse('The API gave an address that is none for files');
  }
  if (url.protocol === 'http:' && !api.startsWith('http:')) {
    throw refuse(`The API gave an address for files that is not encrypted (${url.host})`);
  }
  if (isNearby(url.hostname) && !isNearby(URL.parse(api)?.hostname ?? '')) {
    throw refuse(`The API gave an address for files that leads to this machine or its own link (${url.host})`);
  }
  const subject = { method, path: url.origin + url.pathname };
  return { origin: url.origin, target: url.pathname + url.search, subject };
}

interface Streamed {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

interface FileRequest {
  /** Sends once and answers as soon as the answer begins. Rejects with an ApiError when it is no success. */
  send(sent: { headers: Record<string, string>; body: Readable | null }): Promise<Streamed>;
  /** Bytes have moved: the clock starts anew. */
  moved(): void;
}

/** Runs one request, given up when nothing moves or when it is cancelled; what fails, fails as an ApiError. */
async function request<T>(
  transport: Transport,
  { origin, target, subject }: SignedAddress,
  { signal, idleMs }: { signal: AbortSignal | undefined; idleMs: number },
  run: (request: FileRequest) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const late = () => giveUp.abort(timeoutError(subject, origin, idleMs, subject.method !== 'GET'));
  const timer = setTimeout(late, timerDelay(idleMs));
  const all = signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal;
  let begun = false;
  const file: FileRequest = {
    moved: () => void timer.refresh(),
    async send({ headers, body }) {
      const handler = new Streaming(all);
      await transport.pass({ ...subject, subject, signal: all }, { origin, path: target, headers, body }, handler);
      begun = true;
      const answer = await handler.answer;
      if (!isSuccess(answer.status)) throw await refusedError(subject, origin, answer);
      return answer;
    },
  };
  try {
    return await run(file);
  } catch (error) {
    if (giveUp.signal.reason instanceof ApiError) throw giveUp.signal.reason;
    const { code } = error as NodeJS.ErrnoException;
    const maybeSent = begun && subject.method !== 'GET';
    if (signal?.aborted || code === 'UND_ERR_DESTROYED') throw abortedError(subject, maybeSent);
    if (error instanceof ApiError) throw error;
    throw unreachableError(subject, origin, whyOf(error as Error), maybeSent);
  } finally {
    clearTimeout(timer);
    giveUp.abort();
  }
}

/** Hands an answer on while it arrives, no faster than it is read. */
class Streaming implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Streamed>;
  readonly #signal: AbortSignal;
  readonly #settle = Promise.withResolvers<Streamed>();
  #body: Readable | undefined;

  constructor(signal: AbortSignal) {
    this.answer = this.#settle.promise;
    // Who is not waiting yet is told when waiting.
    this.answer.catch(() => {});
    this.#signal = signal;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const stop = () => controller.abort(this.#signal.reason instanceof Error ? this.#signal.reason : new Error('left'));
    if (this.#signal.aborted) stop();
    else this.#signal.addEventListener('abort', stop, { once: true });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#body = new Readable({ read: () => controller.resume() });
    // An answer that breaks off while nobody reads it must not end the program.
    this.#body.on('error', () => {});
    this.#settle.resolve({ status, headers, body: this.#body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#body?.destroy(error);
    this.#settle.reject(error);
  }
}

/** The bytes of a file, counted when the connection has taken them. */
async function* counted(subject: Subject, path: string, told: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      yield chunk;
      bytes += chunk.length;
      told(bytes);
    }
  } catch (error) {
    throw fileError(subject, path, 'read', error);
  }
}

async function intoFile(subject: Subject, path: string, body: Readable, told: (bytes: number) => void): Promise<void> {
  const onDisk = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(fileError(subject, path, 'written', error)));
  const file: FileHandle = await onDisk(open(path, 'wx', 0o600));
  try {
    let bytes = 0;
    for await (const chunk of body) {
      await onDisk(file.writeFile(chunk));
      bytes += chunk.length;
      told(bytes);
    }
    await onDisk(file.close());
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

async function sizeOf(subject: Subject, path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw fileError(subject, path, 'read', error);
  });
  if (!found.isFile()) throw localError(subject, `${path} is not a file, so nothing was sent; name a file.`);
  return found.size;
}

async function drain(body: Readable): Promise<void> {
  for await (const _ of body);
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxErrorBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Storage hosts say what is wrong as XML, the API as JSON. */
async function refusedError(subject: Subject, origin: string, { status, body }: Streamed): Promise<ApiError> {
  const text = await textOf(body).catch(() => '');
  const [, word] = /<Message>([^<]{1,200})</.exec(text) ?? /"reason": *"([^"]{1,200})"/.exec(text) ?? [];
  const said = word ? `: ${oneLine(word).replace(/\.$/, '')}` : '';
  const way = status === 403 ? 'the address may have expired, so make a new one' : 'try again with a new address';
  const message = `${origin} refuses ${subject.method} ${subject.path} (${status}${said}); ${way}.`;
  return new ApiError({ kind: 'answer', ...subject, status, message });
}

const localError = (subject: Subject, message: string) => new ApiError({ kind: 'malformed', ...subject, message });

const fileError = (subject: Subject, path: string, done: 'read' | 'written', error: unknown): ApiError =>
  localError(subject, `The file ${path} cannot be ${done}: ${reasonOf(error)}.`);
