import type { Params } from '../resources/resource.ts';
import type { ChangeHooks } from './changeRecord.ts';
import type { ErrorKind } from './error.ts';
import type { Proxies } from './proxies.ts';
import type { Sleep } from './retry.ts';
import type { VocabularyMap } from './vocabulary.ts';

export interface ApiOptions extends ChangeHooks {
  /** Everything before the version; may carry a path. One without a path may be promised: what is asked waits for it. */
  baseUrl: string | Promise<string>;
  token?: string;
  /** Starts with the gate closed: nothing but GET is ever sent. */
  readOnly?: boolean;
  /** Milliseconds from sending a request to the last byte of its answer; 10,000 by default. */
  timeoutMs?: number;
  /** The platform's words for the stand-ins of the documents. */
  vocabulary?: VocabularyMap;
  /** Proxies that addresses other than those of this machine are reached through. */
  proxies?: Proxies;
  /** Told of every attempt when it is over. */
  onCall?: (call: Call) => void;
  /** Waits before an attempt is repeated; rejects when the signal is aborted. */
  sleep?: Sleep;
  /** From 0 to 1; spreads the waits. */
  random?: () => number;
  /** The pauses that the API asks for hold requests up for so many milliseconds in all; without end by default. */
  patienceMs?: number;
}

/** One attempt of a request. */
export interface Call {
  method: string;
  /** In the platform's words, without query. */
  path: string;
  status?: number;
  /** Milliseconds that it took, waiting for a free connection included. */
  ms: number;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  /** From 1. */
  attempt: number;
  /** The kind of failure, and one sentence about it, when it failed. */
  kind?: ErrorKind;
  error?: string;
  /** The X-RateLimit-Limit header. */
  rateLimit?: number;
  retryAfterMs?: number;
}

export interface Request {
  params?: Params;
  query?: Record<string, string | number>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as multipart form, e.g. a ticket attachment (document 1, 4.4). */
  form?: FormData;
  /** Told how many bytes of a form have gone out, of how many. */
  onProgress?: (bytes: number, total: number) => void;
  signal?: AbortSignal;
  /** Sent as X-Filter. */
  filter?: object;
  /** A read that finds out whether the API is there: it is sent while the API is away, when others are held back. */
  isProbe?: boolean;
}

export interface Answer {
  /** Parsed and in the documents' words; `{}` when the answer is empty. */
  body: unknown;
  status: number;
  /** The X-OAuth-Scopes header, in the platform's words: the scopes of the token. */
  scopes?: string;
  /** The server's clock, in milliseconds since the epoch. */
  date?: number;
}
