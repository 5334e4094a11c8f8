import { isPlaceholderId } from '../resources/identity.ts';
import type { Operation, Params } from '../resources/resource.ts';
import { unicodeEscape } from '../text/escapes.ts';
import { notSent } from './error.ts';
import { redacted, redaction } from './redact.ts';

/** Parameters whose value may hold a slash: `private/12`, `server/latest-64bit` (document 1, 4; document 2, 4). */
export const multiSegmentParams: ReadonlySet<string> = new Set(['imageId', 'kernelId']);

/** The parameter that a segment of a path stands for; undefined where it stands for itself. */
export const parameterIn = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1];

/**
 * The path of an operation with its parameters filled in and percent-encoded.
 * Throws an ApiError of kind `malformed` when one is missing, empty, or leads upwards.
 */
export const pathOf = ({ method, path }: Operation, params: Params = {}): string =>
  path
    .split('/')
    .map((segment) => {
      const name = parameterIn(segment);
      if (name === undefined) return segment;
      const parts = multiSegmentParams.has(name) ? (params[name] ?? '').split('/') : [params[name] ?? ''];
      // A proxy may decode a slash, and go up there.
      const leadsUp = parts.some((part) => part.split(/[/\\]/).some((one) => one === '.' || one === '..'));
      if (leadsUp || parts.some((part) => part === '' || isPlaceholderId(part))) {
        const given = params[name] ?? '';
        const why = isPlaceholderId(given)
          ? 'the API gave no id for this row'
          : leadsUp
            ? `what is on the way could take ${JSON.stringify(given)} for another path; only the web console can name it`
            : `${JSON.stringify(given)} is not a valid ${name}`;
        throw notSent({ method, path }, 'malformed', `${method} ${path} was not sent: ${why}.`);
      }
      return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
    })
    .join('/');

/** The path of an operation as it is told, which names no row by a secret. Throws as `pathOf` does. */
export const toldPathOf = (operation: Operation, params: Params = {}): string =>
  pathOf(operation, redacted(params) as Params).replaceAll(encodeURIComponent(redaction), redaction);

/** The query of an operation: those of its parameters that belong there, and `extra`. */
export const queryParams = (
  { query = [] }: Operation,
  params: Params = {},
  extra: Readonly<Record<string, string | number>> = {},
): Record<string, string | number> => ({
  ...Object.fromEntries(Object.entries(params).filter(([name]) => query.includes(name))),
  ...extra,
});

/** A query string with its question mark, or an empty string. Spaces are `%20`. */
export function queryString(query: Readonly<Record<string, string | number>> = {}): string {
  const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs).toString().replaceAll('+', '%20')}`;
}

/** The value of an X-Filter header, in ASCII; undefined when there is no filter. */
export const filterHeader = (filter: unknown): string | undefined =>
  (JSON.stringify(filter) as string | undefined)?.replace(/[^\x20-\x7e]/g, unicodeEscape);

/** The parts of a base URL. */
export interface BaseUrl {
  /** `https://api.example.com` */
  origin: string | Promise<string>;
  /** Precedes every path, without a slash at its end; usually empty. */
  prefix: string;
}

/** Parses a base URL. Throws an Error of one sentence when it is not an http or https address or carries credentials. */
export function parseBaseUrl(baseUrl: string | Promise<string>): BaseUrl {
  if (typeof baseUrl !== 'string') return { origin: baseUrl, prefix: '' };
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const shown = JSON.stringify(baseUrl.replace(/\/\/.*@/, '//'));
    throw new Error(`The base URL ${shown} must be an http or https address such as https://api.example.com.`);
  }
  if (url.username || url.password)
    throw new Error(`The base URL of ${url.host} must not carry a user name or password; give a token instead.`);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
