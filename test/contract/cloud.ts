import { expect } from 'vitest';
import { startDemo } from '../../src/demo/server.ts';
import { errorBody } from './shapes.ts';

export type As = 'full' | 'readOnly' | 'restricted' | 'nobody' | 'stranger';

/** The answer to one request. */
export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

/** One error of an error body. */
export interface Complaint {
  field?: string | null;
  reason: string;
}

export interface Asking {
  as?: As;
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: string;
  /** Sent as a multipart form with one file of this name, in the field `file`. */
  file?: string;
  headers?: Record<string, string>;
}

/** A demo API under a clock that only tests move, asked over bare HTTP. */
export interface Cloud {
  ask(method: string, path: string, asking?: Asking): Promise<Answer>;
  /** Asks as the owner; fails unless it succeeds, and gives the body. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  remove(path: string): Promise<void>;
  /** Asks as the owner; fails unless it is refused as an invalid request, and gives the complaints. */
  refused(method: string, path: string, body?: unknown): Promise<readonly Complaint[]>;
  /** All rows of a paginated collection. */
  all<T>(path: string): Promise<readonly T[]>;
  /** Lets time pass for the cloud. */
  pass(seconds: number): void;
  /** Lets time pass until `look` finds something, for at most two hours of the cloud's time. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  /** The scopes of a token, as it is told on the first list it may read. */
  scopes(as: As): Promise<readonly string[]>;
  readonly now: number;
  close(): Promise<void>;
}

const stepSeconds = 4;
const steps = 1800;
const noon = Date.UTC(2024, 4, 15, 12);

/** Starts a cloud of 40 servers, always the same, at noon (UTC) of 15 May 2024; it may speak other words. */
export async function openCloud(vocabulary?: Record<string, string>): Promise<Cloud> {
  let now = noon;
  const demo = await startDemo({ port: 0, servers: 40, seed: 1, pace: 1, now: () => now, vocabulary });
  const tokens: Readonly<Record<As, string | undefined>> = {
    ...demo.tokens,
    nobody: undefined,
    stranger: 'no-such-token',
  };

  const once = async (
    method: string,
    path: string,
    { as = 'full', body, raw, file, headers }: Asking,
  ): Promise<Answer> => {
    const token = tokens[as];
    const form = file === undefined ? undefined : formWith(file);
    const json = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(demo.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? json,
      redirect: 'manual',
    });
    const answered = await response.text();
    return { status: response.status, body: parsed(answered, `${method} ${path}`), headers: response.headers };
  };

  const ask = async (method: string, path: string, asking: Asking = {}): Promise<Answer> => {
    const answer = await once(method, path, asking);
    if (answer.status !== 429) return answer;
    now += 1000 * Number(answer.headers.get('retry-after') ?? 120);
    return once(method, path, asking);
  };

  const succeed = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await ask(method, path, { body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body as T;
  };

  const all = async <T>(path: string): Promise<readonly T[]> => {
    const rows: T[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const body = await succeed<{ data: T[]; pages: number }>('GET', `${path}?page=${page}&page_size=100`);
      rows.push(...body.data);
      pages = body.pages;
    }
    return rows;
  };

  return {
    ask,
    all,
    get: (path) => succeed('GET', path),
    post: (path, body) => succeed('POST', path, body),
    put: (path, body) => succeed('PUT', path, body),
    remove: async (path) => {
      await succeed('DELETE', path);
    },
    refused: async (method, path, body) => {
      const answer = await ask(method, path, { body });
      expect(answer.status, `${method} ${path} with ${JSON.stringify(body)?.slice(0, 200)}`).toBe(400);
      expect(errorBody(answer.body)).toEqual([]);
      return (answer.body as { errors: Complaint[] }).errors;
    },
    pass: (seconds) => {
      now += seconds * 1000;
    },
    until: async (what, look) => {
      for (let step = 0; step < steps; step++) {
        const found = await look();
        if (found !== undefined && found !== false) return found;
        now += stepSeconds * 1000;
      }
      throw new Error(`not within ${(steps * stepSeconds) / 60} minutes of the cloud's time: ${what}`);
    },
    scopes: async (as) => {
      for (const path of ['/v4/volumes', '/v4/server/instances', '/v4/account/events', '/v4/images']) {
        const scopes = (await ask('GET', path, { as })).headers.get('x-oauth-scopes');
        if (scopes) return scopes.split(/[\s,]+/);
      }
      return [];
    },
    get now() {
      return now;
    },
    close: () => demo.close(),
  };
}

function formWith(file: string): FormData {
  const form = new FormData();
  form.set('file', new File(['what is attached'], file));
  return form;
}

function parsed(text: string, of: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the answer to ${of} is not JSON: ${text.slice(0, 200)}`);
  }
}
