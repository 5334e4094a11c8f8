import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const list: Operation = { method: 'GET', path: `${version}/volumes`, scope: 'volumes:read_only' };
const create: Operation = { method: 'POST', path: `${version}/volumes`, scope: 'volumes:read_write' };

test.each([
  [400, 'failed'],
  [503, 'failed'],
  [500, 'answer lost'],
  [502, 'answer lost'],
])('a change that is answered with %i is told as %s', async (status, outcome) => {
  const changes: unknown[] = [];
  const { url } = await serve((_, response) => json(response, { errors: [] }, status));
  const { api } = client(url, { onChange: (change) => changes.push(change) });
  await failure(api.send(create, { body: {} }));
  expect(changes).toMatchObject([{ outcome, status }]);
});

describe('without a connection', () => {
  test('a refused one is unreachable, and a change was surely not sent', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { api, calls } = client(`http://127.0.0.1:${port}`);
    const error = await failure(api.send(create, { body: {} }));
    expect(error).toMatchObject({ kind: 'unreachable', maybeSent: false });
    expect(error.message).toMatch(/refused/);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.error).toBe(error.message);
  });

  test('one that breaks leaves in doubt whether a change was done', async () => {
    const { url, seen } = await serve((_, response) => response.destroy());
    const error = await failure(client(url).api.send(create, { body: {} }));
    expect(error).toMatchObject({ kind: 'unreachable', maybeSent: true });
    expect(error.message).toMatch(/may have been done; check/);
    expect(seen).toHaveLength(1);
  });

  test('what is no HTTP server is said to be none', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('SSH-2.0-OpenSSH_9.7\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const error = await failure(client(`http://127.0.0.1:${port}`).api.send(list));
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(error.message).toMatch(/does not speak HTTP/);
  });
});

describe('time', () => {
  test('is limited, before the headers and within the body', async () => {
    const { url, seen } = await serve((_, response, count) => {
      if (count % 2 === 0) response.write('{');
    });
    const { api, calls } = client(url, { timeoutMs: 40 });
    const error = await failure(api.send(list));
    expect(error).toMatchObject({ kind: 'timeout', maybeSent: false });
    expect(error.message).toMatch(/within 0.04 s/);
    expect(seen).toHaveLength(4);
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  test('is longer for what takes long to go out', async () => {
    const { url } = await serve(() => {});
    const { api } = client(url, { timeoutMs: 40 });
    const body = { label: 'x'.repeat(5000 - '{"label":""}'.length) };
    expect((await failure(api.send(create, { body }))).message).toMatch(/within 0.14 s/);
    const form = new FormData();
    form.append('file', new File(['x'.repeat(5000)], 'report.txt'));
    expect((await failure(api.send(create, { form }))).message).toMatch(/within 0.14\d* s/);
  });

  test('that runs out leaves in doubt whether a change was done, and is not spent twice', async () => {
    const { url, seen } = await serve(() => {});
    const error = await failure(client(url, { timeoutMs: 40 }).api.send(create, { body: {} }));
    expect(error).toMatchObject({ kind: 'timeout', maybeSent: true });
    expect(seen).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test('ends a request under way at once, without another attempt', async () => {
    const controller = new AbortController();
    const { url, seen } = await serve(() => controller.abort());
    const { api, waits } = client(url);
    const error = await failure(api.send(list, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', maybeSent: false });
    expect(seen).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  test('a change under way leaves in doubt whether it was done', async () => {
    const controller = new AbortController();
    const { url } = await serve(() => controller.abort());
    const error = await failure(client(url).api.send(create, { body: {}, signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', maybeSent: true });
  });

  test('beforehand sends and reports nothing', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const { api, calls } = client(url);
    expect(await failure(api.send(create, { signal: AbortSignal.abort() }))).toMatchObject({
      kind: 'aborted',
      maybeSent: false,
    });
    expect(seen).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('a request that waits for a connection never sends it', async () => {
    const held: ServerResponse[] = [];
    const { url, seen } = await serve((_, response) => held.push(response));
    const { api } = client(url);
    const busy = [1, 2].map((nth) => api.send(create, { body: { nth } }));
    await expect.poll(() => held.length).toBe(2);
    const controller = new AbortController();
    const waiting = failure(api.send(create, { body: { nth: 3 }, signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort();
    expect(await waiting).toMatchObject({ kind: 'aborted', maybeSent: false });
    const later = [4, 5].map((nth) => api.send(create, { body: { nth } }));
    for (const response of held.splice(0)) json(response, {});
    await Promise.all(busy);
    await expect.poll(() => held.length).toBe(2);
    for (const response of held) json(response, {});
    await Promise.all(later);
    expect(seen.map(({ body }) => JSON.parse(body).nth)).toEqual([1, 2, 4, 5]);
  });

  test('reads that hang are six at most, and neither a change nor a probe waits behind them', async () => {
    const { url, seen } = await serve(({ method, url: { searchParams } }, response) => {
      if (method === 'POST' || searchParams.has('page')) json(response, {});
    });
    const { api } = client(url);
    const hanging = Array.from({ length: 9 }, () => failure(api.send(list)));
    await expect.poll(() => seen.length).toBe(6);
    expect((await api.send(create, { body: {} })).status).toBe(200);
    expect((await api.send(list, { query: { page: 1 }, isProbe: true })).status).toBe(200);
    expect(seen).toHaveLength(8);
    await api.close();
    await Promise.all(hanging);
  });

  test('by closing ends everything under way', async () => {
    const { url, seen } = await serve(() => {});
    const { api } = client(url);
    const busy = Array.from({ length: 8 }, () => failure(api.send(list)));
    await expect.poll(() => seen.length).toBe(6);
    await api.close();
    expect((await Promise.all(busy)).map(({ kind }) => kind)).toEqual(Array(8).fill('aborted'));
  });

  test('ends the wait before another attempt, and so does closing', async () => {
    const { url } = await serve((_, response) => json(response, {}, 503));
    const controller = new AbortController();
    const { api } = client(url, { sleep: undefined, onCall: () => setImmediate(() => controller.abort()) });
    const error = await failure(api.send(list, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted' });
    const { api: other, calls } = client(url, { sleep: undefined, onCall: () => setImmediate(() => other.close()) });
    expect(await failure(other.send(list))).toMatchObject({ kind: 'aborted' });
    expect(await failure(other.send(list))).toMatchObject({ kind: 'aborted' });
    expect(calls).toEqual([]);
  });
});
