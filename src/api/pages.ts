import { at, isRow, type ListOperation, type Row } from '../resources/resource.ts';
import { attempt } from '../text/errno.ts';
import { grouped } from '../text/numbers.ts';
import { textIn } from '../text/words.ts';
import { pathOf } from './address.ts';
import { ignoreNotFound, incompleteError, malformedError, type RequestLine } from './error.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** One page of a collection. */
export interface Page extends Pick<ApiResponse, 'sentAt'> {
  rows: readonly Row[];
  /** Number of rows of all pages, if the API tells it. */
  results: number | undefined;
  /** Number of pages, if the API tells it. */
  pages: number | undefined;
  /** From 1. */
  page: number;
  /** The marker or number of the next page; undefined when there is none or it is read without asking. */
  next?: string;
}

export const pageSize = 100;
const maxConcurrentPages = 4;
/** A collection with more pages, or with more pages in a row without a new row, is taken for an endless one. */
const maxPages = 10_000;
const maxRepeatedPages = 20;
/** Of a longer collection the memory would not hold the rows; no account has so many of anything. */
const maxRows = 250_000;

/**
 * Reads a collection: its first page alone, then the others in order, four at a time. A collection that changes
 * meanwhile is read to its end; when rows were deleted, others may have moved to a page that was read before, so it is
 * read once more. Rows can therefore come twice, with the same id. Where it twice has fewer rows than it tells of, it throws
 * an ApiError of kind `malformed` at its end. A gradual collection is read page by page, from the
 * one that the query names, each when the consumer asks for it. Throws an ApiError of kind `malformed` after the pages
 * read so far when the collection seems endless, or has too many rows.
 * @param wirePath translates a path into the platform's words
 */
export async function* readPages(
  send: (further: Pick<ApiRequest, 'query' | 'signal'>) => Promise<ApiResponse>,
  operation: ListOperation,
  request: ApiRequest,
  wirePath = (path: string) => path,
): AsyncGenerator<Page> {
  const stopping = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stopping.signal]) : stopping.signal;
  const path = pathOf(operation, request.params);
  const line = { method: operation.method, path, wirePath: wirePath(path) };
  const reader = createPageReader((query) => send({ ...(query && { query }), signal }), operation, request, line);
  let isOver = false;
  try {
    if (operation.pages === 'whole') yield await reader.whole();
    else if (operation.pages === 'marker') yield* reader.byMarker();
    else if (operation.gradual) yield* reader.oneByOne();
    else yield* reader.byNumber();
    isOver = true;
  } finally {
    // At the end nothing is under way, and an abort costs as much as parsing a small page.
    if (!isOver) stopping.abort();
  }
}

