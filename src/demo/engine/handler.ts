import { resourceNamed } from '../../resources/index.ts';
import type { ResourceName } from '../../resources/names.ts';
import type { Operation, Params, Resource, Row } from '../../resources/resource.ts';
import { invalidToken, type User } from './access.ts';
import type { Cloud } from './cloud.ts';
import { type FieldError, forbidden, HttpError, invalid, notFound } from './errors.ts';
import type { Entity } from './eventLog.ts';
import { type Filter, filtered } from './filter.ts';
import type { rulesOf } from './validation.ts';

/** One request, its token, scopes and body already checked. */
export interface Call {
  params: Params;
  query: Params;
  /** The JSON body; empty where there is none. */
  body: Row;
  /** The user of the token; undefined where none was sent. */
  user: User | undefined;
  /** The header `X-Filter`. */
  filter: Filter | undefined;
  /** The request as it came, for bodies that are not JSON. */
  request: Request;
}

/** Answers one operation with its body, an empty one where it returns nothing, or throws a `HttpError`. */
export type Handler = (call: Call, cloud: Cloud) => unknown;

/** A handler with what sets its operation apart. */
export interface Endpoint {
  handler: Handler;
  /** Works without a token as well, and then shows public things only. */
  optional?: true;
  /** The value of `X-RateLimit-Limit`. */
  rateLimit?: number;
}

/** A described operation with its handler, and the fields that its body may hold. */
export interface Route {
  resource: Resource;
  operation: Operation;
  endpoint: Endpoint;
  rules: ReturnType<typeof rulesOf>;
}

/** The handlers of one resource by the name of each operation. */
export interface ResourceHandlers {
  resource: string;
  handlers: Readonly<Record<string, Handler | Endpoint>>;
  /** Operations on a row beyond the three documents: POST to the path of the row and this word. */
  beyond?: Readonly<Record<string, Handler>>;
  /** Its routes at signed addresses, outside the API. */
  signed?: readonly SignedRoute[];
}

/** The user of a call. @throws 401 without a token */
export function userIn(call: Call): User {
  if (!call.user) throw invalidToken();
  return call.user;
}

/** Copies the named fields of a body into a row where their values have the type of the row's. */
export function assignFields<T extends object>(row: T, body: Row, ...names: readonly (keyof T & string)[]): void {
  for (const name of names) if (typeof body[name] === typeof row[name]) row[name] = body[name] as T[typeof name];
}

/** Logs an event about something that the user of a call has done. */
export function logEvent(
  call: Call,
  cloud: Cloud,
  action: string,
  entity: Entity,
  more: { secondary?: Entity; message?: string } = {},
): void {
  cloud.log.note({ action, entity, username: userIn(call).name, ...more });
}

/** @throws 403 for a restricted user */
export function needUnrestricted(call: Call): void {
  if (userIn(call).restricted) throw forbidden();
}

/** The handlers of a resource by the names that its description gives the operations. */
export const handlersFor = (resource: ResourceName, handlers: ResourceHandlers['handlers']): ResourceHandlers => ({
  resource,
  handlers,
});

/** Answers an operation on the row that a call is about. */
type RowHandler<T> = (row: T, call: Call, cloud: Cloud) => unknown;

/** The rows of one resource, and how they are answered. */
interface Collection<T extends object> {
  /** The rows that a call may see, by id or in a list. @throws 404 where they have no parent */
  rows: (cloud: Cloud, call: Call) => ReadonlyMap<number | string, T> | readonly T[];
  /** The id that the path of a call names; its last parameter where left out. */
  id?: (call: Call) => number | string;
  /** The id of a row in a list; its field `id` where left out. */
  idOf?: (row: T) => unknown;
  /** The filterable fields of a row as it is answered. */
  filters?: readonly string[];
  /** The rows of the list in their order; all where left out. */
  listed?: (rows: readonly T[], cloud: Cloud) => readonly T[];
  /** A row as it is answered; the row itself where left out. */
  shown?: (row: T, cloud: Cloud) => object;
  /** Rows can be deleted; a function is called before. @throws 400 or 403 to keep the row */
  remove?: true | RowHandler<T>;
  /** Other operations on a row, by their names. */
  onRow?: Readonly<Record<string, RowHandler<T>>>;
}

