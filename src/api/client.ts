import type { ListOperation, Operation, Params } from '../resources/resource.ts';
import { filterHeader, parseBaseUrl, pathOf, queryParams, queryString, toldPathOf } from './address.ts';
import { createChangeAudit, type OutgoingChange } from './changeAudit.ts';
import { ApiError, malformedError, type RequestLine, truncatedError, unsupportedError } from './error.ts';
import { fileTransfers } from './fileTransfer.ts';
import { type Page, readPages } from './pages.ts';
import { type Preview, previewOf } from './preview.ts';
import { redacted, redactorOf } from './redact.ts';
import type { ApiOptions, ApiRequest, ApiResponse } from './request.ts';
import { type HttpRequest, type HttpResponse, isSuccess } from './requestHandler.ts';
import { responseError } from './responseError.ts';
import { createLosslessJson, describeNonJson, parseJson } from './responseText.ts';
import { createRetries } from './retryHandler.ts';
import { parseRetryAfter } from './retryPolicy.ts';
import { tokenScopes, unknownScopes } from './tokenScopes.ts';
import { createTransport } from './transport.ts';
import { type Translation, vocabularyOf } from './vocabulary.ts';

/** The requests to one account. */
export type Api = ReturnType<typeof connect>;

/** Guards and forms trust what was read just now, so no store on the way may answer. */
const ownHeaders = { accept: 'application/json', 'cache-control': 'no-cache', 'user-agent': 'skydeck' };

