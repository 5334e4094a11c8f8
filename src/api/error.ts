export type ErrorKind =
  /** The API answered with a status other than 2xx. */
  | 'answer'
  /** No connection, or it broke before the response was complete. */
  | 'unreachable'
  /** No complete response in time. */
  | 'timeout'
  /** Cancelled by the caller or by closing the client. */
  | 'aborted'
  /** A response that cannot be read, or a request that cannot be written. */
  | 'malformed'
  /** A change that was not sent, because the client is read-only. */
  | 'read-only'
  /** A change that was not sent, because no guard let it pass. */
  | 'guarded'
  /** Not sent, because the API as a whole fails or asked for a pause. */
  | 'unavailable'
  /** A change that was not sent, because the audit log cannot be written. */
  | 'unrecorded'
  /** An operation beyond the documents that this API does not have. */
  | 'unsupported';

/** One element of an error body (document 1, 2.1). `field` is a dotted path with indexes: `ipv4.0.range`. */
export interface ErrorReason {
  field?: string;
  reason: string;
}

/** The parts of an `ApiError`. */
export type ErrorDetails = RequestLine &
  Pick<ApiError, 'kind' | 'message'> &
  Partial<Pick<ApiError, 'status' | 'errors' | 'retryAfterMs' | 'maybeSent' | 'isTruncated'>> & { isForeign?: boolean };

/** The only error that the client throws for a request. Its message is one readable sentence without secrets. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** The reasons that the API gives, in its order; empty when it gives none. */
  readonly errors: readonly ErrorReason[];
  /** The wait that the API asks for. */
  readonly retryAfterMs: number | undefined;
  /** The response to a change was lost: it may have been done or not. */
  readonly maybeSent: boolean;
  /** The response begins as it should and breaks off, so the address is right. */
  readonly isTruncated: boolean;
  /** There is no such thing, as the API itself says and no web page of a gateway. */
  readonly isGone: boolean;

  constructor({ message, kind, method, path, status, errors = [], retryAfterMs, ...rest }: ErrorDetails) {
    super(message);
    this.kind = kind;
    this.method = method;
    this.path = path;
    this.status = status;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
    this.maybeSent = rest.maybeSent ?? false;
    this.isTruncated = rest.isTruncated ?? false;
    this.isGone = status === 404 && !rest.isForeign;
  }
}

/** A request that was refused before it was sent. */
export const notSent = ({ method, path }: RequestLine, kind: ErrorKind, message: string): ApiError =>
  new ApiError({ kind, method, path, message });

/** The request that an error is about. */
export interface RequestLine {
  method: string;
  /** In the documents' words, without query. */
  path: string;
  /** In the platform's words, where they differ; sentences name this one. */
  wirePath?: string;
}

/** A request as sentences name it. */
export const requestText = ({ method, path, wirePath = path }: RequestLine): string => `${method} ${wirePath}`;

/** The client is read-only, so a change was not sent. */
export const readOnlyError = (line: RequestLine): ApiError => {
  const wayOut = 'start it without read-only to make changes';
  return notSent(line, 'read-only', `Skydeck is read-only, so ${requestText(line)} was not sent; ${wayOut}.`);
};

/** A read was not sent, because the API as a whole fails; `cause` is its latest failure. */
export const unavailableError = (line: RequestLine, cause: ApiError): ApiError =>
  notSent(line, 'unavailable', `${requestText(line)} was not sent, because the API is unavailable: ${cause.message}`);

/** The API does not have this operation, nor do the documents. */
export const unsupportedError = (line: RequestLine): ApiError =>
  new ApiError({ ...line, kind: 'unsupported', message: `The API has no ${requestText(line)}.` });

/** The API asked for a pause, and it is not over. */
export const pausedError = (line: RequestLine, retryAfterMs: number): ApiError => {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `${requestText(line)} was not sent, because the API asked for a pause; try again in ${seconds} s.`;
  return new ApiError({ ...line, kind: 'unavailable', retryAfterMs, message });
};

/** The caller, or closing the client, cancelled the request. */
export const abortedError = (line: RequestLine, maybeSent: boolean): ApiError =>
  lostError(line, 'aborted', `${requestText(line)} was cancelled.`, maybeSent);

/** No complete response within the time limit. */
export const timeoutError = (line: RequestLine, origin: string, ms: number, maybeSent: boolean): ApiError =>
  lostError(line, 'timeout', `${origin} did not answer ${requestText(line)} within ${ms / 1000} s.`, maybeSent);

/** There is no connection, or it broke; `why` is a clause such as `the connection was refused`. */
export const unreachableError = (
  line: RequestLine,
  origin: string,
  why: string,
  maybeSent: boolean,
  status?: number,
): ApiError =>
  lostError(line, 'unreachable', `${origin} cannot be reached for ${requestText(line)}: ${why}.`, maybeSent, status);

const lostError = (line: RequestLine, kind: ErrorKind, says: string, maybeSent: boolean, status?: number): ApiError =>
  new ApiError({ ...line, kind, maybeSent, status, message: says + (maybeSent ? outcomeUnknown : '') });

/** A response that cannot be read; `content` completes "the API answered with 200, but with …". */
export const malformedError = (line: RequestLine, content: string, status: number): ApiError =>
  unreadableError(line, status, `${content}. Check that the base URL is the API's.`);

/** A list that has fewer rows than it tells of. */
export const incompleteError = (line: RequestLine, content: string, status: number): ApiError =>
  unreadableError(line, status, `${content}.`);

/** A response whose JSON breaks off although the connection ended properly. */
export const truncatedError = (line: RequestLine, status: number): ApiError =>
  unreadableError(line, status, `JSON that is cut off or broken.${line.method === 'GET' ? '' : outcomeUnknown}`, true);

function unreadableError(line: RequestLine, status: number, content: string, isTruncated = false): ApiError {
  const message = `The API answered ${requestText(line)} with ${status}, but with ${content}`;
  return new ApiError({ ...line, kind: 'malformed', status, maybeSent: line.method !== 'GET', isTruncated, message });
}

/** Ends the sentence of an error after which a change may have been done. */
export const outcomeUnknown = ' It may have been done; check before you do it again.';

/** Returns an ApiError; throws any other error again, for that is a mistake in this program. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Whether the API refuses a filter that it does not know. */
export const refusesFilter = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'X-Filter');

/** Ignores that there is no such thing; any other failure is passed on. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.isGone)) throw error;
}
