import { isStandIn } from '../resources/identity.ts';
import type { Operation, Params } from '../resources/resource.ts';
import { unicodeEscape } from '../text/escapes.ts';
import { ApiError } from './error.ts';

/** Parameters whose value is a path of its own: `private/12`, `server/latest-64bit` (document 1, 4; document 2, 4). */
const withSlash: ReadonlySet<string> = new Set(['imageId', 'kernelId']);

/**
 * The path of an operation with its parameters filled in and percent-encoded.
 * Throws an ApiError of kind `malformed` when one is missing, empty or would climb.
 */
export function pathOf({ method, path }: Operation, params: Params = {}): string {
  return path
    .split('/')
    .map((segment) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name === undefined) return segment;
      const parts = withSlash.has(name) ? (params[name] ?? '').split('/') : [params[name] ?? ''];
      if (parts.some((part) => part === '' || part === '.' || part === '..' || isStandIn(part))) {
        const given = params[name] ?? '';
        const why = isStandIn(given)
          ? 'the API gives no id for what it is about'
          : `${JSON.stringify(given)} is no ${name}`;
        const message = `${method} ${path} was not sent: ${why}.`;
        throw new ApiError({ kind: 'malformed', method, path, message });
      }
      return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
    })
    .join('/');
}

/** Gathers the query of an operation: of its parameters those that belong there, and further ones. */
export const queryFor = (
  { query = [] }: Operation,
  params: Params = {},
  besides: Readonly<Record<string, string | number>> = {},
): Record<string, string | number> => ({
  ...Object.fromEntries(Object.entries(params).filter(([name]) => query.includes(name))),
  ...besides,
});

/** A query string with its question mark; empty when there is nothing to ask. Spaces are `%20`. */
export function queryOf(query: Readonly<Record<string, string | number>> = {}): string {
  const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs).toString().replaceAll('+', '%20')}`;
}

/** The value of an X-Filter header, which holds ASCII only; undefined when nothing is filtered. */
export function filterHeader(filter: unknown): string | undefined {
  if (filter === undefined) return undefined;
  return JSON.stringify(filter).replace(/[^\x20-\x7e]/g, unicodeEscape);
}

/** A base URL taken apart. */
export interface Base {
  /** `https://api.example.com` */
  origin: string | Promise<string>;
  /** Stands before every path, without a slash at its end; mostly empty. */
  prefix: string;
}

/** Reads a base URL. Throws an Error, one sentence, when it is no http or https address or carries credentials. */
export function baseOf(baseUrl: string | Promise<string>): Base {
  if (typeof baseUrl !== 'string') return { origin: baseUrl, prefix: '' };
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const shown = JSON.stringify(baseUrl.replace(/\/\/.*@/, '//'));
    throw new Error(`The base URL ${shown} is no http or https address such as https://api.example.com.`);
  }
  if (url.username || url.password) {
    throw new Error(`The base URL of ${url.host} must not carry a user name or password; give a token instead.`);
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
