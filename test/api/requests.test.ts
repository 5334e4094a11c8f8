import { describe, expect, test } from 'vitest';
import { connect } from '../../src/api/client.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const list: Operation = { method: 'GET', path: `${version}/volumes`, scope: 'volumes:read_only' };
const create: Operation = { method: 'POST', path: `${version}/volumes`, scope: 'volumes:read_write' };
const image: Operation = { method: 'GET', path: `${version}/images/{imageId}` };
const tag: Operation = { method: 'GET', path: `${version}/tags/{label}` };

describe('a request', () => {
  test('carries the token, the filter and the query below the path of the base URL', async () => {
    const { url, seen } = await serve((_, response) => json(response, { ok: true }));
    const { api } = client(`${url}/behind/a/gateway/`);
    const filter = { label: 'größe', created: { '+gte': '2030-01-01T00:00:00' } };
    const answer = await api.send(list, { query: { page: 2, prefix: 'a b+c' }, filter });
    expect(answer.body).toEqual({ ok: true });
    const [request] = seen;
    expect(request?.url.pathname).toBe(`/behind/a/gateway${version}/volumes`);
    expect(request?.url.search).toBe('?page=2&prefix=a%20b%2Bc');
    expect(request?.headers.authorization).toBe('Bearer secret-token-of-the-test');
    expect(request?.headers['x-filter']).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(String(request?.headers['x-filter']))).toEqual(filter);
  });

  test('puts the parameters that belong there into the query, and only those that are given', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const { api } = client(url);
    const search: Operation = { ...image, query: ['prefix', 'delimiter'] };
    const request = { params: { imageId: 'a', prefix: 'ü/', unknown: 'x' }, query: { page: 2 } };
    await api.send(search, request);
    expect(seen[0]?.url.search).toBe('?prefix=%C3%BC%2F&page=2');
    expect(api.preview(search, request).url).toMatch(/\?prefix=%C3%BC%2F&page=2$/);
  });

  test('sends JSON, and nothing at all without a body', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const { api } = client(url);
    await api.send(create, { body: { label: 'a', size: 20 } });
    await api.send(create);
    expect(seen.map(({ body }) => body)).toEqual(['{"label":"a","size":20}', '']);
    expect(seen[0]?.headers['content-type']).toBe('application/json');
  });

  test('sends a form as multipart', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const form = new FormData();
    form.append('file', new File(['what it says'], 'report.txt'));
    await client(url).api.send(create, { form });
    expect(seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen[0]?.body).toContain('filename="report.txt"');
    expect(seen[0]?.body).toContain('what it says');
  });

  test('tells how far a form has gone out, and sends it whole', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const form = new FormData();
    const content = 'abcdefghij'.repeat(30_000);
    form.append('file', new File([content], 'report.txt'));
    const told: (readonly [number, number])[] = [];
    await client(url).api.send(create, { form, onProgress: (bytes, total) => told.push([bytes, total]) });
    expect(seen[0]?.body).toContain(content);
    const size = Number(seen[0]?.headers['content-length']);
    expect(size).toBe(seen[0]?.body.length);
    expect(told.length).toBeGreaterThan(3);
    expect(told.map(([bytes]) => bytes)).toEqual(told.map(([bytes]) => bytes).toSorted((a, b) => a - b));
    expect(told.at(-1)).toEqual([size, size]);
  });

  test('needs no token', async () => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    await client(url, { token: undefined }).api.send(list);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  test('keeps connections alive and opens only a few', async () => {
    const { url, connections } = await serve((_, response) => json(response, {}));
    const { api } = client(url);
    for (let request = 0; request < 20; request++) await api.send(list);
    expect(connections()).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 40 }, () => api.send(list)));
    expect(connections()).toBeGreaterThan(1);
    expect(connections()).toBeLessThanOrEqual(6);
  });

  test.each([
    [image, { imageId: 'private/12' }, `${version}/images/private/12`],
    [image, { imageId: 'server/a b?c#d%2e' }, `${version}/images/server/a%20b%3Fc%23d%252e`],
    [tag, { label: 'a/b c=d' }, `${version}/tags/a%2Fb%20c%3Dd`],
    [tag, { label: '…' }, `${version}/tags/%E2%80%A6`],
  ])('encodes the parameters of %o: %o', async (operation, params, path) => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    await client(url).api.send(operation, { params });
    expect(seen[0]?.url.pathname).toBe(path);
  });

  test.each([
    [image, { imageId: 'private/../../account' }],
    [image, { imageId: '/x' }],
    [image, { imageId: 'private/.' }],
    [tag, { label: '..' }],
    [tag, { label: '../../account' }],
    [tag, { label: 'a\\..' }],
    [tag, { label: '' }],
    [tag, {}],
  ])('refuses to climb or to leave out: %o %o', async (operation, params) => {
    const { url, seen } = await serve((_, response) => json(response, {}));
    const error = await failure(client(url).api.send(operation, { params }));
    expect(error).toMatchObject({ kind: 'malformed', path: operation.path, maybeSent: false });
    expect(seen).toEqual([]);
  });

  test('reports each attempt', async () => {
    const { url } = await serve((_, response) => json(response, {}, 200, { 'x-ratelimit-limit': '1840' }));
    const { api, calls } = client(url);
    const before = Date.now();
    await api.send(tag, { params: { label: 'a b' }, query: { page: 1 } });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'GET',
      path: `${version}/tags/a%20b`,
      status: 200,
      attempt: 1,
      rateLimit: 1840,
    });
    expect(calls[0]?.at).toBeGreaterThanOrEqual(before);
    expect(calls[0]?.ms).toBeGreaterThan(0);
  });

  test.each(['many', '1600, 1600', 'Infinity'])('knows no limit from %s', async (limit) => {
    const { url } = await serve((_, response) => json(response, {}, 200, { 'x-ratelimit-limit': limit }));
    const { api, calls } = client(url);
    await api.send(tag, { params: { label: 'a' } });
    expect(calls[0]?.rateLimit).toBeUndefined();
  });
});