/** The handlers of list, view, the other operations on a row and, with `remove`, delete; `find` finds the row. */
export function collection<T extends object>(
  resource: ResourceName,
  { rows, id = pathId(resource), idOf = (row) => (row as Row).id, ...options }: Collection<T>,
) {
  const { filters, listed, shown = (row) => row, remove, onRow = {} } = options;
  /** The row that a call is about. @throws 404 */
  const find = (call: Call, cloud: Cloud): T => {
    const found = rows(cloud, call);
    const wanted = id(call);
    const row = isList(found) ? found.find((one) => idOf(one) === wanted) : found.get(wanted);
    if (!row) throw notFound();
    return row;
  };
  const list: Handler = (call, cloud) => {
    const all = [...rows(cloud, call).values()];
    return page(listed ? listed(all, cloud) : all, call, filters, (row) => shown(row, cloud));
  };
  const ofRow =
    (work: RowHandler<T>): Handler =>
    (call, cloud) =>
      work(find(call, cloud), call, cloud);
  const view = ofRow((row, _call, cloud) => shown(row, cloud));
  const deleteRow = ofRow((row, call, cloud) => {
    if (typeof remove === 'function') remove(row, call, cloud);
    const all = rows(cloud, call);
    if (all instanceof Map) all.delete(id(call));
    else if (Array.isArray(all)) all.splice(all.indexOf(row), 1);
  });
  const own: ResourceHandlers['handlers'] = { list, view, ...(remove && { delete: deleteRow }) };
  const others = Object.entries(onRow).map(([name, work]) => [name, ofRow(work)] as const);
  return {
    find,
    list,
    view,
    /** All handlers of the resource: those of the collection, and these. */
    handlers: (more?: ResourceHandlers['handlers']) =>
      handlersFor(resource, { ...own, ...Object.fromEntries(others), ...more }),
  };
}

/** Reads the id of a row from the path: a number where it is written as one, e.g. not `007`. */
function pathId(resource: ResourceName) {
  const { param } = resourceNamed(resource);
  return ({ params }: Call): number | string => {
    const text = params[param] ?? '';
    return String(Number(text)) === text ? Number(text) : text;
  };
}

const isList = <T>(rows: ReadonlyMap<number | string, T> | readonly T[]): rows is readonly T[] => Array.isArray(rows);

/**
 * The page of a list that a call asks for, filtered by rows as they are answered (document 1, 2.1 and 8). A page beyond the
 * last is the last. Without a filter, only the rows of the page are made.
 * @param fields the filterable fields
 * @param shown a row as it is answered
 * @throws 400 for a page below 1, a page size outside 25 to 100, or a filter on another field
 */
export function page<T extends object>(
  rows: readonly T[],
  call: Call,
  fields: readonly string[] = [],
  shown: (row: T) => object = (row) => row,
): Row {
  const { number, size } = pageAsked(call);
  const isFiltered = call.filter !== undefined;
  const found = isFiltered ? filtered(rows.map(shown) as readonly Row[], call.filter, fields) : rows;
  const pages = Math.max(1, Math.ceil(found.length / size));
  const within = Math.min(number, pages);
  const part = found.slice((within - 1) * size, within * size);
  const data = isFiltered ? part : (part as readonly T[]).map(shown);
  return { data, page: within, pages, results: found.length };
}

function pageAsked({ query }: Call): { number: number; size: number } {
  const number = numberFrom(query.page, 1);
  const size = numberFrom(query.page_size, 100);
  const errors: FieldError[] = [];
  if (!(number >= 1)) errors.push({ field: 'page', reason: 'Must be 1 or more' });
  if (!(size >= 25 && size <= 100)) errors.push({ field: 'page_size', reason: 'Must be 25-100' });
  if (errors.length > 0) throw new HttpError(400, errors);
  return { number, size };
}

const numberFrom = (text: string | undefined, fallback: number) =>
  text === undefined ? fallback : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;

/** The rows that a call may see: without a token only the public ones. */
export const visibleTo = <T extends { is_public: boolean }>({ user }: Call, all: ReadonlyMap<number | string, T>) =>
  user ? all : [...all.values()].filter(({ is_public }) => is_public);

/** Refuses a label that another row has. @throws 400 */
export function needUniqueLabel<T extends { label: string }>(rows: Iterable<T>, label: unknown, except?: T): void {
  for (const row of rows) if (row.label === label && row !== except) throw invalid('label', 'Label must be unique');
}

/** An operation on a file at an address that carries its own permission: on the host of the storage, outside the API. */
export interface SignedRoute {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Path from the root on; parameters as `:name`, those that may hold a slash as `:name{.+}`. */
  path: string;
  handler: (call: SignedCall, cloud: Cloud) => Response | Promise<Response>;
}

export interface SignedCall {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  request: Request;
  /** Lets the clock of the cloud go on to now, e.g. after a long body. */
  advance: () => void;
}

/** The answer of a storage host that refuses: XML, as such hosts write it. */
export const storageError = (status: number, code: string, message: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`, {
    status,
    headers: { 'Content-Type': 'application/xml' },
  });

/** Answers a signed call; a request that carries a token as well is refused, for it was sent where it must not go. */
export async function answerSigned(route: SignedRoute, call: SignedCall, cloud: Cloud): Promise<Response> {
  call.advance();
  if (call.request.headers.has('Authorization'))
    return storageError(400, 'InvalidArgument', 'Only one way to authorise is allowed: the signature or a token');
  return route.handler(call, cloud);
}
