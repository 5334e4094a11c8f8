import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type As, type Cloud, openCloud } from './cloud.ts';
import { type Limit, names, placed, told } from './limits.ts';
import { type Documented, operationAt } from './operations.ts';
import { errorBody, pageOf, type Shape } from './shapes.ts';

export type Params = Readonly<Record<string, string | number>>;
type Body = Readonly<Record<string, unknown>>;
type Made<T> = T | Promise<T>;

/** The trial of one operation. */
export interface Trial {
  /** The shape of its answer; of one element where the answer is a paginated collection. */
  answers: Shape;
  /** It is tried on these: made anew for each try. */
  params?: (cloud: Cloud) => Made<Params>;
  /** A body that is accepted, for these parameters. */
  body?: (cloud: Cloud, params: Params) => Made<Body>;
  query?: string;
  /** The name of a file that is sent in a multipart form instead of a body. */
  file?: string;
  /** Each value is tried in the body, all else as in `body`. */
  limits?: readonly Limit[];
}

export type Trials = Readonly<Record<string, Trial>>;

/** The path with its parameters filled in; an id that contains a slash keeps it. */
export const pathOf = (path: string, params: Params): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return String(value).split('/').map(encodeURIComponent).join('/');
  });

/**
 * Tries every operation of an area: shape, scopes, pages, unknown ids, broken bodies and limits, then `more`.
 * The keys are the method and the path of the documents, each with its trial.
 */
export function describeArea(name: string, trials: Trials, more?: (cloud: () => Cloud) => void): void {
  describe(name, () => {
    let opened: Cloud | undefined;
    const cloud = () => {
      if (!opened) throw new Error('the cloud opens before the first test');
      return opened;
    };
    beforeAll(async () => {
      opened = await openCloud();
    });
    afterAll(() => opened?.close());

    describe.each(Object.entries(trials))('%s', (key, trial) => describeOperation(operationAt(key), trial, cloud));
    more?.(cloud);
  });
}

/** One try, ready to be sent. */
interface Try {
  path: string;
  params: Params;
  body?: Body;
  file?: string;
}

async function prepared(operation: Documented, trial: Trial, cloud: Cloud): Promise<Try> {
  const params = (await trial.params?.(cloud)) ?? {};
  const body = await trial.body?.(cloud, params);
  return { path: pathOf(operation.path, params) + (trial.query ?? ''), params, body, file: trial.file };
}

/** An operation may be asked for so often; the published reference of the same release says it. */
function rateOf({ method, path }: Documented): number {
  if (/\/stats\b/.test(path)) return 100;
  if (/\/object-(list|acl|url)$/.test(path)) return 750;
  const rare: Readonly<Record<string, number>> = { 'POST /v4/server/instances': 10, 'POST /v4/support/tickets': 2 };
  return rare[`${method} ${path}`] ?? 1600;
}

function describeOperation(operation: Documented, trial: Trial, cloud: () => Cloud): void {
  const { method } = operation;
  const ready = () => prepared(operation, trial, cloud());

  test('answers with the documented shape', async () => {
    const { path, body, file } = await ready();
    const answer = await cloud().ask(method, path, { body, file });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe(String(rateOf(operation)));
    const shape = operation.pages === 'numbered' ? pageOf(trial.answers) : trial.answers;
    expect(shape(answer.body)).toEqual([]);
  });

  describeScopes(operation, ready, cloud);
  if (operation.pages === 'numbered') describePages(operation, ready, cloud);
  if (operation.path.includes('{')) describeUnknown(operation, ready, cloud);
  if (trial.body) describeBodies(operation, trial, ready, cloud);
}

function covers(held: readonly string[], needed: readonly string[]): boolean {
  return needed.every(
    (scope) => held.includes('*') || held.includes(scope) || held.includes(scope.replace('read_only', 'read_write')),
  );
}

function describeScopes(operation: Documented, ready: () => Promise<Try>, cloud: () => Cloud): void {
  const { method, scopes, optional } = operation;
  const open = scopes.length === 0 || optional;

  test(open ? 'answers without a token' : 'wants a token', async () => {
    const { path, body, file } = await ready();
    const answer = await cloud().ask(method, path, { body, file, as: 'nobody' });
    expect(answer.status).toBe(open ? 200 : 401);
    if (!open) expect(errorBody(answer.body)).toEqual([]);
  });

  if (scopes.length === 0) return;

  test('refuses a token that nobody has', async () => {
    const { path, body, file } = await ready();
    const answer = await cloud().ask(method, path, { body, file, as: 'stranger' });
    expect(answer.status).toBe(401);
    expect(errorBody(answer.body)).toEqual([]);
  });

  test.each<As>(['readOnly', 'restricted'])('the %s token has what its scopes allow', async (as) => {
    const held = await cloud().scopes(as);
    expect(held.length).toBeGreaterThan(0);
    const { path, body, file } = await ready();
    // Another try may have begun something on the same server.
    const answer = await cloud().until('the server is free', async () => {
      const answered = await cloud().ask(method, path, { body, file, as });
      return !JSON.stringify(answered.body).includes('Server busy.') && answered;
    });
    if (!covers(held, scopes)) {
      expect(answer.status).toBe(403);
      expect(errorBody(answer.body)).toEqual([]);
    } else
      expect(answer.status, JSON.stringify(answer.body)).toBe(
        as === 'restricted' && takesGrant(operation, body) ? 403 : 200,
      );
  });
}

