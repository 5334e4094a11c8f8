import type { ListOperation, Operation } from '../resources/resource.ts';
import { Absences } from './absences.ts';
import { type Base, baseOf, filterHeader, pathOf, queryFor, queryOf } from './address.ts';
import { originOf, parsed, whatIs } from './answerText.ts';
import { Attempts } from './attempts.ts';
import { ChangeRecord } from './changeRecord.ts';
import { type ApiError, cutOffError, malformedError, type Subject } from './error.ts';
import { ExactNumbers } from './exactNumbers.ts';
import { isSuccess, type Message, type Received } from './exchange.ts';
import { type FileTransfers, fileTransfers } from './fileTransfer.ts';
import { type Page, readPages } from './pages.ts';
import { type Preview, previewOf } from './preview.ts';
import { redacted, redaction, secretTexts } from './redact.ts';
import { refusal } from './refusal.ts';
import type { Answer, ApiOptions, Request } from './request.ts';
import { retryAfter } from './retry.ts';
import { Transport } from './transport.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';

export interface Api {
  readonly readOnly: boolean;
  /** Files at signed addresses, through the same gate. */
  readonly files: FileTransfers;
  /** Sends one operation; reads are repeated when that may help, writes never. Rejects with an ApiError. */
  send(operation: Operation, request?: Request): Promise<Answer>;
  /** Reads a collection page by page (document 1, 2.1); leaving the loop cancels what is under way. Throws ApiErrors. */
  pages(operation: ListOperation, request?: Request): AsyncGenerator<Page>;
  /** The request as it would be sent, without secrets; sends nothing. */
  preview(operation: Operation, request?: Request): Preview;
  /** A body in the platform's words, as it would be sent. */
  translated(body: unknown): unknown;
  /** Read-only from now on, irrevocably. */
  closeGate(): void;
  /** Cancels what is under way and drops the connections. */
  close(): Promise<void>;
}

/** A client for one account. Throws an Error, one sentence, when the base URL, token or vocabulary cannot be right. */
export function connect(options: ApiOptions): Api {
  return new Client(options);
}

class Client implements Api {
  readonly files: FileTransfers;
  readonly #base: Base;
  readonly #token: string | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #transport: Transport;
  readonly #underWay = new Set<AbortController>();
  readonly #attempts: Attempts;
  readonly #record: ChangeRecord;
  readonly #numbers = new ExactNumbers();
  readonly #absences = new Absences();

  constructor({ baseUrl, token, readOnly = false, timeoutMs = 10_000, vocabulary, proxies, ...hooks }: ApiOptions) {
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw new Error(
        'The token has characters that no token has, such as a space or a line end; check where it is from.',
      );
    }
    this.#base = baseOf(baseUrl);
    this.#token = token;
    this.#vocabulary = vocabularyOf(vocabulary);
    this.#transport = new Transport(this.#base.origin, timeoutMs, readOnly, proxies);
    this.#attempts = new Attempts(this.#transport, hooks);
    this.#record = new ChangeRecord(hooks);
    this.files = fileTransfers(this.#transport, this.#record);
  }

  get readOnly(): boolean {
    return this.#transport.readOnly;
  }

  closeGate(): void {
    this.#transport.closeGate();
  }