/** Creates a client for one account. Throws an Error of one sentence when base URL, token or vocabulary are invalid. */
export function connect({ baseUrl, token, readOnly = false, timeoutMs = 10_000, vocabulary, ...given }: ApiOptions) {
  const { proxies, exchanges, ...hooks } = given;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new Error('The token must not contain spaces, line breaks or other special characters; copy it again.');
  const base = parseBaseUrl(baseUrl);
  const { toWire, fromWire } = vocabularyOf(vocabulary);
  const transport = createTransport(base.origin, timeoutMs, readOnly, proxies, exchanges);
  const pending = new Set<AbortController>();
  const retries = createRetries(transport, hooks);
  const audit = createChangeAudit(hooks);
  const json = createLosslessJson();
  const knownHere = withoutUnsupported();
  let scopes = unknownScopes;
  let scopesHeader: unknown;

  /** A body in the platform's words, as it would be sent. */
  const translated = (body: unknown): unknown => toWire.value(body);

  /** Prefix, path and query in the platform's words. */
  function targetOf(path: string, { query = {} }: ApiRequest): string {
    const inTheirs = Object.entries(query).map(([key, value]) => [toWire.field(key), value]);
    return base.prefix + toWire.path(path) + queryString(Object.fromEntries(inTheirs));
  }

  /** The part of the audit log that names a change, its row as it was before in the platform's words. */
  function recorded({ record }: ApiRequest): Omit<OutgoingChange, 'number' | 'method' | 'path' | 'body'> {
    if (!record) return {};
    const { body: _, before, ...named } = record;
    const { params, label } = named;
    const told = { params: redacted(params) as Params, label: redactorOf(params)(label) };
    return { ...named, ...told, before: translated(redacted(before)) };
  }

  /** Answers that need no token do not tell its scopes. */
  function noteScopes(header: unknown): void {
    if (header === undefined || header === scopesHeader) return;
    scopesHeader = header;
    scopes = tokenScopes(header, toWire.scopes);
  }

  function parse(operation: Operation, line: RequestLine, sent: unknown, from: HttpResponse): ApiResponse | ApiError {
    const { status, headers, text } = from;
    const told = headers['x-oauth-scopes'];
    noteScopes(told);
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
      const mapping = { field: fromWire.field, scopes: toWire.scopes, redact: redactorOf(sent, [token ?? '']) };
      return responseError(line, operation, transport.origin(), response, mapping);
    }
    const body = text ? fromWire.value(json.parse(text)) : {};
    if (body === undefined) {
      const content = describeNonJson(text ?? '');
      return content === undefined ? truncatedError(line, status) : malformedError(line, content, status);
    }
    return { body, status, scopes: typeof told === 'string' ? told : undefined, date };
  }

  async function httpRequest(line: RequestLine, target: string, request: ApiRequest, signal: AbortSignal) {
    const filter = filterHeader(translated(request.filter));
    const headers: Record<string, string> = { ...ownHeaders };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (filter !== undefined) headers['x-filter'] = filter;
    const { isProbe } = request;
    const { method, path } = line;
    const own: HttpRequest = { method, line, target, told: targetOf(path, request), headers, signal, isProbe };
    if (request.form) {
      const form = new Response(request.form);
      headers['content-type'] = form.headers.get('content-type') ?? 'multipart/form-data';
      return { ...own, body: new Uint8Array(await form.arrayBuffer()), onProgress: request.onProgress };
    }
    if (request.body === undefined) return own;
    headers['content-type'] = 'application/json';
    return { ...own, body: json.stringify(translated(request.body)) };
  }

  /** Sends one operation. Retries reads when that may help, changes never. Rejects with an ApiError. */
  async function send(operation: Operation, asked: ApiRequest = {}): Promise<ApiResponse> {
    const request = { ...asked, query: queryParams(operation, asked.params, asked.query) };
    const { method } = operation;
    const target = targetOf(pathOf(operation, request.params), request);
    const path = toldPathOf(operation, request.params);
    const controller = new AbortController();
    const cancel = () => controller.abort();
    if (request.signal?.aborted) cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    pending.add(controller);
    try {
      const line = { method, path, wirePath: toWire.path(path) };
      const written = await httpRequest(line, target, request, controller.signal);
      const read = (response: HttpResponse) => parse(operation, line, [request.body, request.params], response);
      const sending = () => knownHere(operation, line, () => retries.send(written, read));
      // The transport rejects a change that is not sent; there is nothing to record.
      if (method === 'GET' || readOnly || controller.signal.aborted) return await sending();
      return await audit(line, { body: translated(redacted(request.body)), ...recorded(request) }, sending);
    } finally {
      pending.delete(controller);
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  return {
    /** Transfers of files at signed addresses; they are bound by read-only as well. */
    files: fileTransfers(transport, audit),
    get readOnly() {
      return readOnly;
    },
    /** Those that the last answer told. */
    get scopes() {
      return scopes;
    },
    /** Between which times of the API's own clock it is now; undefined where no answer has told it. */
    time: retries.clock.now,
    stored: retries.stored,
    /** Cancels pending requests and drops the connections. */
    async close(): Promise<void> {
      for (const controller of pending) controller.abort();
      await transport.close();
    },
    /** Shows the request as it would be sent, without secrets; sends nothing. */
    preview(operation: Operation, asked: ApiRequest = {}): Preview {
      const request = { ...asked, query: queryParams(operation, asked.params, asked.query) };
      const url = transport.origin() + targetOf(toldPathOf(operation, request.params), request);
      const filter = filterHeader(translated(request.filter));
      const payload = { body: translated(request.body), filter, form: request.form };
      return previewOf(json, operation.method, url, token !== undefined, payload);
    },
    translated,
    /** The documents' words for what the audit log has in the platform's. */
    documented: fromWire as Pick<Translation, 'path' | 'value'>,
    /** A change that was sent once, in the documents' words and without secrets, as a curl command; its path may be a whole address. */
    curlOf(method: string, path: string, body: unknown): string {
      const isWithin = path.startsWith('/');
      const url = isWithin ? transport.origin() + targetOf(path, {}) : path;
      return previewOf(json, method, url, isWithin && token !== undefined, { body: translated(body) }).curl;
    },
    /** Reads a collection page by page (document 1, 2.1); leaving the loop cancels pending requests. Throws ApiErrors. */
    pages: (operation: ListOperation, request: ApiRequest = {}): AsyncGenerator<Page> =>
      readPages((further) => send(operation, { ...request, ...further }), operation, request, toWire.path),
    send,
  };
}

/**
 * Remembers which of the operations beyond the documents this API refused as unknown, and does not send them again.
 * Once an operation has succeeded, a 404 means that its row was deleted.
 */
function withoutUnsupported() {
  const unsupported = new Set<string>();
  const succeeded = new Set<string>();
  /** Sends a request unless its operation is known to be unsupported. Rejects with an ApiError of kind `unsupported` then. */
  return async <T>(operation: Operation, line: RequestLine, send: () => Promise<T>): Promise<T> => {
    if (!operation.undocumented) return send();
    const key = `${operation.method} ${operation.path}`;
    if (unsupported.has(key)) throw unsupportedError(line);
    try {
      const response = await send();
      succeeded.add(key);
      return response;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'answer' || ![404, 405, 501].includes(error.status ?? 0))
        throw error;
      // For a path that ends in a parameter it may mean the row instead of the operation.
      if (error.status === 404 && (operation.path.endsWith('}') || succeeded.has(key))) throw error;
      unsupported.add(key);
      throw unsupportedError(line);
    }
  };
}
