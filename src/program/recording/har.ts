import type { ErrorKind } from '../../api/error.ts';

/** The account of a recording, as `_skydeck` in the log. */
export interface RecordedAccount {
  profile: string;
  /** Where no profile names it. */
  host?: string;
  /** Undefined for the demo. */
  baseUrl?: string;
  vocabulary?: Readonly<Record<string, string>>;
}

interface HarHeader {
  name: string;
  value: string;
}

/** A request and its answer, as HAR 1.2 has them. */
export interface HarEntry {
  /** An ISO time. */
  startedDateTime: string;
  /** Milliseconds. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: readonly [];
    headers: readonly HarHeader[];
    queryString: readonly HarHeader[];
    postData?: { mimeType: string; text: string };
    headersSize: number;
    bodySize: number;
  };
  response: {
    /** 0 where there was no answer. */
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: readonly [];
    headers: readonly HarHeader[];
    content: { size: number; mimeType: string; text: string };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
  };
  cache: object;
  timings: { send: number; wait: number; receive: number };
  /** Why there was no answer. */
  _error?: { kind: ErrorKind; message: string; status?: number };
  /** The body of an error answer broke off. */
  _isCut?: true;
}
