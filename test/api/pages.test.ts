import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../src/api/pages.ts';
import type { ListOperation, Row } from '../../src/resources/resource.ts';
import { client, failure, json, type Seen, serve, version } from './server.ts';

const list: ListOperation = { method: 'GET', path: `${version}/volumes`, pages: 'numbered' };

const rowsFrom = (first: number, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index }));

/** Answers one page of these rows as the documents have it. */
function page(rows: readonly Row[], { url }: Seen, response: ServerResponse): void {
  const [number, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('page_size'))];
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const data = rows.slice((number - 1) * size, number * size);
  json(response, { data, page: number, pages, results: rows.length });
}

async function all(pages: AsyncIterable<Page>): Promise<Page[]> {
  const read: Page[] = [];
  for await (const page of pages) read.push(page);
  return read;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ rows }) => rows.map(({ id }) => Number(id)));
const asked = (seen: readonly Seen[]) => seen.map(({ url }) => Number(url.searchParams.get('page')));

describe('numbered pages', () => {
  test.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [101, 2],
    [300, 3],
    [1001, 11],
  ])('of %i rows take %i requests, each page once', async (count, requests) => {
    const rows = rowsFrom(1, count);
    const { url, seen } = await serve((request, response) => page(rows, request, response));
    const pages = await all(client(url).api.pages(list));
    expect(idsOf(pages)).toEqual(rows.map(({ id }) => id));
    expect(pages.map(({ page }) => page)).toEqual(Array.from({ length: requests }, (_, index) => index + 1));
    expect(pages.every(({ results, pages }) => results === count && pages === requests)).toBe(true);
    expect(asked(seen).sort((a, b) => a - b)).toEqual(pages.map(({ page }) => page));
    expect(new Set(seen.map(({ url }) => url.searchParams.get('page_size')))).toEqual(new Set(['100']));
  });

  test('give the first before the second is asked for', async () => {
    const rows = rowsFrom(1, 500);
    const { url, seen } = await serve((request, response) => page(rows, request, response));
    const pages = client(url).api.pages(list);
    expect((await pages.next()).value).toMatchObject({ page: 1, pages: 5 });
    expect(asked(seen)).toEqual([1]);
    await pages.return(undefined);
    expect(asked(seen)).toEqual([1]);
  });

  test('come four at a time, in order however they arrive', async () => {
    const rows = rowsFrom(1, 1300);
    let held: [Seen, ServerResponse][] = [];
    let most = 0;
    const { url } = await serve((request, response) => {
      if (request.url.searchParams.get('page') === '1') return page(rows, request, response);
      held.push([request, response]);
      most = Math.max(most, held.length);
      // Answers nothing until four wait (or the last ones do), and then the latest first.
      const last = Number(request.url.searchParams.get('page')) === 13;
      if (held.length < 4 && !last) return;
      const [oldest, ...later] = held;
      held = [];
      for (const [theirs, answer] of later.reverse()) page(rows, theirs, answer);
      if (oldest) page(rows, ...oldest);
    });
    const reading = all(client(url).api.pages(list));
    expect(idsOf(await reading)).toEqual(rows.map(({ id }) => id));
    expect(most).toBe(4);
  });

  test('never have more than four under way', async () => {
    const rows = rowsFrom(1, 2000);
    let open = 0;
    let most = 0;
    const { url } = await serve((request, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        page(rows, request, response);
      });
    });
    await all(client(url).api.pages(list));
    expect(most).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });

  test('that grow while they are read are read to their new end', async () => {
    let rows = rowsFrom(1, 250);
    const { url, seen } = await serve((request, response) => {
      page(rows, request, response);
      if (request.url.searchParams.get('page') === '1') rows = [...rowsFrom(-99, 100), ...rows];
    });
    const pages = await all(client(url).api.pages(list));
    expect(new Set(idsOf(pages))).toEqual(new Set(rowsFrom(1, 250).map(({ id }) => id)));
    expect(asked(seen).sort()).toEqual([1, 2, 3, 4]);
  });

  test('that grow are read to their end although an older answer comes last', async () => {
    const before = rowsFrom(1, 250);
    const after = rowsFrom(1, 350);
    const held: (() => void)[] = [];
    let thirdCame = false;
    const { url } = await serve((request, response) => {
      const number = Number(request.url.searchParams.get('page'));
      if (number === 2 && !thirdCame) held.push(() => page(before, request, response));
      else page(number === 1 ? before : after, request, response);
      if (number !== 3) return;
      thirdCame = true;
      response.on('close', () => held.splice(0).forEach((answer) => void answer()));
    });
    const ids = new Set(idsOf(await all(client(url).api.pages(list))));
    expect(after.filter(({ id }) => !ids.has(Number(id)))).toEqual([]);
  });

  test('that shrink lose nothing that is still there', async () => {
    let rows = rowsFrom(1, 450);
    const { url } = await serve((request, response) => {
      page(rows, request, response);
      if (request.url.searchParams.get('page') === '1') rows = rows.filter(({ id }) => id !== 5);
    });
    const ids = new Set(idsOf(await all(client(url).api.pages(list))));
    expect(rows.filter(({ id }) => !ids.has(Number(id)))).toEqual([]);
  });

  test.each([404, 200])('that go away meanwhile are survived (%i beyond the last)', async (status) => {
    let rows = rowsFrom(1, 800);
    const { url } = await serve((request, response) => {
      const number = Number(request.url.searchParams.get('page'));
      if (number > Math.ceil(rows.length / 100) && status === 404) {
        json(response, { errors: [{ reason: 'Not found' }] }, 404);
        return;
      }
      page(rows, request, response);
      rows = rows.slice(0, 150);
    });
    const ids = new Set(idsOf(await all(client(url).api.pages(list))));
    expect(rows.every(({ id }) => ids.has(Number(id)))).toBe(true);
  });

  test('end at an empty one, whatever count that tells', async () => {
    const rows = rowsFrom(1, 150);
    const { url, seen } = await serve((request, response) => {
      const number = Number(request.url.searchParams.get('page'));
      const data = rows.slice((number - 1) * 100, number * 100);
      // There is always one more to come.
      json(response, { data, page: number, pages: number + 1, results: rows.length });
    });
    const pages = await all(client(url).api.pages(list));
    expect(idsOf(pages)).toEqual(rows.map(({ id }) => id));
    expect(asked(seen)).toEqual([1, 2, 3]);
  });

  test('that fail stop there, with what was read before', async () => {
    const rows = rowsFrom(1, 500);
    const { url } = await serve((request, response) => {
      if (request.url.searchParams.get('page') === '3') json(response, { errors: [] }, 500);
      else page(rows, request, response);
    });
    const pages = client(url).api.pages(list);
    const read: number[] = [];
    const error = await failure(
      (async () => {
        for await (const { page } of pages) read.push(page);
      })(),
    );
    expect(error).toMatchObject({ kind: 'answer', status: 500 });
    expect(read).toEqual([1, 2]);
  });

  test('of a smaller size than was asked for are read to their end where their number is not told', async () => {
    const rows = rowsFrom(1, 33);
    const { url, seen } = await serve(({ url }, response) => {
      const number = Number(url.searchParams.get('page'));
      json(response, { data: rows.slice((number - 1) * 25, number * 25), page: number, results: 33 });
    });
    expect(idsOf(await all(client(url).api.pages(list)))).toEqual(rows.map(({ id }) => id));
    expect(asked(seen)).toEqual([1, 2]);
  });

  test.each([
    ['neither their number nor that of their rows', 250, {}, [1, 2, 3]],
    ['both as nulls, of which the last is full', 200, { pages: null, results: null }, [1, 2, 3]],
    ['both as texts', 150, { pages: '2', results: '150' }, [1, 2]],
    ['neither, of rows that fit on one', 40, {}, [1]],
  ])('that tell %s are read until one is not full', async (_, count, counts, requests) => {
    const rows = rowsFrom(1, count);
    const { url, seen } = await serve(({ url }, response) => {
      const number = Number(url.searchParams.get('page'));
      json(response, { data: rows.slice((number - 1) * 100, number * 100), page: number, ...counts });
    });
    expect(idsOf(await all(client(url).api.pages(list)))).toEqual(rows.map(({ id }) => id));
    expect(asked(seen)).toEqual(requests);
  });

  test('that tell nothing and are never turned end with the first', async () => {
    const rows = rowsFrom(1, 100);
    const { url, seen } = await serve((_, response) => json(response, { data: rows }));
    expect(new Set(idsOf(await all(client(url).api.pages(list)))).size).toBe(100);
    expect(asked(seen)).toEqual([1, 2]);
  });

  test.each([
    ['a page between others', (number: number) => number === 2],
    ['the last page', (number: number) => number === 3],
  ])('of which %s is never found are an error at their end', async (_, isMissing) => {
    const rows = rowsFrom(1, 250);
    const { url, seen } = await serve((request, response) => {
      if (isMissing(Number(request.url.searchParams.get('page')))) json(response, { errors: [] }, 404);
      else page(rows, request, response);
    });
    const ids = new Set<unknown>();
    const error = await failure(
      (async () => {
        for await (const { rows } of client(url).api.pages(list)) for (const { id } of rows) ids.add(id);
      })(),
    );
    expect(error).toMatchObject({ kind: 'malformed', path: `${version}/volumes` });
    expect(error.message).toMatch(/ with (150|200) of the 250 rows that it tells of\.$/);
    expect(ids.size).toBe(isMissing(2) ? 150 : 200);
    expect(asked(seen)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('are cancelled when they are left', async () => {
    const rows = rowsFrom(1, 900);
    let dropped = 0;
    const { url, seen } = await serve((request, response) => {
      const number = Number(request.url.searchParams.get('page'));
      if (number <= 2) page(rows, request, response);
      else response.on('close', () => dropped++);
    });
    for await (const { page } of client(url).api.pages(list)) {
      if (page < 2) continue;
      await expect.poll(() => seen.length).toBe(6);
      break;
    }
    await expect.poll(() => dropped).toBe(4);
  });

  test('are asked for while somebody looks at the one before', async () => {
    const rows = rowsFrom(1, 900);
    const { url, seen } = await serve((request, response) => page(rows, request, response));
    const pages = client(url).api.pages(list);
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    await expect.poll(() => asked(seen)).toEqual([1, 2, 3, 4, 5]);
    await pages.return(undefined);
  });

  test('keep the query and the filter of the caller', async () => {
    const rows = rowsFrom(1, 60);
    const { url, seen } = await serve((request, response) => page(rows, request, response));
    await all(client(url).api.pages(list, { query: { page_size: 25 }, filter: { label: 'a' } }));
    expect(asked(seen)).toEqual([1, 2, 3]);
    expect(seen.every(({ headers }) => headers['x-filter'] === '{"label":"a"}')).toBe(true);
  });

  test.each([[null], [{}], [[]], [{ data: 'no' }]])('of %j are no list', async (body) => {
    const { url } = await serve((_, response) => json(response, body));
    const error = await failure(all(client(url).api.pages(list)));
    expect(error).toMatchObject({ kind: 'malformed', path: `${version}/volumes` });
    expect(error.message).toMatch(/no list/);
  });
});

describe('pages by marker', () => {
  const objects: ListOperation = {
    method: 'GET',
    path: `${version}/object-storage/buckets/{clusterId}/{bucket}/object-list`,
    pages: 'marker',
  };
  const params = { clusterId: 'us-east-1', bucket: 'logs' };

  test('follow the marker to its end and keep the query', async () => {
    const next: Record<string, string | null> = { '': 'b', b: 'c d', 'c d': null };
    const { url, seen } = await serve(({ url }, response) => {
      const marker = url.searchParams.get('marker') ?? '';
      json(response, { data: [{ name: `after ${marker}` }], next_marker: next[marker] });
    });
    const pages = await all(client(url).api.pages(objects, { params, query: { prefix: 'a/', delimiter: '/' } }));
    expect(pages.map(({ rows, page }) => [page, rows[0]?.name])).toEqual([
      [1, 'after '],
      [2, 'after b'],
      [3, 'after c d'],
    ]);
    expect(seen.map(({ url }) => url.searchParams.get('prefix'))).toEqual(['a/', 'a/', 'a/']);
    expect(seen[0]?.url.searchParams.get('page_size')).toBe('100');
  });

  test('end where there is no marker', async () => {
    const { url } = await serve((_, response) => json(response, { data: [] }));
    expect(await all(client(url).api.pages(objects, { params }))).toHaveLength(1);
  });

  const named = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => ({ name: String(from + nth).padStart(4, '0'), size: 1 }));
  const markers = (at: number) => ({ next_marker: at < 250 ? String(at).padStart(4, '0') : null });
  const truncated = (at: number) => ({ is_truncated: at < 250 });

  test.each<[string, (rows: readonly object[], at: number) => object]>([
    ['at the top', (data, at) => ({ data, ...markers(at) })],
    [
      'in the last object',
      (data, at) => ({ data: data.with(-1, { ...data.at(-1), ...markers(at), ...truncated(at) }) }),
    ],
    ['in an element of their own', (data, at) => ({ data: [...data, markers(at)] })],
    ['nowhere, but told that there is more', (data, at) => ({ data, next_marker: null, ...truncated(at) })],
    ['nowhere, as the last element alone tells', (data, at) => ({ data: [...data, truncated(at)] })],
    ['nowhere, and nothing is told', (data) => ({ data })],
  ])('are found %s', async (_, answered) => {
    const { url, seen } = await serve((asked, response) => {
      const begin = Number(asked.url.searchParams.get('marker') ?? 0);
      const count = Math.min(100, 250 - begin);
      json(response, answered(named(begin + 1, count), begin + count));
    });
    const pages = await all(client(url).api.pages(objects, { params }));
    expect(pages.flatMap(({ rows }) => rows.map(({ name }) => name))).toEqual(named(1, 250).map(({ name }) => name));
    expect(seen).toHaveLength(3);
  });

  test('that should be there and are not are an error instead of an end', async () => {
    for (const data of [[], [{ name: null }], [{ size: 1 }]]) {
      const { url } = await serve((_, response) => json(response, { data, is_truncated: true }));
      const error = await failure(all(client(url).api.pages(objects, { params })));
      expect(error.message).toMatch(/a list that goes on without a marker/);
    }
  });

  test('that lead back to where the reading went on from are an error', async () => {
    const { url } = await serve((_, response) => json(response, { data: named(1, 100) }));
    const request = { params, query: { marker: '0100' } };
    expect(await failure(all(client(url).api.pages(objects, request)))).toMatchObject({ kind: 'malformed' });
  });

  test('that go round in a circle are an error', async () => {
    const { url, seen } = await serve((_, response) => json(response, { data: [{ name: 'x' }], next_marker: 'x' }));
    expect(await failure(all(client(url).api.pages(objects, { params })))).toMatchObject({ kind: 'malformed' });
    expect(seen).toHaveLength(2);
  });
});

describe('a whole collection', () => {
  const backups: ListOperation = {
    method: 'GET',
    path: `${version}/server/instances/{serverId}/backups`,
    pages: 'whole',
    rows: (body) => body.automatic as Row[],
  };

  test('is one request, its rows taken out of the body', async () => {
    const { url, seen } = await serve((_, response) => json(response, { automatic: [{ id: 1 }, null, { id: 2 }] }));
    const pages = await all(client(url).api.pages(backups, { params: { serverId: '1' } }));
    expect(pages).toEqual([{ rows: [{ id: 1 }, { id: 2 }], results: 2, pages: 1, page: 1 }]);
    expect(seen.map(({ url }) => url.search)).toEqual(['']);
  });

  test('whose body is not what the description expects is no list', async () => {
    const odd: ListOperation = { ...backups, rows: (body) => (body.snapshot as { current: Row[] }).current };
    const { url } = await serve((_, response) => json(response, { snapshot: null }));
    const error = await failure(all(client(url).api.pages(odd, { params: { serverId: '1' } })));
    expect(error).toMatchObject({ kind: 'malformed' });
  });
});
