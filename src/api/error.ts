/**
 * - `answer`: the API answered with a status other than 2xx
 * - `unreachable`: no connection, or it broke before the answer was complete
 * - `timeout`: no complete answer in time
 * - `aborted`: cancelled by the caller or by closing the client
 * - `malformed`: an answer that cannot be read, or a request that cannot be written
 * - `read-only`: the gate is closed; nothing was sent
 * - `away`: the API as a whole fails, or asks to wait, so nothing was sent
 * - `absent`: an operation that the documents do not have, and the API neither
 * - `unrecorded`: the audit log cannot take the change, so it was not sent
 */
export type ErrorKind =
  | 'answer'
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'malformed'
  | 'read-only'
  | 'away'
  | 'unrecorded'
  | 'absent';

/** One element of an error body (document 1, 2.1). `field` is a dotted path, indexes included: `ipv4.0.range`. */
export interface Reason {
  field?: string;
  reason: string;
}

/** The parts of an `ApiError`. */
export interface ErrorDetails {
  kind: ErrorKind;
  method: string;
  /** In the documents' words, without query. */
  path: string;
  /** One readable sentence. */
  message: string;
  status?: number;
  errors?: readonly Reason[];
  retryAfterMs?: number;
  maybeSent?: boolean;
  isCutOff?: boolean;
}

/** The only error that the client throws for a request. Its message is one readable sentence without secrets. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** The reasons that the API gives, in its order; empty when it gave none. */
  readonly errors: readonly Reason[];
  /** The wait that the API asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** A write whose answer was lost: it may have been done or not. */
  readonly maybeSent: boolean;
  /** An answer that begins as it should and breaks off, which says nothing against the address. */
  readonly isCutOff: boolean;

  constructor({ message, kind, method, path, status, errors = [], retryAfterMs, ...rest }: ErrorDetails) {
    super(message);
    this.kind = kind;
    this.method = method;
    this.path = path;
    this.status = status;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
    this.maybeSent = rest.maybeSent ?? false;
    this.isCutOff = rest.isCutOff ?? false;
  }
}

/** Which request an error is about. */
export interface Subject {
  method: string;
  /** In the documents' words, without query. */
  path: string;
  /** The same in the platform's words, where it has its own: what sentences name. */
  wirePath?: string;
}

/** A request as sentences name it. */
export const spoken = ({ method, path, wirePath = path }: Subject): string => `${method} ${wirePath}`;

/** The gate refused a change (nothing was sent). */
export const readOnlyError = (subject: Subject): ApiError =>
  new ApiError({
    kind: 'read-only',
    method: subject.method,
    path: subject.path,
    message: `Skydeck is read-only, so ${spoken(subject)} was not sent; start it without read-only to make changes.`,
  });

/** The API as a whole fails, as this error says, so that a read was held back. */
export const awayError = (subject: Subject, { message }: ApiError): ApiError =>
  new ApiError({
    kind: 'away',
    method: subject.method,
    path: subject.path,
    message: `${spoken(subject)} was not sent, because the API is away: ${message}`,
  });

/** The API has no such operation, which the documents do not have either. */
export const absentError = (subject: Subject): ApiError =>
  new ApiError({
    kind: 'absent',
    method: subject.method,
    path: subject.path,
    message: `The API has no ${spoken(subject)}.`,
  });

/** The API asked for a pause that is not over, so that nothing is sent. */
export const pausedError = (subject: Subject, leftMs: number): ApiError =>
  new ApiError({
    kind: 'away',
    method: subject.method,
    path: subject.path,
    retryAfterMs: leftMs,
    message: `${spoken(subject)} was not sent, because the API asks to wait; try again in ${Math.ceil(leftMs / 1000)} s.`,
  });

/** The caller, or closing the client, cancelled the request. */
export const abortedError = (subject: Subject, maybeSent: boolean): ApiError =>
  new ApiError({
    kind: 'aborted',
    method: subject.method,
    path: subject.path,
    maybeSent,
    message: `${spoken(subject)} was cancelled.${maybeSent ? endUnknown : ''}`,
  });

/** No complete answer within the time limit. */
export const timeoutError = (subject: Subject, origin: string, ms: number, maybeSent: boolean): ApiError =>
  new ApiError({
    kind: 'timeout',
    method: subject.method,
    path: subject.path,
    maybeSent,
    message: `${origin} did not answer ${spoken(subject)} within ${ms / 1000} s.${maybeSent ? endUnknown : ''}`,
  });

/** There is no connection, or it broke; `why` is a clause such as `the connection was refused`. */
export const unreachableError = (
  subject: Subject,
  origin: string,
  why: string,
  maybeSent: boolean,
  status?: number,
): ApiError =>
  new ApiError({
    kind: 'unreachable',
    method: subject.method,
    path: subject.path,
    maybeSent,
    status,
    message: `${origin} cannot be reached for ${spoken(subject)}: ${why}.${maybeSent ? endUnknown : ''}`,
  });

/** An answer that cannot be read; `what` completes "the API answered 200 with …". */
export const malformedError = (subject: Subject, what: string, status: number): ApiError =>
  unreadable(subject, status, `${what}. Check that the base URL is the API's.`);

/** An answer that is not whole although the connection says that it is. */
export const cutOffError = (subject: Subject, status: number): ApiError =>
  unreadable(subject, status, `JSON that is cut off or broken.${subject.method === 'GET' ? '' : endUnknown}`, true);

const unreadable = (subject: Subject, status: number, says: string, isCutOff?: true): ApiError =>
  new ApiError({
    kind: 'malformed',
    method: subject.method,
    path: subject.path,
    status,
    maybeSent: subject.method !== 'GET',
    isCutOff,
    message: `The API answered ${spoken(subject)} with ${status}, but with ${says}`,
  });

/** Follows the reason, where the answer to a change was lost. */
export const endUnknown = ' Nobody knows whether it was done; look before doing it again.';

/** The error itself when the API or the way to it is at fault; throws any other, which is a mistake of ours. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
