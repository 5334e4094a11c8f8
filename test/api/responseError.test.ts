import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const attach: Operation = {
  method: 'POST',
  path: `${version}/volumes/{volumeId}/attach`,
  scope: ['volumes:read_write', 'servers:read_write'],
};

async function refused(status: number, body: unknown, headers: Record<string, string> = {}) {
  const { url } = await serve((_, response) => json(response, body, status, headers));
  return failure(client(url).api.send(attach, { params: { volumeId: '7' }, body: {} }));
}

describe('an error body', () => {
  test('keeps what was asked and what was said, fields as dotted paths', async () => {
    const error = await refused(400, {
      errors: [
        { field: 'ipv4[0].range', reason: 'Must be free.' },
        { field: null, reason: 'Server busy.' },
        { reason: 'Try later' },
        { field: 'label', reason: 'is taken' },
      ],
    });
    expect(error).toMatchObject({ kind: 'answer', status: 400, method: 'POST', path: `${version}/volumes/7/attach` });
    expect(error.errors).toEqual([
      { field: 'ipv4.0.range', reason: 'Must be free.' },
      { reason: 'Server busy.' },
      { reason: 'Try later' },
      { field: 'label', reason: 'is taken' },
    ]);
    expect(error.message).toBe('ipv4.0.range: Must be free; Server busy; Try later; label: is taken (400).');
  });

  test.each([
    [null],
    [[]],
    ['nothing'],
    [{ errors: 'no' }],
    [{ errors: [null, 1, { field: 'label' }, { reason: 7 }] }],
  ])('of another shape is survived: %j', async (body) => {
    const error = await refused(400, body);
    expect(error).toMatchObject({ status: 400, errors: [] });
    expect(error.message).toMatch(/gives no reason/);
  });

  test('is brought to one line without control characters', async () => {
    const error = await refused(400, { errors: [{ reason: 'first\u001b[31m\r\n  second' }] });
    expect(error.errors).toEqual([{ reason: 'first second' }]);
  });

  test('never repeats the token', async () => {
    const error = await refused(401, { errors: [{ reason: 'Bad token secret-token-of-the-test given' }] });
    expect(error.errors).toEqual([{ reason: 'Bad token [redacted] given' }]);
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain('secret-token-of-the-test');
  });
});

describe('the sentence', () => {
  const body = { errors: [{ reason: 'Because' }] };
  test.each([
    [401, /token \(401: Because\); check it, or create a new one/],
    [
      403,
      /POST \/v4\/volumes\/7\/attach \(403: Because\); it needs the scope volumes:read_write and servers:read_write/,
    ],
    [404, /nothing at \/v4\/volumes\/7\/attach \(404: Because\); it may have been deleted/],
    [409, /^Because \(409\)/],
    [429, /Too many requests \(429: Because\); try again in a while/],
    [500, /failed to handle .*\(500: Because\)/],
  ])('of %i says what it is and the way out', async (status, says) => {
    expect((await refused(status, body)).message).toMatch(says);
  });

  test('of a list that is not there doubts the words, for nobody deletes a list', async () => {
    const { url } = await serve((_, response) => json(response, {}, 404));
    const { api } = client(url);
    const list = (path: string) => failure(api.send({ method: 'GET', path, pages: 'numbered' } as Operation));
    expect((await list(`${version}/volumes`)).message).toMatch(
      /nothing at \/v4\/volumes \(404\); a list is never deleted, so look at vocabulary and base_url\.$/,
    );
    expect((await failure(api.send({ method: 'GET', path: `${version}/volumes` }))).message).toMatch(/been deleted/);
  });

  test('counts the seconds that Retry-After asks for', async () => {
    const error = await refused(429, body, { 'retry-after': '12' });
    expect(error).toMatchObject({ retryAfterMs: 12_000, maybeSent: false });
    expect(error.message).toMatch(/in 12 s/);
  });
});

test('a web page of a gateway in trouble is its status, not a riddle', async () => {
  const { url } = await serve((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
  const error = await failure(client(url).api.send(attach, { params: { volumeId: '7' }, body: {} }));
  expect(error).toMatchObject({ kind: 'answer', status: 502, errors: [], maybeSent: true });
  expect(error.message).not.toMatch(/html/);
});

test.each([
  ['<html>404 Not Found</html>', false],
  ['no such route', false],
  ['{"errors":[{"reason":"Not found"}]}', true],
  ['', true],
])('of 404 with the body %j a row is gone: %s', async (body, isGone) => {
  const { url } = await serve((_, response) => response.writeHead(404).end(body));
  const error = await failure(client(url).api.send(attach, { params: { volumeId: '7' }, body: {} }));
  expect(error).toMatchObject({ kind: 'answer', status: 404, isGone });
  expect(/may have been deleted/.test(error.message)).toBe(isGone);
});

test('a refusal that breaks off is still a refusal', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(403, { 'content-length': '1000' });
    response.write('{', () => response.destroy());
  });
  const error = await failure(client(url).api.send(attach, { params: { volumeId: '7' }, body: {} }));
  expect(error).toMatchObject({ kind: 'answer', status: 403, errors: [] });
});

test.each([500, 502, 504, 301, 302, 303, 307, 308])(
  'a change that is answered with %i may have been done',
  async (status) => {
    const { url } = await serve((_, response) => response.writeHead(status, { location: '/elsewhere' }).end());
    const error = await failure(client(url).api.send({ method: 'POST', path: `${version}/volumes` }, { body: {} }));
    expect(error).toMatchObject({ kind: 'answer', status, maybeSent: true });
    expect(error.message).toMatch(/It may have been done; check before you do it again\.$/);
    expect(error.message).not.toMatch(/try again/);
  },
);