/** These take a grant beside the scopes (document 2, 4.1 and 4.4): a restricted user adds nothing that costs, and no tags. */
const takesGrant = ({ method, path }: Documented, body: Body = {}): boolean =>
  ['POST /v4/server/instances', 'POST /v4/volumes', 'POST /v4/volumes/{volumeId}/clone'].includes(
    `${method} ${path}`,
  ) || 'tags' in body;

interface Page {
  data: { id?: unknown }[];
  page: number;
  pages: number;
  results: number;
}

function describePages({ method }: Documented, ready: () => Promise<Try>, cloud: () => Cloud): void {
  test.each([
    ['page_size=24', 'page_size'],
    ['page_size=101', 'page_size'],
    ['page_size=many', 'page_size'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
  ])('refuses %s', async (query, field) => {
    const complaints = await cloud().refused(method, `${(await ready()).path}?${query}`);
    expect(names(field, complaints), JSON.stringify(complaints)).toBe(true);
  });

  test.each([25, 26, 99, 100])('pages of %i hold everything once', async (size) => {
    const { path } = await ready();
    const rows: unknown[] = [];
    let results = 0;
    for (let page = 1, pages = 1; page <= pages; page++) {
      const body = await cloud().get<Page>(`${path}?page=${page}&page_size=${size}`);
      expect(body.page).toBe(page);
      expect(body.pages).toBe(Math.max(1, Math.ceil(body.results / size)));
      expect(body.data.length).toBe(Math.min(size, body.results - rows.length));
      rows.push(...body.data.map((row) => JSON.stringify(row.id ?? row)));
      ({ pages, results } = body);
    }
    expect(new Set(rows).size).toBe(results);
  });

  test('a page has 100 when nothing is said', async () => {
    const { path } = await ready();
    const [plain, first] = [await cloud().get<Page>(path), await cloud().get<Page>(`${path}?page=1&page_size=100`)];
    expect({ ...plain, data: plain.data.length }).toEqual({ ...first, data: first.data.length });
  });
}

function describeUnknown(operation: Documented, ready: () => Promise<Try>, cloud: () => Cloud): void {
  test('an unknown id is not found', async () => {
    const { params, body, file } = await ready();
    const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const id of ids.filter((name) => name.endsWith('Id') || name === 'token' || name === 'label')) {
      const none = typeof params[id] === 'number' ? 987654321 : 'no-such-thing';
      const path = pathOf(operation.path, { ...params, [id]: none });
      const answer = await cloud().ask(operation.method, path, { body, file });
      expect(answer.status, `${operation.method} ${path}`).toBe(404);
      expect(errorBody(answer.body)).toEqual([]);
    }
  });
}

function describeBodies(operation: Documented, trial: Trial, ready: () => Promise<Try>, cloud: () => Cloud): void {
  const { method } = operation;

  test.each(['{"label":', '[]', '"text"', 'null'])('refuses the body %s', async (raw) => {
    const { path } = await ready();
    const answer = await cloud().ask(method, path, { raw });
    expect(answer.status).toBe(400);
    expect(errorBody(answer.body)).toEqual([]);
  });

  const tries = (limits: readonly Limit[], side: 'accepts' | 'refuses') =>
    limits.flatMap(({ field, [side]: values = [] }) => values.map((value) => ({ field, value, as: told(value) })));
  const limits = trial.limits ?? [];

  test.each(tries(limits, 'accepts'))('accepts $as as $field', async ({ field, value }) => {
    const { path, body = {} } = await ready();
    const answer = await cloud().ask(method, path, { body: placed(body, field, value) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });

  test.each(tries(limits, 'refuses'))('refuses $as as $field', async ({ field, value }) => {
    const { path, body = {} } = await ready();
    const complaints = await cloud().refused(method, path, placed(body, field, value));
    expect(names(field, complaints), JSON.stringify(complaints)).toBe(true);
  });
}
