import { describe, expect, test } from 'vitest';
import { backoffMs, parseRetryAfter } from '../../src/api/retryPolicy.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const read: Operation = { method: 'GET', path: `${version}/volumes` };
const writes: readonly Operation[] = [
  { method: 'POST', path: `${version}/volumes` },
  { method: 'PUT', path: `${version}/volumes/{volumeId}` },
  { method: 'DELETE', path: `${version}/volumes/{volumeId}` },
];

/** Of a second; what is left of a pause is a little less than all of it. */
const inTenths = (ms: number) => Math.round(ms / 100);

describe('a read', () => {
  test.each([502, 503, 504])('is repeated after %i until it succeeds', async (status) => {
    const { url } = await serve((_, response, count) => json(response, { count }, count < 4 ? status : 200));
    const { api, calls, waits } = client(url);
    expect((await api.send(read)).body).toEqual({ count: 4 });
    expect(waits).toEqual([500, 1000, 2000]);
    expect(calls.map((call) => [call.attempt, call.status])).toEqual([
      [1, status],
      [2, status],
      [3, status],
      [4, 200],
    ]);
    expect(calls[0]?.error).toBeTypeOf('string');
    expect(calls[3]?.error).toBeUndefined();
  });

  test('is repeated while the server it asks about is busy, which is told by its reason alone', async () => {
    const busy = (reason: string) => ({ errors: [{ reason }] });
    const { url } = await serve((_, response, count) =>
      count < 3 ? json(response, busy('Server busy.'), 400) : json(response, { count }),
    );
    const { api, waits } = client(url);
    expect((await api.send(read)).body).toEqual({ count: 3 });
    expect(waits).toEqual([500, 1000]);

    const { url: wrong, seen } = await serve((_, response) => json(response, busy('label is not valid'), 400));
    await failure(client(wrong).api.send(read));
    expect(seen).toHaveLength(1);
  });

  test('is repeated after a broken connection', async () => {
    const { url } = await serve((_, response, count) => (count < 3 ? response.destroy() : json(response, { count })));
    expect((await client(url).api.send(read)).body).toEqual({ count: 3 });
  });

  test('is given up after four attempts', async () => {
    const { url, seen } = await serve((_, response) => json(response, { errors: [{ reason: 'Busy.' }] }, 503));
    const error = await failure(client(url).api.send(read));
    expect(error).toMatchObject({ kind: 'answer', status: 503, errors: [{ reason: 'Busy.' }] });
    expect(seen).toHaveLength(4);
  });

  test.each([400, 401, 403, 404, 409, 500, 501])('is not repeated after %i', async (status) => {
    const { url, seen } = await serve((_, response) => json(response, { errors: [] }, status));
    expect(await failure(client(url).api.send(read))).toMatchObject({ kind: 'answer', status });
    expect(seen).toHaveLength(1);
  });

  test('waits as long as Retry-After asks, in seconds', async () => {
    const { url } = await serve((_, response, count) =>
      json(response, {}, count < 2 ? 429 : 200, count < 2 ? { 'retry-after': '7' } : {}),
    );
    const { api, calls, waits } = client(url, { random: () => 0 });
    await api.send(read);
    expect(waits.map(inTenths)).toEqual([70]);
    expect(calls[0]?.retryAfterMs).toBe(7000);
  });

  test('takes the first of several Retry-After', async () => {
    const { url } = await serve((_, response, count) => {
      if (count < 2) response.setHeader('retry-after', ['7', '9']);
      json(response, {}, count < 2 ? 429 : 200);
    });
    const { api, waits } = client(url, { random: () => 0 });
    await api.send(read);
    expect(waits.map(inTenths)).toEqual([70]);
  });

  test('waits until the date Retry-After names, by the clock of the server', async () => {
    const headers = { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT' };
    const { url } = await serve((_, response, count) => json(response, {}, count < 2 ? 503 : 200, headers));
    const { api, waits } = client(url, { random: () => 0 });
    await api.send(read);
    expect(waits.map(inTenths)).toEqual([50]);
  });

  test('that is asked to wait longer than anybody would says so instead', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}, 429, { 'retry-after': '3600' }));
    const error = await failure(client(url).api.send(read));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(error.message).toMatch(/3600 s/);
    expect(seen).toHaveLength(1);
  });
});

describe('a write', () => {
  test.each(writes)('is never repeated: $method', async (operation) => {
    for (const status of [400, 429, 500, 502, 503, 504]) {
      const busy = { errors: [{ reason: 'Server busy.' }] };
      const { url, seen } = await serve((_, response) => json(response, busy, status, { 'retry-after': '1' }));
      const { api, waits } = client(url);
      const error = await failure(api.send(operation, { params: { volumeId: '1' } }));
      expect(error).toMatchObject({ status, maybeSent: [500, 502, 504].includes(status) });
      expect(seen).toHaveLength(1);
      expect(waits).toEqual([]);
    }
  });
});

describe('the wait', () => {
  test('doubles, is half left to chance, and has an end', () => {
    const attempts = [1, 2, 3, 4, 5, 6, 7];
    expect(attempts.map((attempt) => backoffMs(attempt, () => 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(attempts.map((attempt) => backoffMs(attempt, () => 0))).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  test.each([
    [undefined, undefined],
    ['soon', undefined],
    ['0', 0],
    ['1.5', 1500],
    ['999999999999', 86_400_000],
    ['Tue, 01 Jan 2199 00:00:00 GMT', 86_400_000],
    ['Tue, 01 Jan 2019 00:00:00 GMT', 0],
  ])('of Retry-After %s is %s', (header, ms) => {
    expect(parseRetryAfter(header, Date.UTC(2030, 0, 1))).toBe(ms);
  });
});