  async close(): Promise<void> {
    for (const controller of this.#underWay) controller.abort();
    await this.#transport.close();
  }

  preview(operation: Operation, given: Request = {}): Preview {
    const request = { ...given, query: queryFor(operation, given.params, given.query) };
    const url = this.#transport.origin + this.#target(pathOf(operation, request.params), request);
    const filter = filterHeader(this.translated(request.filter));
    const payload = { body: this.translated(request.body), filter, form: request.form };
    const write = (value: unknown, space?: number) => this.#numbers.stringify(value, space);
    return previewOf(operation.method, url, this.#token !== undefined, payload, write);
  }

  translated(body: unknown): unknown {
    return this.#vocabulary.toWire.value(body);
  }

  pages(operation: ListOperation, request: Request = {}): AsyncGenerator<Page> {
    const { path } = this.#vocabulary.toWire;
    return readPages((further) => this.send(operation, { ...request, ...further }), operation, request, path);
  }

  async send(operation: Operation, given: Request = {}): Promise<Answer> {
    const request = { ...given, query: queryFor(operation, given.params, given.query) };
    const { method } = operation;
    const path = pathOf(operation, request.params);
    const controller = new AbortController();
    const cancel = () => controller.abort();
    if (request.signal?.aborted) cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    this.#underWay.add(controller);
    try {
      const named = { method, path, wirePath: this.#vocabulary.toWire.path(path) };
      const message = await this.#message(named, request, controller.signal);
      const { subject } = message;
      const read = (received: Received) => this.#outcome(operation, subject, request.body, received);
      const send = () => this.#absences.send(operation, subject, () => this.#attempts.sendWithRetry(message, read));
      // The transport says why neither of the others leaves.
      if (method === 'GET' || this.readOnly || controller.signal.aborted) return await send();
      return await this.#record.keep(subject, this.translated(redacted(request.body)), send);
    } finally {
      this.#underWay.delete(controller);
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  #outcome(
    operation: Operation,
    subject: Subject,
    sent: unknown,
    { status, headers, text }: Received,
  ): Answer | ApiError {
    const date = headers.date === undefined ? undefined : Date.parse(headers.date) || undefined;
    if (!isSuccess(status)) {
      const refused = {
        status,
        body: text === undefined ? undefined : parsed(text),
        location: originOf(headers.location),
        retryAfterMs: retryAfter(headers['retry-after'], date),
      };
      const { field } = this.#vocabulary.fromWire;
      const { scopes } = this.#vocabulary.toWire;
      const reading = { field, scopes, scrub: this.#scrubber(sent) };
      return refusal(subject, operation, this.#transport.origin, refused, reading);
    }
    const body = text ? this.#body(text) : {};
    if (body === undefined) {
      const what = whatIs(text ?? '');
      return what === undefined ? cutOffError(subject, status) : malformedError(subject, what, status);
    }
    const scopes = headers['x-oauth-scopes'];
    return { body, status, scopes: typeof scopes === 'string' ? scopes : undefined, date };
  }

  /** A body in the documents' words; undefined when it is no JSON. */
  #body(text: string): unknown {
    return this.#vocabulary.fromWire.value(this.#numbers.parse(text));
  }

  /** Takes out of a text what nobody else may know: the token, and the secrets that were sent. */
  #scrubber(sent: unknown): (text: string) => string {
    const secrets = [this.#token ?? '', ...secretTexts(sent)].filter(Boolean);
    return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, redaction), text);
  }

  async #message(subject: Subject, request: Request, signal: AbortSignal): Promise<Message> {
    const filter = filterHeader(this.translated(request.filter));
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'skydeck' };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (filter !== undefined) headers['x-filter'] = filter;
    const { isProbe } = request;
    const { method } = subject;
    const message = { method, subject, target: this.#target(subject.path, request), headers, signal, isProbe };
    if (request.form) {
      const form = new Response(request.form);
      headers['content-type'] = form.headers.get('content-type') ?? 'multipart/form-data';
      return { ...message, body: new Uint8Array(await form.arrayBuffer()), onProgress: request.onProgress };
    }
    if (request.body === undefined) return message;
    headers['content-type'] = 'application/json';
    return { ...message, body: this.#numbers.stringify(this.translated(request.body)) };
  }

  /** Follows the origin, in the platform's words. */
  #target(path: string, { query = {} }: Request): string {
    const { toWire } = this.#vocabulary;
    const translated = Object.entries(query).map(([key, value]) => [toWire.field(key), value]);
    return this.#base.prefix + toWire.path(path) + queryOf(Object.fromEntries(translated));
  }
}
