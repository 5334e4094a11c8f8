import type { Api } from '../api/client.ts';
import { ApiError, refusesFilter } from '../api/error.ts';
import type { Page } from '../api/pages.ts';
import type { ApiRequest } from '../api/request.ts';
import { isPlaceholderId, withListPosition } from '../resources/identity.ts';
import { isRow, type ListOperation, type Row } from '../resources/resource.ts';
import { isSame } from './rows.ts';

/**
 * Reads all pages and returns each row once, in the order of the API. Rows that move between pages meanwhile come twice or
 * not at all: duplicates are dropped by id, and where rows are missing all pages are read once more.
 * @param pages starts a reading from the first page
 * @param id returns the id of a row
 * @param onPage called after each page but the last, with the rows so far and the changed ones among them
 * @param known returns the old row, which is reused where it is equal; told when its page was asked for
 */
export async function readEveryRow(
  pages: () => AsyncGenerator<Page>,
  id: (row: Row) => string,
  onPage: (rows: () => readonly Row[], results: number | undefined, fresh: ReadonlyMap<string, Row>) => void,
  known?: (id: string, sentAt?: number) => Row | undefined,
): Promise<{ rows: readonly Row[]; results: number }> {
  const share = createInterning();
  const fresh = new Map<string, Row>();
  let earlier: ReadonlyMap<string, Row> = new Map();
  for (let attempt = 1; ; attempt++) {
    let results: number | undefined;
    let latest = new Map<string, Row>();
    const all = () => (earlier.size > 0 ? new Map([...earlier, ...latest]) : latest);
    for await (const page of pages()) {
      results = page.results ?? results;
      // Rows were deleted meanwhile, so reading starts again.
      if (page.page === 1) {
        earlier = all();
        latest = new Map();
      }
      for (const [key, row] of identified(page, id)) {
        const old = known?.(key, page.sentAt);
        const shared = old && isSame(old, row) ? old : share(row);
        latest.set(key, shared);
        if (known && shared !== old) fresh.set(key, shared);
      }
      if (latest.size !== results) onPage(() => [...all().values()], results, fresh);
    }
    const missing = results !== undefined && latest.size < results;
    if (!missing || attempt === 2) {
      const seen = missing ? all() : latest;
      return { rows: [...seen.values()], results: Math.max(results ?? 0, seen.size) };
    }
    earlier = all();
  }
}

/**
 * Reads whole pages of a long collection until there are `wanted` rows, each once.
 * @param id returns the id of a row
 * @param from the page or marker to continue from
 * @returns the rows, and the next page or marker
 */
export async function readSome(
  pages: () => AsyncGenerator<Page>,
  id: (row: Row) => string,
  wanted: number,
  from = '',
): Promise<{ rows: readonly Row[]; results?: number; more?: string }> {
  const rows = new Map<string, Row>();
  for await (const page of pages()) {
    const { next, results } = page;
    for (const [key, row] of identified(page, id, from)) rows.set(key, row);
    if (next === undefined || rows.size >= wanted) return { rows: [...rows.values()], results, more: next };
  }
  return { rows: [...rows.values()] };
}

/** The rows of a page by their ids; rows without one get their position as id, so that each is shown. */
function* identified({ rows, page }: Page, id: (row: Row) => string, from = ''): Generator<[string, Row]> {
  for (const [index, row] of rows.entries()) {
    const key = id(row);
    if (!isPlaceholderId(key)) {
      yield [key, row];
      continue;
    }
    const own = withListPosition(row, `${from} ${page} ${index}`);
    yield [id(own), own];
  }
}

/** Whether a collection is read only as far as it is scrolled. */
export const isGradual = ({ pages, gradual }: ListOperation): boolean => pages === 'marker' || gradual === true;

/** The pages of a collection, by the filter of its operation; unfiltered where the API knows no such filter. */
export async function* pagesOf(api: Api, operation: ListOperation, request: ApiRequest): AsyncGenerator<Page> {
  const filter = typeof operation.filter === 'function' ? operation.filter(request.params ?? {}) : operation.filter;
  try {
    yield* api.pages(operation, { ...request, filter });
  } catch (error) {
    if (!filter || !refusesFilter(error)) throw error;
    yield* api.pages(operation, request);
  }
}

/** Milliseconds between two updates of a list that is still arriving: more rows take longer to draw. */
export const updateIntervalMs = (rows: number): number => Math.max(100, rows / 20);

/** Shows a failure, except of an aborted request. Throws what is no ApiError. */
export function settle(error: unknown, signal: AbortSignal, show: (failure: ApiError | undefined) => void): void {
  if (!(error instanceof ApiError)) throw error;
  if (!signal.aborted) show(error.kind === 'aborted' ? undefined : error);
}

/** The values of a field with more different ones, such as a label, are not shared. */
const maxValues = 256;

interface Field {
  /** Texts as they are, and lists and objects by their JSON; undefined where there are too many. */
  texts: Map<string, unknown> | undefined;
  objects: Map<string, unknown> | undefined;
  /** The fields of its objects. */
  inner: Map<string, Field>;
}

/**
 * Rows of one list have many equal values: images, sizes, limits, tags. The returned function changes a row in place so
 * that equal values are the same object in memory.
 */
export function createInterning(): (row: Row) => Row {
  const fields = new Map<string, Field>();
  return (row) => shareIn(fields, row);
}

function shareIn(fields: Map<string, Field>, row: Record<string, unknown>): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    const field = fields.get(name) ?? { texts: new Map(), objects: new Map(), inner: new Map() };
    fields.set(name, field);
    row[name] = shared(field, value);
  }
  return row;
}

function shared(field: Field, value: string | object): unknown {
  if (typeof value === 'string') {
    if (field.texts && field.texts.size >= maxValues) field.texts = undefined;
    return known(field.texts, value, value);
  }
  if (isRow(value)) shareIn(field.inner, value);
  if (field.objects && field.objects.size >= maxValues) field.objects = undefined;
  return field.objects ? known(field.objects, JSON.stringify(value), value) : value;
}

function known(values: Map<string, unknown> | undefined, text: string, value: unknown): unknown {
  if (!values) return value;
  if (!values.has(text)) values.set(text, value);
  return values.get(text);
}
