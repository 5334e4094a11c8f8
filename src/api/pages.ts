import { at, type ListOperation, type Row } from '../resources/resource.ts';
import { isRow } from '../resources/row.ts';
import { pathOf } from './address.ts';
import { ApiError, malformedError } from './error.ts';
import type { Answer, Request } from './request.ts';

/** One page of a collection. */
export interface Page {
  rows: readonly Row[];
  /** Rows of all pages, where the API says so. */
  results: number | undefined;
  /** Pages in all, where the API says so. */
  pages: number | undefined;
  /** From 1. */
  page: number;
  /** Asks for the page after it, where there is one and it is read only then: a marker, or its number. */
  next?: string;
}

/** Sends the operation with this query, cancelled by this signal. */
type Send = (further: Pick<Request, 'query' | 'signal'>) => Promise<Answer>;

const pageSize = 100;
const atOnce = 4;
/** More pages than any collection has, and more of them without a new row than ever come when it changes meanwhile. */
const mostPages = 10_000;
const mostIdle = 20;

/**
 * Reads a collection: its first page alone, then the others, at most four under way, in their order. A collection that
 * changes meanwhile is read to its end; where rows went away, the others may have slipped over the edge between
 * two pages, so it is read once more. Rows can therefore come twice: their ids tell. A gradual one is read page by page,
 * from the one that the query names, each only when it is asked for. Throws an ApiError of kind `malformed` after the
 * pages read so far where a collection has no end: too many pages, or too many without a new row.
 * @param wirePath a path in the platform's words
 */
export async function* readPages(
  send: Send,
  operation: ListOperation,
  request: Request,
  wirePath = (path: string) => path,
): AsyncGenerator<Page> {
  const reader = new Reader(send, operation, request, wirePath);
  try {
    if (operation.pages === 'whole') yield await reader.whole();
    else if (operation.pages === 'marker') yield* reader.byMarker();
    else if (operation.gradual) yield* reader.byTurn();
    else yield* reader.byNumber();
  } finally {
    reader.stop();
  }
}

class Reader {
  readonly #send: Send;
  readonly #operation: ListOperation;
  readonly #request: Request;
  readonly #wirePath: (path: string) => string;
  readonly #leaving = new AbortController();
  readonly #signal: AbortSignal;
  /** The number of the last page, as far as is known. */
  #last = 1;
  /** The same as the latest answer has it, which may be less. */
  #latest = 1;
  #results: number | undefined;
  #shrank = false;
  /** The first row of the page before, as text, and how many pages up to it had none or the same. */
  #begin: string | undefined;
  #idle = 0;

  constructor(send: Send, operation: ListOperation, request: Request, wirePath: (path: string) => string) {
    this.#send = send;
    this.#wirePath = wirePath;
    this.#operation = operation;
    this.#request = request;
    this.#signal = request.signal ? AbortSignal.any([request.signal, this.#leaving.signal]) : this.#leaving.signal;
  }

  stop(): void {
    this.#leaving.abort();
  }

  async whole(): Promise<Page> {
    const answer = await this.#send({ signal: this.#signal });
    const rows = this.#rows(answer);
    return { rows, results: rows.length, pages: 1, page: 1 };
  }

  async *byMarker(): AsyncGenerator<Page> {
    const begin = this.#request.query?.marker;
    const seen = new Set(begin === undefined ? [] : [String(begin)]);
    let marker: string | undefined;
    for (let page = 1; ; page++) {
      const answer = await this.#ask(marker === undefined ? {} : { marker });
      const rows = this.#rows(answer).filter(isElement);
      const next = this.#markerAfter(answer, rows);
      yield this.#inTurn({ rows, results: undefined, pages: undefined, page, next });
      if (next === undefined) return;
      marker = next;
      if (seen.has(marker)) throw this.#endless('the same marker twice');
      seen.add(marker);
    }
  }

