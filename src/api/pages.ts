import { at, type ListOperation, type Row } from '../resources/resource.ts';
import { isRow } from '../resources/row.ts';
import { attempt } from '../text/errno.ts';
import { grouped } from '../text/numbers.ts';
import { pathOf } from './address.ts';
import { type ApiError, ignoreNotFound, incompleteError, malformedError } from './error.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

/** One page of a collection. */
export interface Page {
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

/** Sends the operation with a query and a signal. */
type Send = (further: Pick<ApiRequest, 'query' | 'signal'>) => Promise<ApiResponse>;

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
  send: Send,
  operation: ListOperation,
  request: ApiRequest,
  wirePath = (path: string) => path,
): AsyncGenerator<Page> {
  const reader = new PageReader(send, operation, request, wirePath);
  let isOver = false;
  try {
    if (operation.pages === 'whole') yield await reader.whole();
    else if (operation.pages === 'marker') yield* reader.byMarker();
    else if (operation.gradual) yield* reader.oneByOne();
    else yield* reader.byNumber();
    isOver = true;
  } finally {
    // At the end nothing is under way, and an abort costs as much as parsing a small page.
    if (!isOver) reader.stop();
  }
}

class PageReader {
  readonly #send: Send;
  readonly #operation: ListOperation;
  readonly #request: ApiRequest;
  readonly #wirePath: (path: string) => string;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  /** The highest number of pages that a response told. */
  #pageCount = 1;
  /** The number of pages that the latest response told, which may be lower. */
  #latestPageCount = 1;
  #results: number | undefined;
  #shrank = false;
  /** The first row of the previous page as JSON, and the number of pages in a row with the same or none. */
  #firstRow: string | undefined;
  #repeats = 0;
  /** The rows of all pages that were read, and those of the list by the last of them; each page is true of its own time. */
  #count = 0;
  #told = 0;
  /** The rows of a full page, which may be fewer than were asked for. */
  #fullPage = Number.POSITIVE_INFINITY;

  constructor(send: Send, operation: ListOperation, request: ApiRequest, wirePath: (path: string) => string) {
    this.#send = send;
    this.#wirePath = wirePath;
    this.#operation = operation;
    this.#request = request;
    this.#signal = request.signal ? AbortSignal.any([request.signal, this.#stopping.signal]) : this.#stopping.signal;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async whole(): Promise<Page> {
    const rows = this.#rows(await this.#send({ signal: this.#signal }));
    return { rows, results: rows.length, pages: 1, page: 1 };
  }

  async *byMarker(): AsyncGenerator<Page> {
    const start = this.#request.query?.marker;
    const seen = new Set(start === undefined ? [] : [String(start)]);
    let marker: string | undefined;
    for (let page = 1; ; page++) {
      const response = await this.#ask(marker === undefined ? {} : { marker });
      const rows = this.#rows(response).filter(isElement);
      const next = this.#nextMarker(response, rows);
      yield this.#checked({ rows, results: undefined, pages: undefined, page, next });
      if (next === undefined) return;
      marker = next;
      if (seen.has(marker)) throw this.#endless('the same marker twice');
      seen.add(marker);
    }
  }

