import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ErrorDetails } from '../../src/api/error.ts';
import { createCircuitBreaker } from '../../src/api/retryHandler.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { apiError } from '../store/fakeApi.ts';
import { client, failure, json, serve, version } from './server.ts';

const read: Operation = { method: 'GET', path: `${version}/volumes` };
const create: Operation = { method: 'POST', path: `${version}/volumes` };
const look: Operation = { method: 'GET', path: `${version}/account/events` };

const broken = (response: ServerResponse) => json(response, { errors: [] }, 500);

describe('an API that fails', () => {
  test('is asked by probes only, until one of them succeeds', async () => {
    let works = false;
    const { url, seen } = await serve((_, response) => (works ? json(response, {}) : broken(response)));
    const { api, calls } = client(url);
    const probe = () => api.send(look, { isProbe: true });
    await failure(api.send(read));
    await failure(api.send(read));
    await failure(probe());
    expect(seen).toHaveLength(3);

    const held = await failure(api.send(read));
    expect(held).toMatchObject({ kind: 'unavailable', maybeSent: false });
    expect(held.message).toMatch(/GET .*volumes was not sent, because the API is unavailable: .*\(500\)/);
    expect(seen).toHaveLength(3);
    expect(calls).toHaveLength(3);

    await failure(probe());
    expect(seen).toHaveLength(4);
    works = true;
    await probe();
    expect((await api.send(read)).status).toBe(200);
  });

  test('is still asked for a change, whose success ends it as well', async () => {
    const { url, seen } = await serve(({ method }, response, count) =>
      method === 'POST' && count > 4 ? json(response, {}) : broken(response),
    );
    const { api } = client(url);
    for (let nth = 0; nth < 3; nth++) await failure(api.send(look, { isProbe: true }));
    expect(await failure(api.send(create))).toMatchObject({ status: 500 });
    expect(await failure(api.send(read))).toMatchObject({ kind: 'unavailable' });
    await api.send(create);
    expect(await failure(api.send(read))).toMatchObject({ status: 500 });
    expect(seen).toHaveLength(6);
  });

  test('holds back what has waited for a connection', async () => {
    const held: ServerResponse[] = [];
    const { url, seen } = await serve(({ url: { pathname } }, response) => {
      if (pathname.endsWith('events')) broken(response);
      else held.push(response);
    });
    const { api } = client(url);
    const reads = Array.from({ length: 12 }, () => failure(api.send(read)));
    await expect.poll(() => held.length).toBe(6);
    for (let nth = 0; nth < 3; nth++) await failure(api.send(look, { isProbe: true }));
    for (const response of held.splice(0)) broken(response);
    const kinds = (await Promise.all(reads)).map(({ kind }) => kind);
    expect(kinds).toEqual([...Array(6).fill('answer'), ...Array(6).fill('unavailable')]);
    expect(seen).toHaveLength(9);
  });
});

describe('the breaker', () => {
  const isAwayAfter = (...outcomes: readonly ('fine' | Partial<ErrorDetails>)[]) => {
    const breaker = createCircuitBreaker();
    for (const outcome of outcomes) breaker.record(outcome === 'fine' ? {} : apiError(outcome), true);
    return breaker.openedBy() !== undefined;
  };

  test.each<[Partial<ErrorDetails>, boolean]>([
    [{ kind: 'unreachable', status: undefined }, true],
    [{ kind: 'timeout', status: undefined }, true],
    [{ kind: 'malformed', status: 200 }, true],
    [{ status: 302 }, true],
    [{ status: 401 }, true],
    [{ status: 429 }, true],
    [{ status: 503 }, true],
    [{ status: 400 }, false],
    [{ status: 403 }, false],
    [{ status: 404 }, false],
    [{ kind: 'aborted', status: undefined }, false],
  ])('takes %j three times in a row for an outage: %s', (failed, isAway) => {
    expect(isAwayAfter(failed, failed)).toBe(false);
    expect(isAwayAfter(failed, failed, failed)).toBe(isAway);
    expect(isAwayAfter(failed, failed, 'fine', failed)).toBe(false);
    expect(isAwayAfter(failed, failed, failed, 'fine')).toBe(false);
  });

  test('does not take what a part of the API does for an outage: looking for it must have failed, too', () => {
    const breaker = createCircuitBreaker();
    for (let nth = 0; nth < 50; nth++) breaker.record(apiError(), false);
    expect(breaker.openedBy()).toBeUndefined();
    breaker.record(apiError({ message: 'Gone.' }), true);
    expect(breaker.openedBy()?.message).toBe('Gone.');
  });

  test('allows ten repetitions and then one for two successes, however many ask', () => {
    const breaker = createCircuitBreaker();
    const allowed = () => Array.from({ length: 100 }, () => breaker.takeRetry()).filter(Boolean).length;
    expect(allowed()).toBe(10);
    for (let nth = 0; nth < 6; nth++) breaker.record({}, false);
    expect(allowed()).toBe(3);
    for (let nth = 0; nth < 500; nth++) breaker.record({}, false);
    expect(allowed()).toBe(10);
  });
});

test('reads of a whole screen that fail are repeated ten times in all', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}, 503));
  const { api } = client(url);
  await Promise.all(Array.from({ length: 20 }, () => failure(api.send(read))));
  expect(seen).toHaveLength(30);
});
