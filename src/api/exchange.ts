import type { Timestamp } from '../text/times.ts';
import type { ApiError } from './error.ts';
import type { HttpRequest, HttpResponse } from './requestHandler.ts';

/** A request and what became of it. */
export interface Exchange {
  request: HttpRequest;
  origin: string;
  at: Timestamp;
  /** Duration, with the wait for a free connection. */
  ms: number;
  response: HttpResponse | ApiError;
}

/** Sees the requests of a client beside it, or answers them. */
export interface Exchanges {
  /** Told of each exchange. */
  record?: (exchange: Exchange) => void;
  /** Answers in place of the network, which nothing reaches then. Rejects with an ApiError. */
  answer?: (request: HttpRequest) => Promise<HttpResponse>;
  /** Sets who is told, as a sentence, that nothing more can be recorded. */
  onEnd?: (tell: (says: string) => void) => void;
}