function createPageReader(
  send: (query?: ApiRequest['query']) => Promise<ApiResponse>,
  { rows: extract = ({ data }) => data as readonly Row[] }: ListOperation,
  { query = {} }: ApiRequest,
  line: RequestLine,
) {
  const size = Number(query.page_size ?? pageSize);
  /** The highest number of pages that a response told. */
  let pageCount = 1;
  /** The number of pages that the latest response told, which may be lower. */
  let latestPageCount = 1;
  let results: number | undefined;
  let shrank = false;
  /** The first row of the previous page as JSON, and the number of pages in a row with the same or none. */
  let firstRow: string | undefined;
  let repeats = 0;
  /** The rows of all pages that were read, and those of the list by the last of them; each page is true of its own time. */
  let [count, told] = [0, 0];
  /** The rows of a full page, which may be fewer than were asked for. */
  let fullPage = Number.POSITIVE_INFINITY;

  const malformed = (content: string, status = 200) => malformedError(line, content, status);
  const endless = (why: string) => malformed(`${why}, so the list has no end`);
  const ask = (where: ApiRequest['query']) => send({ page_size: pageSize, ...query, ...where });

  function rowsOf({ body, status }: ApiResponse): readonly Row[] {
    const rows = isRow(body) ? attempt(() => extract(body)) : undefined;
    if (!Array.isArray(rows)) throw malformed('no list', status);
    return rows.filter(isRow);
  }

  /** Returns the page; throws when it shows that the collection is endless. */
  function checked(read: Page): Page {
    const [first] = read.rows;
    const own = first && JSON.stringify(first);
    repeats = own === undefined || own === firstRow ? repeats + 1 : 0;
    if (repeats > maxRepeatedPages) throw endless('page after page without a new row');
    if (read.page > maxPages) throw endless(`more than ${maxPages} pages`);
    count += read.rows.length;
    if (count > maxRows) throw malformed(`more than ${grouped(maxRows)} rows, and no more of them are read`);
    firstRow = own;
    return read;
  }

  async function pageAt(page: number): Promise<Page> {
    const asked = ask({ page });
    // A later page vanishes with the rows that were on it.
    const response = await (page > 1 ? asked.catch(ignoreNotFound) : asked);
    if (!response) {
      shrank = true;
      latestPageCount = Math.min(latestPageCount, page - 1);
      return { rows: [], results, pages: undefined, page };
    }
    const rows = rowsOf(response);
    const { body, sentAt } = response as ApiResponse & { body: { results?: unknown; pages?: unknown } };
    const read = { rows, results: countIn(body.results), pages: countIn(body.pages), page, sentAt };
    learn(read);
    return read;
  }

  function learn({ rows, results: all, pages, page }: Page): void {
    if (page === 1 && rows.length > 0) fullPage = rows.length;
    // A full page that tells neither may not be the last; one that begins like the page before it is that page.
    const next = rows.length === size && JSON.stringify(rows[0]) !== firstRow ? page + 1 : page;
    const last = pages ?? (all === undefined ? next : Math.ceil(all / Math.min(size, fullPage)));
    // An empty page is the end, whatever count it tells; a wrong count would otherwise never end.
    if (rows.length > 0 || page === 1) pageCount = Math.max(pageCount, last);
    latestPageCount = last;
    if (all !== undefined && all < (results ?? 0)) shrank = true;
    results = all ?? results;
  }

  /** All pages, whose number may change meanwhile; the next ones are requested while the consumer uses one. */
  async function* all(): AsyncGenerator<Page> {
    const queue: Promise<Page>[] = [];
    let next = 1;
    const fill = () => {
      while (queue.length < maxConcurrentPages && next <= pageCount) {
        const page = pageAt(next++);
        // A page that fails early is awaited in its turn, which must not be an unhandled rejection until then.
        page.catch(() => {});
        queue.push(page);
      }
    };
    fill();
    for (let page = queue.shift(); page; page = queue.shift()) {
      const read = checked(await page);
      told = read.results ?? told;
      const isEndless = pageCount > maxPages;
      if (!isEndless) fill();
      yield read;
      if (isEndless) throw endless(`more than ${maxPages} pages`);
    }
  }

  return {
    async whole(): Promise<Page> {
      const rows = rowsOf(await send());
      return { rows, results: rows.length, pages: 1, page: 1 };
    },
    async *byMarker(): AsyncGenerator<Page> {
      const seen = new Set([query.marker ?? []].flat().map(String));
      let marker: string | undefined;
      for (let page = 1; ; page++) {
        const response = await ask(marker === undefined ? {} : { marker });
        const rows = rowsOf(response).filter(isElement);
        const next = nextMarker(response.body, rows, size);
        if (next === '') throw malformed('a list that goes on without a marker', response.status);
        yield checked({ rows, results: undefined, pages: undefined, page, next });
        if (next === undefined) return;
        marker = next;
        if (seen.has(marker)) throw endless('the same marker twice');
        seen.add(marker);
      }
    },
    async *oneByOne(): AsyncGenerator<Page> {
      for (let page = Number(query.page ?? 1); ; page++) {
        const read = await pageAt(page);
        const next = page < pageCount && read.rows.length > 0 ? String(page + 1) : undefined;
        yield checked({ ...read, next });
        if (next === undefined) return;
      }
    },
    async *byNumber(): AsyncGenerator<Page> {
      yield* all();
      if (!shrank && count >= told) return;
      pageCount = latestPageCount;
      count = 0;
      yield* all();
      if (count >= told) return;
      throw incompleteError(line, `${grouped(count)} of the ${grouped(told)} rows that it tells of`, 200);
    },
  };
}

/**
 * The marker of the next page (document 3, 4.3, rule 3): in the body or its last element, else the name of the last
 * object of a truncated page, empty where it has none; undefined at the end. A full page that tells neither may not be the
 * last.
 */
function nextMarker(body: unknown, rows: readonly Row[], size: number): string | undefined {
  const list = at(body, 'data');
  const places = [body, Array.isArray(list) ? list.at(-1) : undefined];
  const markers = places.map((place) => at(place, 'next_marker'));
  const marker = markers.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  if (marker !== undefined) return String(marker);
  const truncated = places.map((place) => at(place, 'is_truncated'));
  const isSilent = [...markers, ...truncated].every((value) => value === undefined);
  const isEnd = isSilent ? rows.length < size : !truncated.includes(true);
  return isEnd ? undefined : (textIn(at(rows.at(-1), 'name')) ?? '');
}

/** Whether an element of a list holds more than the marker of the next page. */
const isElement = (row: Row): boolean =>
  Object.keys(row).length === 0 || Object.keys(row).some((key) => key !== 'next_marker' && key !== 'is_truncated');

const countIn = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined);
