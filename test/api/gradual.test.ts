import { expect, test } from 'vitest';
import type { ListOperation, Row } from '../../src/resources/resource.ts';
import { pagesOf, readSome } from '../../src/store/reading.ts';
import { client, failure, json, serve, version } from './server.ts';

const list: ListOperation = { method: 'GET', path: `${version}/volumes`, pages: 'numbered', gradual: true };

/** A server of 250 rows that may refuse filters. */
const openServer = (refuses = false) =>
  serve(({ url, headers }, response) => {
    if (refuses && headers['x-filter']) {
      json(response, { errors: [{ field: 'X-Filter', reason: 'Cannot filter on mine' }] }, 400);
      return;
    }
    const page = Number(url.searchParams.get('page'));
    const data = Array.from({ length: page < 3 ? 100 : 50 }, (_, n) => ({ id: (page - 1) * 100 + n }));
    json(response, { data, page, pages: 3, results: 250 });
  });

const idOf = (row: Row) => String(row.id);

test('a gradual list is read one page at a time, and goes on where it was left', async () => {
  const { url, seen } = await openServer();
  const { api } = client(url);
  const first = await readSome(() => api.pages(list), idOf, 0);
  expect([first.rows.length, first.results, first.more]).toEqual([100, 250, '2']);
  expect(seen).toHaveLength(1);
  const last = await readSome(() => api.pages(list, { query: { page: '3' } }), idOf, 0);
  expect([last.rows.length, last.rows[0]?.id, last.more]).toEqual([50, 200, undefined]);
  expect(seen).toHaveLength(2);
});

test('read again, it goes as far as it was read', async () => {
  const { url, seen } = await openServer();
  const { rows, more } = await readSome(() => client(url).api.pages(list), idOf, 200);
  expect([rows.length, more, seen.length]).toEqual([200, '3', 2]);
});

test('a filter that the API does not know is left out', async () => {
  const filtered = { ...list, filter: { mine: true } };
  const known = await openServer();
  await readSome(() => pagesOf(client(known.url).api, filtered, {}), idOf, 0);
  expect(known.seen.map(({ headers }) => headers['x-filter'])).toEqual(['{"mine":true}']);

  const unknown = await openServer(true);
  const { rows } = await readSome(() => pagesOf(client(unknown.url).api, filtered, {}), idOf, 0);
  expect(rows).toHaveLength(100);
  expect(unknown.seen.map(({ headers }) => headers['x-filter'])).toEqual(['{"mine":true}', undefined]);
});

test('any other failure is passed on', async () => {
  const { url } = await serve((_seen, response) => json(response, { errors: [{ reason: 'no' }] }, 403));
  const error = await failure(pagesOf(client(url).api, { ...list, filter: { mine: true } }, {}).next());
  expect(error.status).toBe(403);
});
