import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const read: Operation = { method: 'GET', path: `${version}/volumes` };
const create: Operation = { method: 'POST', path: `${version}/volumes` };

const tooMany = (response: ServerResponse, headers: Record<string, string> = {}) =>
  json(response, { errors: [{ reason: 'Too many requests' }] }, 429, headers);

/** Waits that end when the test says so. */
function heldSleep() {
  const asked: number[] = [];
  const ends: (() => void)[] = [];
  return {
    asked,
    sleep: (ms: number) =>
      new Promise<void>((end) => {
        asked.push(ms);
        ends.push(end);
      }),
    end: () => {
      for (const end of ends.splice(0)) end();
    },
  };
}

describe('a pause', () => {
  test('holds for every request of the process, also for those that wait for a connection', async () => {
    const open: ServerResponse[] = [];
    const { url, seen } = await serve((_, response, count) => {
      if (count <= 6) open.push(response);
      else json(response, {});
    });
    const { asked, sleep, end } = heldSleep();
    const { api } = client(url, { sleep, random: () => 0 });
    const reads = Array.from({ length: 12 }, () => api.send(read));
    await expect.poll(() => open.length).toBe(6);
    for (const response of open) tooMany(response, { 'retry-after': '30' });
    await expect.poll(() => asked.length).toBe(12);
    const change = api.send(create);
    await expect.poll(() => asked.length).toBe(13);
    expect(seen).toHaveLength(6);
    expect(Math.min(...asked)).toBeGreaterThan(25_000);

    end();
    await Promise.all([...reads, change]);
    expect(seen).toHaveLength(19);
  });

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('is as long as the API asked where the clock is set %s', async (_, by) => {
    const { url, seen } = await serve((_, response, count) =>
      count === 1 ? tooMany(response, { 'retry-after': '30' }) : json(response, {}),
    );
    const { asked, sleep, end } = heldSleep();
    const { api } = client(url, { sleep, random: () => 0 });
    const first = api.send(read);
    await expect.poll(() => asked.length).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    onTestFinished(() => void vi.useRealTimers());
    const second = api.send(create);
    await expect.poll(() => asked.length).toBe(2);
    for (const ms of asked) expect(Math.abs(ms - 30_000)).toBeLessThan(10_000);
    expect(seen).toHaveLength(1);
    end();
    await Promise.all([first, second]);
  });

  test('that the API asks for is kept after a 503 as well', async () => {
    const { url } = await serve((_, response, count) =>
      count === 1 ? json(response, {}, 503, { 'retry-after': '20' }) : json(response, {}),
    );
    const { asked, sleep, end } = heldSleep();
    const { api } = client(url, { sleep, random: () => 0 });
    const first = api.send(read);
    await expect.poll(() => asked.length).toBe(1);
    const second = api.send(create);
    await expect.poll(() => asked.length).toBe(2);
    end();
    await Promise.all([first, second]);
  });

  test('grows from one to the next where the API names no time, and begins anew after a success', async () => {
    const refused = new Set([1, 2, 3, 5]);
    for (const [random, expected] of [
      [() => 0, [500, 1000, 2000, 500]],
      [() => 1, [1500, 2500, 4500, 1500]],
    ] as const) {
      const { url } = await serve((_, response, count) =>
        refused.has(count) ? tooMany(response) : json(response, {}),
      );
      const { api, waits } = client(url, { random });
      await api.send(read);
      await api.send(read);
      expect(waits.map((ms) => Math.round(ms / 100) * 100)).toEqual(expected);
    }
  });

  test('is one for requests that were turned away together', async () => {
    const open: ServerResponse[] = [];
    const { url } = await serve((_, response, count) => {
      if (count <= 6) open.push(response);
      else json(response, {});
    });
    const { asked, sleep, end } = heldSleep();
    const { api } = client(url, { sleep, random: () => 0 });
    const reads = Array.from({ length: 6 }, () => api.send(read));
    await expect.poll(() => open.length).toBe(6);
    for (const response of open) tooMany(response);
    await expect.poll(() => asked.length).toBe(6);
    expect(Math.max(...asked)).toBeLessThanOrEqual(500);
    end();
    await Promise.all(reads);
  });

  test('that nobody waits for sends nothing, and says until when', async () => {
    const { url, seen } = await serve((_, response) => tooMany(response, { 'retry-after': '3600' }));
    const { api, waits, calls } = client(url);
    expect(await failure(api.send(read))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    for (const operation of [read, create]) {
      const held = await failure(api.send(operation));
      expect(held).toMatchObject({ kind: 'unavailable', maybeSent: false });
      expect(held.message).toMatch(
        / \/v4\/volumes was not sent, because the API asked for a pause; try again in 3\d\d\d s\./,
      );
    }
    expect(seen).toHaveLength(1);
    expect(calls).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('is waited for no longer in all than a run has patience', async () => {
    const { url, seen } = await serve((_, response) => tooMany(response, { 'retry-after': '8' }));
    const { api, waits } = client(url, { pauseBudgetMs: 20_000, random: () => 0 });
    expect(await failure(api.send(read))).toMatchObject({ status: 429 });
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([8, 8]);
    expect(await failure(api.send(read))).toMatchObject({ kind: 'unavailable' });
    expect(seen).toHaveLength(3);
  });
});