  /**
   * Finds the way to the next page (document 3, 4.3, rule 3): the marker at the top or in the last element, else the name
   * of the last object where there is more; undefined at the end. A full page that says nothing may not be the last.
   */
  #markerAfter({ body, status }: Answer, rows: readonly Row[]): string | undefined {
    const list = at(body, 'data');
    const places = [body, Array.isArray(list) ? list.at(-1) : undefined];
    const markers = places.map((place) => at(place, 'next_marker'));
    const marker = markers.find((told) => (typeof told === 'string' && told !== '') || typeof told === 'number');
    if (marker !== undefined) return String(marker);
    const truncated = places.map((place) => at(place, 'is_truncated'));
    const isSilent = [...markers, ...truncated].every((told) => told === undefined);
    const isEnd = isSilent ? rows.length < this.#size : !truncated.includes(true);
    if (isEnd) return undefined;
    const name = at(rows.at(-1), 'name');
    if (typeof name !== 'string' || name === '') throw this.#malformed('a list that goes on, but not where', status);
    return name;
  }

  async *byTurn(): AsyncGenerator<Page> {
    for (let page = Number(this.#request.query?.page ?? 1); ; page++) {
      const read = await this.#page(page);
      const next = page < this.#last && read.rows.length > 0 ? String(page + 1) : undefined;
      yield this.#inTurn({ ...read, next });
      if (next === undefined) return;
    }
  }

  /** The page that follows the one before; throws where it shows that there is no end. */
  #inTurn(read: Page): Page {
    const [first] = read.rows;
    const begin = first && JSON.stringify(first);
    this.#idle = begin === undefined || begin === this.#begin ? this.#idle + 1 : 0;
    if (this.#idle > mostIdle) throw this.#endless('page after page without a new row');
    if (read.page > mostPages) throw this.#endless(`more than ${mostPages} pages`);
    this.#begin = begin;
    return read;
  }

  async *byNumber(): AsyncGenerator<Page> {
    yield* this.#all();
    if (!this.#shrank) return;
    this.#last = this.#latest;
    yield* this.#all();
  }

  /** The pages to the last, which may move while they are read; the next are under way while somebody looks at one. */
  async *#all(): AsyncGenerator<Page> {
    const queue: Promise<Page>[] = [];
    let next = 1;
    const ask = () => {
      while (queue.length < atOnce && next <= this.#last) {
        const page = this.#page(next++);
        // One that fails while another is waited for is still waited for in its turn.
        page.catch(() => {});
        queue.push(page);
      }
    };
    ask();
    for (let page = queue.shift(); page; page = queue.shift()) {
      const read = this.#inTurn(await page);
      const isEndless = this.#last > mostPages;
      if (!isEndless) ask();
      yield read;
      if (isEndless) throw this.#endless(`more than ${mostPages} pages`);
    }
  }

  async #page(page: number): Promise<Page> {
    const answer = await this.#ask({ page }).catch((error: unknown) => {
      // The page went away with the rows that were on it.
      if (page > 1 && error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
    if (!answer) {
      this.#shrank = true;
      this.#latest = Math.min(this.#latest, page - 1);
      return { rows: [], results: this.#results, pages: undefined, page };
    }
    const rows = this.#rows(answer);
    const { results, pages } = answer.body as { results?: unknown; pages?: unknown };
    const read = { rows, results: countOf(results), pages: countOf(pages), page };
    this.#learn(read);
    return read;
  }

  get #size(): number {
    return Number(this.#request.query?.page_size ?? pageSize);
  }

  #learn({ rows, results, pages, page }: Page): void {
    const last = pages ?? Math.ceil((results ?? 0) / this.#size);
    // An empty page is the end whatever it says, or a wrong count would be asked for without end.
    if (rows.length > 0 || page === 1) this.#last = Math.max(this.#last, last);
    this.#latest = last;
    if (results === undefined) return;
    if (this.#results !== undefined && results < this.#results) this.#shrank = true;
    this.#results = results;
  }

  #ask(where: Record<string, string | number>): Promise<Answer> {
    const query = { page_size: pageSize, ...this.#request.query, ...where };
    return this.#send({ query, signal: this.#signal });
  }

  #rows(answer: Answer): readonly Row[] {
    const rows = this.#taken(answer.body);
    if (!Array.isArray(rows)) throw this.#malformed('no list', answer.status);
    return rows.filter(isRow);
  }

  #taken(body: unknown): unknown {
    if (body === null || typeof body !== 'object') return undefined;
    if (!this.#operation.rows) return (body as { data?: unknown }).data;
    try {
      return this.#operation.rows(body as Row);
    } catch {
      return undefined;
    }
  }

  #endless(what: string): ApiError {
    return this.#malformed(`${what}, so the list has no end`, 200);
  }

  #malformed(what: string, status: number): ApiError {
    const { method } = this.#operation;
    const path = pathOf(this.#operation, this.#request.params);
    return malformedError({ method, path, wirePath: this.#wirePath(path) }, what, status);
  }
}

/** Whether an element of a list by markers is more than a marker. */
const isElement = (row: Row): boolean =>
  Object.keys(row).length === 0 || Object.keys(row).some((key) => key !== 'next_marker' && key !== 'is_truncated');

const countOf = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined);
