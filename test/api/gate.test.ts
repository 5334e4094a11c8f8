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

test('an open gate lets every change through, until it is closed for good', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const { api } = client(url);
  for (const operation of changes) await api.send(operation, { params: paramsOf(operation), body: {} });
  expect(seen).toHaveLength(changes.length);
  api.makeReadOnly();
  expect(api.readOnly).toBe(true);
  expect(() => Object.assign(api, { readOnly: false })).toThrow(TypeError);
  for (const operation of changes) {
    expect(await failure(api.send(operation, { params: paramsOf(operation) }))).toMatchObject({ kind: 'read-only' });
  }
  expect(seen).toHaveLength(changes.length);
});

test('a gate that is closed while a first change is being prepared stops it', async () => {
  const { url, connections } = await serve((_, response) => json(response, {}));
  const { api } = client(url);
  const change = failure(api.send({ method: 'POST', path: `${version}/volumes` }, { body: {} }));
  api.makeReadOnly();
  expect(await change).toMatchObject({ kind: 'read-only' });
  expect(connections()).toBe(0);
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
