import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Method, Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

/** Every documented operation whose path the documents show. */
const operations: readonly Operation[] = readFileSync(new URL('../contract/operations.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .flatMap(([, method, path]) => (path?.startsWith('/') ? [{ method: method as Method, path }] : []));

const paramsOf = ({ path }: Operation) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']));

const changes = operations.filter(({ method }) => method !== 'GET');
const reads = operations.filter(({ method }) => method === 'GET');

test('the table has operations that change and operations that read', () => {
  expect(changes.length).toBeGreaterThan(75);
  expect(reads.length).toBeGreaterThan(50);
});

test('a closed gate lets no change through, and opens no connection for one', async () => {
  const { url, seen, connections } = await serve((_, response) => json(response, {}));
  const { api, calls } = client(url, { readOnly: true });
  expect(api.readOnly).toBe(true);
  for (const operation of changes) {
    const error = await failure(api.send(operation, { params: paramsOf(operation), body: { label: 'x' } }));
    expect(error).toMatchObject({ kind: 'read-only', method: operation.method, maybeSent: false });
    expect(error.message).toMatch(/read-only/);
  }
  expect(connections()).toBe(0);
  expect(seen).toEqual([]);
  expect(calls).toEqual([]);
});

test('a closed gate lets every read through', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const { api } = client(url, { readOnly: true });
  for (const operation of reads) await api.send(operation, { params: paramsOf(operation) });
  expect(seen.map(({ method }) => method)).toEqual(reads.map(() => 'GET'));
});

test('an open gate lets every change through, and a closed one is not opened', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const { api } = client(url);
  for (const operation of changes) await api.send(operation, { params: paramsOf(operation), body: {} });
  expect(seen).toHaveLength(changes.length);
  const closed = client(url, { readOnly: true });
  expect(() => Object.assign(closed.api, { readOnly: false })).toThrow(TypeError);
});

test('only GET in capital letters is a read', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const { api } = client(url, { readOnly: true });
  for (const method of ['get', 'HEAD', 'PATCH', 'OPTIONS']) {
    const error = await failure(api.send({ method: method as Method, path: `${version}/volumes` }));
    expect(error).toMatchObject({ kind: 'read-only' });
  }
  expect(seen).toEqual([]);
});
