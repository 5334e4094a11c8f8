import type { Operation, Params, Resource, Row } from '../../resources/resource.ts';
import { invalidToken, type User } from './access.ts';
import type { Cloud } from './cloud.ts';
import { forbidden } from './errors.ts';
import type { Entity } from './eventLog.ts';
import type { Filter } from './filter.ts';
import type { SignedRoute } from './signed.ts';
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