describe('an answer', () => {
  test('has its status, scopes, the clock of the server, and when it was asked for', async () => {
    const headers = { 'x-oauth-scopes': 'servers:read_only', date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    const { url } = await serve((_, response) => json(response, { id: 1 }, 202, headers));
    const before = performance.now();
    const { sentAt, ...answer } = await client(url).api.send(create, { body: {} });
    expect(answer).toEqual({ body: { id: 1 }, status: 202, scopes: 'servers:read_only', date: Date.UTC(2030, 0, 1) });
    expect(sentAt).toBeGreaterThanOrEqual(before);
    expect(sentAt).toBeLessThan(performance.now());
  });

  test.each([[204], [200], [299]])('%i without a body is an empty object', async (status) => {
    const { url } = await serve((_, response) => response.writeHead(status).end());
    expect(await client(url).api.send(create)).toMatchObject({ body: {}, status });
  });

  test('may be any JSON value', async () => {
    const { url } = await serve((_, response) => json(response, false));
    expect((await client(url).api.send(list)).body).toBe(false);
  });

  test('of a web page is one clear error', async () => {
    const { url } = await serve((_, response) => response.end('<!DOCTYPE html><title>Log in</title>'));
    const error = await failure(client(url).api.send(list));
    expect(error).toMatchObject({ kind: 'malformed', status: 200, maybeSent: false });
    expect(error.message).toMatch(/web page/);
  });

  test('to a change that cannot be read leaves in doubt what was done', async () => {
    const { url } = await serve((_, response) => response.end('{"id": 1'));
    const error = await failure(client(url).api.send(create, { body: {} }));
    expect(error).toMatchObject({ kind: 'malformed', status: 200, maybeSent: true });
    expect(error.message).toMatch(/cut off/);
  });

  test('that is nested without end is cut where no answer is deeper, and the rest of it is read', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const levels of [2_000, 200_000]) {
      const text = `{"data": [{"id": 1, "odd": ${deep(levels)}}, {"id": 9007199254740993}], "page": 1}`;
      const { url } = await serve((_, response) => response.end(text));
      const { api } = client(url, { vocabulary: { server: 'acme' } });
      const { data } = (await api.send(list)).body as { data: readonly { id: unknown; odd?: unknown }[] };
      expect(data.length).toBe(2);
      expect(JSON.stringify(data[0]?.odd)).toMatch(/^\[{50,70}"\(nested too deep\)"\]+$/);
    }
  });

  test('may begin with a byte order mark', async () => {
    const { url } = await serve((_, response) => response.end('\ufeff{"data": []}'));
    expect((await client(url).api.send(list)).body).toEqual({ data: [] });
    const page = await serve((_, response) => response.end('\ufeff<!DOCTYPE html>'));
    expect((await failure(client(page.url).api.send(list))).message).toMatch(/web page/);
  });

  test('that breaks off is read again, and fails in the end as a broken connection', async () => {
    const { url, seen } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"data": [', () => response.destroy());
    });
    const error = await failure(client(url).api.send(list));
    expect(error).toMatchObject({ kind: 'unreachable', status: 200, maybeSent: false });
    expect(seen).toHaveLength(4);
  });

  test('of endless length is cut at 64 MiB', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const { url } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.on('drain', more);
      more();
    });
    const error = await failure(client(url).api.send(list));
    expect(error).toMatchObject({ kind: 'malformed', status: 200 });
    expect(error.message).toMatch(/64 MiB/);
    expect(sent).toBeLessThan(80 * 1024 * 1024);
  });

  test('that announces too much is not waited for', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': String(1024 ** 3) });
      response.write('[');
    });
    expect(await failure(client(url).api.send(list))).toMatchObject({ kind: 'malformed' });
  });
});

describe('a redirect', () => {
  test('is not followed and names the base URL', async () => {
    const other = await serve((_, response) => json(response, {}));
    const { url, seen } = await serve((_, response) => {
      response.writeHead(302, { location: `${other.url}/login?state=abc` }).end();
    });
    const error = await failure(client(url).api.send(list));
    expect(error).toMatchObject({ kind: 'answer', status: 302 });
    expect(error.message).toContain(url);
    expect(error.message).toContain(other.url);
    expect(error.message).not.toContain('state=abc');
    expect(seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });
});

describe('connect', () => {
  test.each([
    ['api.example.com', /must be an http or https address/],
    ['ftp://user:hidden@example.com', /must be an http or https address/],
    ['https://user:hidden@example.com', /must not carry a user name/],
  ])('refuses the base URL %s without repeating a password', (baseUrl, says) => {
    expect(() => connect({ baseUrl })).toThrow(says);
    expect(() => connect({ baseUrl })).not.toThrow(/hidden/);
  });

  test('refuses a token that would break the header, without repeating it', () => {
    expect(() => connect({ baseUrl: 'https://example.com', token: 'hidden\r\nX-Evil: 1' })).toThrow(
      /token must not contain/,
    );
    expect(() => connect({ baseUrl: 'https://example.com', token: 'hidden\n' })).not.toThrow(/hidden/);
  });
});
