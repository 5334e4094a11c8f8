import type { RequestFacts } from '../resources/account/requests.ts';
import type { SentRecord } from '../resources/changeRecord.ts';
import type { Params } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';
import type { ChangeHooks } from './changeAudit.ts';
import type { ApiError, ErrorKind } from './error.ts';
import type { Proxies } from './proxies.ts';
import type { HttpRequest, HttpResponse } from './requestHandler.ts';
import type { Sleep } from './retryPolicy.ts';
import type { VocabularyMap } from './vocabulary.ts';

export interface ApiOptions extends ChangeHooks {
  /** Everything before the version; may have a path. Requests wait for a promised one, which must not have a path. */
  baseUrl: string | Promise<string>;
  token?: string;
  /** Only GET requests are ever sent. */
  readOnly?: boolean;
  /** From sending a request to the last byte of its response; 10,000 by default. */
  timeoutMs?: number;
  /** The platform's words for the stand-ins of the documents. */
  vocabulary?: VocabularyMap;
  /** Proxies for addresses other than those of this machine. */
  proxies?: Proxies;
  /** Sees the requests too, or answers them. */
  exchanges?: Exchanges;
  /** Whether a read that was not answered in time is sent again; true by default. */
  retriesTimeouts?: boolean;
  /** Called after every attempt. */
  onCall?: (call: Call) => void;
  /** Waits before a retry; rejects when the signal is aborted. */
  sleep?: Sleep;
  /** From 0 to 1; the jitter of the waits. */
  random?: () => number;
  /** The limit on how long the pauses that the API asks for may delay requests in all; none by default. */
  pauseBudgetMs?: number;
}

/** One attempt of a request. */
export interface Call extends RequestFacts {
  kind?: ErrorKind;
}

export interface ApiRequest extends Pick<HttpRequest, 'onProgress' | 'isProbe'>, Partial<Pick<HttpRequest, 'signal'>> {
  params?: Params;
  query?: Record<string, string | number>;
  /** Sent as JSON. */
  body?: unknown;
  /** The change that it is, for the audit log. */
  record?: SentRecord;
  /** Sent as multipart form, e.g. a ticket attachment (document 1, 4.4). */
  form?: FormData;
  /** Sent as X-Filter. */
  filter?: object;
}

export interface ApiResponse {
  /** Parsed and in the documents' words; `{}` when it is empty. */
  body: unknown;
  status: number;
  /** The X-OAuth-Scopes header, in the platform's words: the scopes of the token. */
  scopes?: string;
  /** The server's clock. */
  date?: Timestamp;
  /** When its request was sent, the last of those that were tried; by the monotonic clock in milliseconds. */
  sentAt?: number;
}

/** A request and what became of it. */
export interface Exchange extends Pick<RequestFacts, 'at' | 'ms'> {
  request: HttpRequest;
  origin: string;
  response: HttpResponse | ApiError;
}

/** Sees the requests of a client beside it, or answers them. */
export interface Exchanges {
  record?: (exchange: Exchange) => void;
  /** Answers in place of the network, which nothing reaches then. Rejects with an ApiError. */
  answer?: (request: HttpRequest) => Promise<HttpResponse>;
  /** Sets who is told, as a sentence, that nothing more can be recorded. */
  onEnd?: (tell: (says: string) => void) => void;
}
