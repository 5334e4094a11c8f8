import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/api/error.ts';
import type { ListOperation, Row } from '../../src/resources/resource.ts';
import { isGradual, pagesOf, readEveryRow, readSome } from '../../src/store/reading.ts';
import { client, json, serve, version } from '../api/server.ts';

/** A page is asked for by its number, or by a marker. */
type Told = (page: number) => unknown;

const rowsOf = (page: number, count = 100): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: page * 1000 + index }));

/** Reads a collection to its end, or as far as it would be looked at, from a server that answers by `told`. */
async function read(pages: ListOperation['pages'], told: Told, gradual?: true) {
  const { url, seen } = await serve((request, response) => {
    const { searchParams } = request.url;
    json(response, told(Number(searchParams.get('page') ?? searchParams.get('marker') ?? 1)));
  });
  const { api } = client(url);
  const operation: ListOperation = { method: 'GET', path: `${version}/things`, pages, gradual };
  const id = (row: Row) => String(row.id);
  const source = () => pagesOf(api, operation, {});
  const painted: number[] = [];
  const outcome = await (isGradual(operation)
    ? readSome(source, id, 5000)
    : readEveryRow(source, id, (rows) => painted.push(rows().length))
  ).catch((error: unknown) => error);
  onTestFinished(() => api.close());
  return { outcome, painted, asked: seen.length };
}

describe('a collection that lies about its pages', () => {
  const endless: readonly [string, ListOperation['pages'], Told, true?][] = [
    ['a billion pages', 'numbered', (page) => ({ data: rowsOf(page), page, pages: 1e9, results: 1e11 })],
    ['pages beyond all numbers', 'numbered', (page) => ({ data: rowsOf(page), page, pages: 1e308 })],
    ['a billion rows and no pages', 'numbered', (page) => ({ data: rowsOf(page), results: 1e12 })],
    ['the same page again', 'numbered', () => ({ data: rowsOf(1), page: 1, pages: 5000, results: 500_000 })],
    ['a last page that is always the next', 'numbered', (page) => ({ data: rowsOf(1), pages: page + 1 })],
    ['pages without rows', 'numbered', (page) => ({ data: page === 1 ? rowsOf(1) : [], pages: 9000 })],
    ['markers without end and no rows', 'marker', (page) => ({ data: [], next_marker: page + 1 })],
    ['markers without end and the same rows', 'marker', (page) => ({ data: rowsOf(1), next_marker: page + 1 })],
    ['the same page by turns', 'numbered', () => ({ data: rowsOf(1), pages: 1e9 }), true],
  ];

  test.each(endless)('%s: reading ends with a sentence', async (_what, pages, told, gradual) => {
    const { outcome, asked } = await read(pages, told, gradual);
    expect(outcome).toBeInstanceOf(ApiError);
    expect((outcome as ApiError).message).toMatch(/so the list has no end\. Check that the base URL is the API's\.$/);
    expect(asked).toBeLessThan(60);
  });

  test('more rows than memory should hold: reading ends with a sentence, and what was read is shown', async () => {
    const many = (page: number) => Array.from({ length: 50_000 }, (_, index) => ({ id: page * 1e6 + index }));
    const { outcome, painted, asked } = await read('numbered', (page) => ({ data: many(page), page, pages: 40 }));
    expect((outcome as ApiError).message).toMatch(/with more than 250\s000 rows, and no more of them are read\./);
    expect(Math.max(...painted)).toBeGreaterThan(0);
    expect(asked).toBeLessThan(12);
  });

  test('what was read before is shown', async () => {
    const { painted } = await read('numbered', (page) => ({ data: rowsOf(page), page, pages: 1e9 }));
    expect(painted).toEqual([100]);
  });

  test('more results than there are: what was read is shown, and that it is not all is said', async () => {
    const { outcome, painted, asked } = await read('numbered', () => ({ data: rowsOf(1, 3), pages: 1, results: 1e15 }));
    expect((outcome as ApiError).message).toMatch(/with 3 of the 1[\s\d]+ rows that it tells of\.$/);
    expect({ painted, asked }).toEqual({ painted: [3, 3], asked: 2 });
  });

  test.each<[string, unknown, number]>([
    ['no counts', { data: rowsOf(1, 3) }, 3],
    ['counts of nothing', { data: rowsOf(1, 3), page: null, pages: null, results: null }, 3],
    ['counts below nothing', { data: rowsOf(1, 3), page: -1, pages: -1, results: -1 }, 3],
    ['counts that are texts', { data: rowsOf(1, 3), page: '1', pages: '1e9', results: 'many' }, 3],
    ['rows that are none', { data: [null, 7, 'x', ...rowsOf(1, 3), undefined], pages: 1 }, 3],
    ['the same row often', { data: [...rowsOf(1, 3), ...rowsOf(1, 3)], pages: 1, results: 6 }, 3],
  ])('%s: it is read all the same', async (_what, body, count) => {
    const { outcome, asked } = await read('numbered', () => body);
    expect(outcome).toMatchObject({ rows: { length: count } });
    expect(asked).toBeLessThanOrEqual(2);
  });
});
