import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxiesIn, proxyFor } from '../../src/api/proxies.ts';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

describe('the proxies of an environment', () => {
  test('are none where none is named', () => {
    expect(proxiesIn({ NO_PROXY: '*', HTTPS_PROXY: '' })).toBeUndefined();
  });

  test('are named in small letters before capitals, with or without a scheme', () => {
    const named = proxiesIn({ https_proxy: 'small:1', HTTPS_PROXY: 'http://large:2', HTTP_PROXY: 'https://plain:3' });
    expect(named?.https).toMatchObject({ label: 'http://small:1', variable: 'https_proxy' });
    expect(named?.http).toMatchObject({ label: 'https://plain:3', variable: 'HTTP_PROXY' });
  });

  test('keep their passwords out of what is shown', () => {
    const proxy = proxiesIn({ HTTPS_PROXY: 'http://me:s%20cret@proxy:3128' })?.https;
    expect(proxy).toMatchObject({ label: 'http://proxy:3128', secrets: ['s%20cret', 's cret'] });
  });

  test.each(['socks5://proxy:1', 'http://', 'ftp://me:secret@proxy'])(
    'that are no such address are refused: %s',
    (value) => {
      const says = 'HTTPS_PROXY must be an http or https address such as http://proxy.example.com:3128.';
      expect(() => proxiesIn({ HTTPS_PROXY: value })).toThrow(says);
    },
  );

  test.each([
    ['https://api.example.com', '', 'https'],
    ['http://api.example.com', '', 'http'],
    ['https://api.example.com', 'example.org, other.com', 'https'],
    ['https://api.example.com', 'example.com', undefined],
    ['https://api.example.com', '.EXAMPLE.com', undefined],
    ['https://api.example.com', '*.example.com', undefined],
    ['https://example.com', '*.example.com', 'https'],
    ['https://badexample.com', 'example.com', 'https'],
    ['https://api.example.com', 'x,*', undefined],
    ['https://api.example.com', 'api.example.com:443', undefined],
    ['https://api.example.com', 'api.example.com:8443', 'https'],
    ['https://api.example.com:8443', 'api.example.com:8443', undefined],
    ['https://[2001:db8::1]', '[2001:db8::1]:443', undefined],
    ['https://[2001:db8::1]', '2001:db8::1', undefined],
    ['https://192.0.2.1', '192.0.2.1', undefined],
    ['http://127.0.0.1:4010', '', undefined],
    ['http://localhost:4010', '', undefined],
    ['https://[::1]', '', undefined],
  ])('lead to %s with NO_PROXY=%s by %s', (origin, list, way) => {
    const proxies = proxiesIn({ HTTPS_PROXY: 'https.proxy', HTTP_PROXY: 'http.proxy', NO_PROXY: list });
    expect(proxyFor(origin, proxies)?.label).toBe(way && `http://${way}.proxy`);
  });

  test('serve both kinds of address where only one is named', () => {
    expect(proxyFor('https://a.example', proxiesIn({ HTTP_PROXY: 'p:1' }))?.label).toBe('http://p:1');
    expect(proxyFor('http://a.example', proxiesIn({ HTTPS_PROXY: 'p:1' }))).toBeUndefined();
  });
});

const read: Operation = { method: 'GET', path: `${version}/volumes` };
const create: Operation = { method: 'POST', path: `${version}/volumes` };

/** A proxy that forwards every request to one server, and what it was asked for. */
async function forwarding(url: string) {
  const asked: { url: string; headers: object }[] = [];
  const proxy = createServer((incoming, response) => {
    asked.push({ url: incoming.url ?? '', headers: incoming.headers });
    const { pathname } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request(url + pathname, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { asked, address: `127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

test('requests go through the proxy, with its password and never more connections than without', async () => {
  let open = 0;
  let most = 0;
  const { url, seen } = await serve((_, response) => {
    most = Math.max(most, ++open);
    response.on('close', () => open--);
    setImmediate(() => json(response, {}));
  });
  const { asked, address } = await forwarding(url);
  const { api } = client('http://api.example.test', {
    proxies: proxiesIn({ http_proxy: `http://me:secret@${address}` }),
  });
  await Promise.all(Array.from({ length: 20 }, () => api.send(read)));
  await api.send(create, { body: { label: 'data' } });
  expect(asked).toHaveLength(21);
  expect(asked[0]?.url).toBe(`http://api.example.test${version}/volumes`);
  expect(asked[0]?.headers).toMatchObject({
    host: 'api.example.test',
    'proxy-authorization': `Basic ${Buffer.from('me:secret').toString('base64')}`,
  });
  expect(seen.at(-1)).toMatchObject({ method: 'POST', body: '{"label":"data"}' });
  expect(most).toBeLessThanOrEqual(6);
});

test('a proxy that is not there is named, without its password', async () => {
  const proxies = proxiesIn({ http_proxy: 'http://me:secret@127.0.0.1:1' });
  const error = await failure(client('http://api.example.test', { proxies }).api.send(read));
  expect(error.message).toBe(
    `http://api.example.test through the proxy http://127.0.0.1:1 cannot be reached for GET ${version}/volumes: the connection was refused.`,
  );
});
