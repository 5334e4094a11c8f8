import type { ListOperation, Operation, Params } from '../resources/resource.ts';
import { type BaseUrl, filterHeader, parseBaseUrl, pathOf, queryParams, queryString, toldPathOf } from './address.ts';
import type { TimeSpan } from './apiClock.ts';
import { ChangeAudit, type OutgoingChange } from './changeAudit.ts';
import { ApiError, malformedError, type RequestLine, truncatedError, unsupportedError } from './error.ts';
import { type FileTransfers, fileTransfers } from './fileTransfer.ts';
import { type Page, readPages } from './pages.ts';
import { type Preview, previewOf } from './preview.ts';
import { redacted, redactorOf } from './redact.ts';
import type { ApiOptions, ApiRequest, ApiResponse } from './request.ts';
import { type HttpRequest, type HttpResponse, isSuccess } from './requestHandler.ts';
import { responseError } from './responseError.ts';
import { describeNonJson, LosslessJson, parseJson } from './responseText.ts';
import { RetryHandler } from './retryHandler.ts';
import { parseRetryAfter } from './retryPolicy.ts';
import { type TokenScopes, tokenScopes, unknownScopes } from './tokenScopes.ts';
import { Transport } from './transport.ts';
import { type Translation, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** The requests to one account. */
export type Api = Pick<Client, keyof Client>;

/** Creates a client for one account. Throws an Error of one sentence when base URL, token or vocabulary are invalid. */
export function connect(options: ApiOptions): Api {
  return new Client(options);
}

class Client {
  /** Transfers of files at signed addresses; they are bound by read-only as well. */
  readonly files: FileTransfers;
  readonly #base: BaseUrl;
  readonly #token: string | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #transport: Transport;
  readonly #pending = new Set<AbortController>();
  readonly #retries: RetryHandler;
  readonly #audit: ChangeAudit;
  readonly #json = new LosslessJson();
  readonly #unsupported = new UnsupportedOperations();
  #scopes = unknownScopes;
  #scopesHeader: unknown;

  constructor({ baseUrl, token, readOnly = false, timeoutMs = 10_000, vocabulary, ...given }: ApiOptions) {
    const { proxies, exchanges, ...hooks } = given;
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw new Error('The token must not contain spaces, line breaks or other special characters; copy it again.');
    }
    this.#base = parseBaseUrl(baseUrl);
    this.#token = token;
    this.#vocabulary = vocabularyOf(vocabulary);
    this.#transport = new Transport(this.#base.origin, timeoutMs, readOnly, proxies, exchanges);
    this.#retries = new RetryHandler(this.#transport, hooks);
    this.#audit = new ChangeAudit(hooks);
    this.files = fileTransfers(this.#transport, this.#audit);
  }

  get readOnly(): boolean {
    return this.#transport.readOnly;
  }

  /** Those that the last answer told. */
  get scopes(): TokenScopes {
    return this.#scopes;
  }

  /** Between which times of the API's own clock it is now; undefined where no answer has told it. */
  time(): TimeSpan | undefined {
    return this.#retries.clock.now();
  }

  /** Cancels pending requests and drops the connections. */
  async close(): Promise<void> {
    for (const controller of this.#pending) controller.abort();
    await this.#transport.close();
  }

  /** Shows the request as it would be sent, without secrets; sends nothing. */
  preview(operation: Operation, given: ApiRequest = {}): Preview {
    const request = { ...given, query: queryParams(operation, given.params, given.query) };
    const url = this.#transport.origin + this.#target(toldPathOf(operation, request.params), request);
    const filter = filterHeader(this.translated(request.filter));
    const payload = { body: this.translated(request.body), filter, form: request.form };
    return previewOf(this.#json, operation.method, url, this.#token !== undefined, payload);
  }

  /** A body in the platform's words, as it would be sent. */
  translated(body: unknown): unknown {
    return this.#vocabulary.toWire.value(body);
  }

  /** The documents' words for what the audit log has in the platform's. */
  get documented(): Pick<Translation, 'path' | 'value'> {
    return this.#vocabulary.fromWire;
  }

  /** A change that was sent once, in the documents' words and without secrets, as a curl command; its path may be a whole address. */
  curlOf(method: string, path: string, body: unknown): string {
    const isWithin = path.startsWith('/');
    const url = isWithin ? this.#transport.origin + this.#target(path, {}) : path;
    const withToken = isWithin && this.#token !== undefined;
    return previewOf(this.#json, method, url, withToken, { body: this.translated(body) }).curl;
  }

  /** Reads a collection page by page (document 1, 2.1); leaving the loop cancels pending requests. Throws ApiErrors. */
  pages(operation: ListOperation, request: ApiRequest = {}): AsyncGenerator<Page> {
    const { path } = this.#vocabulary.toWire;
    return readPages((further) => this.send(operation, { ...request, ...further }), operation, request, path);
  }

  /** Sends one operation. Retries reads when that may help, changes never. Rejects with an ApiError. */
  async send(operation: Operation, given: ApiRequest = {}): Promise<ApiResponse> {
    const request = { ...given, query: queryParams(operation, given.params, given.query) };
    const { method } = operation;
    const target = this.#target(pathOf(operation, request.params), request);
    const path = toldPathOf(operation, request.params);
    const controller = new AbortController();
    const cancel = () => controller.abort();
    if (request.signal?.aborted) cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    this.#pending.add(controller);
    try {
      const line = { method, path, wirePath: this.#vocabulary.toWire.path(path) };
      const httpRequest = await this.#httpRequest(line, target, request, controller.signal);
      const parse = (response: HttpResponse) => this.#parse(operation, line, [request.body, request.params], response);
      const send = () => this.#unsupported.send(operation, line, () => this.#retries.sendWithRetry(httpRequest, parse));
      // The transport rejects a change that is not sent; there is nothing to record.
      if (method === 'GET' || this.readOnly || controller.signal.aborted) return await send();
      const body = this.translated(redacted(request.body));
      return await this.#audit.send(line, { body, ...this.#recorded(request) }, send);
    } finally {
      this.#pending.delete(controller);
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  /** The part of the audit log that names a change, its row as it was before in the platform's words. */
  #recorded({ record }: ApiRequest): Omit<OutgoingChange, 'number' | 'method' | 'path' | 'body'> {
    if (!record) return {};
    const { body: _, before, ...named } = record;
    const { params, label } = named;
    const told = { params: redacted(params) as Params, label: redactorOf(params)(label) };
    return { ...named, ...told, before: this.translated(redacted(before)) };
  }

  #parse(operation: Operation, line: RequestLine, sent: unknown, from: HttpResponse): ApiResponse | ApiError {
    const { status, headers, text } = from;
    this.#noteScopes(headers['x-oauth-scopes']);
    // One that came from a store on the way has the time at which it was put there.
    const isStored = headers.age !== undefined;
    const date = headers.date === undefined || isStored ? undefined : Date.parse(headers.date) || undefined;
    if (!isSuccess(status)) {
      const response = {
        status,
        body: text === '' ? {} : text && parseJson(text),
        location: (headers.location && URL.parse(headers.location)?.origin) || undefined,
        retryAfterMs: parseRetryAfter(headers['retry-after'], date),
      };
      const { field } = this.#vocabulary.fromWire;
      const { scopes } = this.#vocabulary.toWire;
      const mapping = { field, scopes, redact: redactorOf(sent, [this.#token ?? '']) };
      return responseError(line, operation, this.#transport.origin, response, mapping);
    }
    const body = text ? this.#body(text) : {};
    if (body === undefined) {
      const content = describeNonJson(text ?? '');
      return content === undefined ? truncatedError(line, status) : malformedError(line, content, status);
    }
    const scopes = headers['x-oauth-scopes'];
    return { body, status, scopes: typeof scopes === 'string' ? scopes : undefined, date };
  }

  /** Answers that need no token do not tell its scopes. */
  #noteScopes(header: unknown): void {
    if (header === undefined || header === this.#scopesHeader) return;
    this.#scopesHeader = header;
    this.#scopes = tokenScopes(header, this.#vocabulary.toWire.scopes);
  }

  /** A body in the documents' words; undefined when it is not JSON. */
  #body(text: string): unknown {
    return this.#vocabulary.fromWire.value(this.#json.parse(text));
  }

  async #httpRequest(
    line: RequestLine,
    target: string,
    request: ApiRequest,
    signal: AbortSignal,
  ): Promise<HttpRequest> {
    const filter = filterHeader(this.translated(request.filter));
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'skydeck' };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (filter !== undefined) headers['x-filter'] = filter;
    const { isProbe } = request;
    const { method, path } = line;
    const httpRequest = { method, line, target, told: this.#target(path, request), headers, signal, isProbe };
    if (request.form) {
      const form = new Response(request.form);
      headers['content-type'] = form.headers.get('content-type') ?? 'multipart/form-data';
      return { ...httpRequest, body: new Uint8Array(await form.arrayBuffer()), onProgress: request.onProgress };
    }
    if (request.body === undefined) return httpRequest;
    headers['content-type'] = 'application/json';
    return { ...httpRequest, body: this.#json.stringify(this.translated(request.body)) };
  }

  /** Prefix, path and query in the platform's words. */
  #target(path: string, { query = {} }: ApiRequest): string {
    const { toWire } = this.#vocabulary;
    const translated = Object.entries(query).map(([key, value]) => [toWire.field(key), value]);
    return this.#base.prefix + toWire.path(path) + queryString(Object.fromEntries(translated));
  }
}

/**
 * Remembers which of the operations beyond the documents this API refused as unknown, and does not send them again.
 * Once an operation has succeeded, a 404 means that its row was deleted.
 */
class UnsupportedOperations {
  readonly #unsupported = new Set<string>();
  readonly #succeeded = new Set<string>();

  /** Sends a request unless its operation is known to be unsupported. Rejects with an ApiError of kind `unsupported` then. */
  async send<T>(operation: Operation, line: RequestLine, send: () => Promise<T>): Promise<T> {
    if (!operation.undocumented) return send();
    const key = `${operation.method} ${operation.path}`;
    if (this.#unsupported.has(key)) throw unsupportedError(line);
    try {
      const response = await send();
      this.#succeeded.add(key);
      return response;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'answer' || ![404, 405, 501].includes(error.status ?? 0))
        throw error;
      // For a path that ends in a parameter it may mean the row instead of the operation.
      if (error.status === 404 && (operation.path.endsWith('}') || this.#succeeded.has(key))) throw error;
      this.#unsupported.add(key);
      throw unsupportedError(line);
    }
  }
}
