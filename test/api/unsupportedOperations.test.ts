import { expect, test } from 'vitest';
import type { Operation } from '../../src/resources/resource.ts';
import { client, failure, json, serve, version } from './server.ts';

const access: Operation = { method: 'GET', path: `${version}/buckets/{bucket}/access`, undocumented: true };
const documented: Operation = { method: 'GET', path: `${version}/buckets/{bucket}/ssl` };
const type: Operation = { method: 'GET', path: `${version}/types/{typeId}`, undocumented: true };

const params = { bucket: 'logs', typeId: 'large' };

test.each([404, 405, 501])(
  'what the documents do not have and the API answers with %i is asked once',
  async (status) => {
    const { url, seen } = await serve((_, response) => json(response, { errors: [] }, status));
    const { api } = client(url);
    for (let nth = 0; nth < 3; nth++) {
      const error = await failure(api.send(access, { params: { bucket: `b${nth}` } }));
      expect(error).toMatchObject({
        kind: 'unsupported',
        message: `The API has no GET ${version}/buckets/b${nth}/access.`,
      });
    }
    expect(seen).toHaveLength(1);
  },
);

test('what the documents have is asked again whatever the API says', async () => {
  const { url, seen } = await serve((_, response) => json(response, { errors: [] }, 405));
  const { api } = client(url);
  for (let nth = 0; nth < 2; nth++)
    expect(await failure(api.send(documented, { params }))).toMatchObject({ status: 405 });
  expect(seen).toHaveLength(2);
});

test('other refusals say nothing of whether there is such an operation', async () => {
  const { url, seen } = await serve((_, response) => json(response, { errors: [] }, 403));
  const { api } = client(url);
  for (let nth = 0; nth < 2; nth++) expect(await failure(api.send(access, { params }))).toMatchObject({ status: 403 });
  expect(seen).toHaveLength(2);
});

test('a 404 speaks of the row where the path names one, and once the operation was answered', async () => {
  const { url, seen } = await serve(({ url: { pathname } }, response) =>
    pathname.endsWith('/there/access') ? json(response, {}) : json(response, { errors: [] }, 404),
  );
  const { api } = client(url);
  await api.send(access, { params: { bucket: 'there' } });
  for (const operation of [access, access, type, type]) {
    expect(await failure(api.send(operation, { params }))).toMatchObject({ kind: 'answer', status: 404 });
  }
  expect(seen).toHaveLength(5);
});