  /**
   * The marker of the next page (document 3, 4.3, rule 3): in the body or its last element, else the name of the last
   * object of a truncated page; undefined at the end. A full page that tells neither may not be the last.
   */
  #nextMarker({ body, status }: ApiResponse, rows: readonly Row[]): string | undefined {
    const list = at(body, 'data');
    const places = [body, Array.isArray(list) ? list.at(-1) : undefined];
    const markers = places.map((place) => at(place, 'next_marker'));
    const marker = markers.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
    if (marker !== undefined) return String(marker);
    const truncated = places.map((place) => at(place, 'is_truncated'));
    const isSilent = [...markers, ...truncated].every((value) => value === undefined);
    const isEnd = isSilent ? rows.length < this.#size : !truncated.includes(true);
    if (isEnd) return undefined;
    const name = at(rows.at(-1), 'name');
    if (typeof name !== 'string' || name === '') throw this.#malformed('a list that goes on without a marker', status);
    return name;
  }

  async *oneByOne(): AsyncGenerator<Page> {
    for (let page = Number(this.#request.query?.page ?? 1); ; page++) {
      const read = await this.#page(page);
      const next = page < this.#pageCount && read.rows.length > 0 ? String(page + 1) : undefined;
      yield this.#checked({ ...read, next });
      if (next === undefined) return;
    }
  }

  /** Returns the page; throws when it shows that the collection is endless. */
  #checked(read: Page): Page {
    const [first] = read.rows;
    const firstRow = first && JSON.stringify(first);
    this.#repeats = firstRow === undefined || firstRow === this.#firstRow ? this.#repeats + 1 : 0;
    if (this.#repeats > maxRepeatedPages) throw this.#endless('page after page without a new row');
    if (read.page > maxPages) throw this.#endless(`more than ${maxPages} pages`);
    this.#count += read.rows.length;
    if (this.#count > maxRows)
      throw this.#malformed(`more than ${grouped(maxRows)} rows, and no more of them are read`, 200);
    this.#firstRow = firstRow;
    return read;
  }

  async *byNumber(): AsyncGenerator<Page> {
    yield* this.#all();
    if (!this.#shrank && !this.#isShort) return;
    this.#pageCount = this.#latestPageCount;
    this.#count = 0;
    yield* this.#all();
    if (!this.#isShort) return;
    const content = `${grouped(this.#count)} of the ${grouped(this.#told)} rows that it tells of`;
    throw incompleteError(this.#requestLine, content, 200);
  }

  get #isShort(): boolean {
    return this.#count < this.#told;
  }

  /** All pages, whose number may change meanwhile; the next ones are requested while the consumer uses one. */
  async *#all(): AsyncGenerator<Page> {
    const queue: Promise<Page>[] = [];
    let next = 1;
    const ask = () => {
      while (queue.length < maxConcurrentPages && next <= this.#pageCount) {
        const page = this.#page(next++);
        // A page that fails early is awaited in its turn, which must not be an unhandled rejection until then.
        page.catch(() => {});
        queue.push(page);
      }
    };
    ask();
    for (let page = queue.shift(); page; page = queue.shift()) {
      const read = this.#checked(await page);
      this.#told = read.results ?? this.#told;
      const isEndless = this.#pageCount > maxPages;
      if (!isEndless) ask();
      yield read;
      if (isEndless) throw this.#endless(`more than ${maxPages} pages`);
    }
  }

  async #page(page: number): Promise<Page> {
    const asked = this.#ask({ page });
    // A later page vanishes with the rows that were on it.
    const response = await (page > 1 ? asked.catch(ignoreNotFound) : asked);
    if (!response) {
      this.#shrank = true;
      this.#latestPageCount = Math.min(this.#latestPageCount, page - 1);
      return { rows: [], results: this.#results, pages: undefined, page };
    }
    const rows = this.#rows(response);
    const { results, pages } = response.body as { results?: unknown; pages?: unknown };
    const read = { rows, results: countIn(results), pages: countIn(pages), page };
    this.#learn(read);
    return read;
  }

  get #size(): number {
    return Number(this.#request.query?.page_size ?? pageSize);
  }

  #learn({ rows, results, pages, page }: Page): void {
    if (page === 1 && rows.length > 0) this.#fullPage = rows.length;
    // A full page that tells neither may not be the last; one that begins like the page before it is that page.
    const next = rows.length === this.#size && JSON.stringify(rows[0]) !== this.#firstRow ? page + 1 : page;
    const last = pages ?? (results === undefined ? next : Math.ceil(results / Math.min(this.#size, this.#fullPage)));
    // An empty page is the end, whatever count it tells; a wrong count would otherwise never end.
    if (rows.length > 0 || page === 1) this.#pageCount = Math.max(this.#pageCount, last);
    this.#latestPageCount = last;
    if (results !== undefined && results < (this.#results ?? 0)) this.#shrank = true;
    this.#results = results ?? this.#results;
  }

  #ask(where: Record<string, string | number>): Promise<ApiResponse> {
    const query = { page_size: pageSize, ...this.#request.query, ...where };
    return this.#send({ query, signal: this.#signal });
  }

  #rows({ body, status }: ApiResponse): readonly Row[] {
    const { rows: extract = ({ data }: Row) => data } = this.#operation;
    const rows = isRow(body) ? attempt(() => extract(body)) : undefined;
    if (!Array.isArray(rows)) throw this.#malformed('no list', status);
    return rows.filter(isRow);
  }

  #endless(why: string): ApiError {
    return this.#malformed(`${why}, so the list has no end`, 200);
  }

  #malformed(content: string, status: number): ApiError {
    return malformedError(this.#requestLine, content, status);
  }

  get #requestLine() {
    const { method } = this.#operation;
    const path = pathOf(this.#operation, this.#request.params);
    return { method, path, wirePath: this.#wirePath(path) };
  }
}

/** Whether an element of a list holds more than the marker of the next page. */
const isElement = (row: Row): boolean =>
  Object.keys(row).length === 0 || Object.keys(row).some((key) => key !== 'next_marker' && key !== 'is_truncated');

const countIn = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined);
