import type { Operation } from '../resources/resource.ts';
import { oneLine } from '../text/cells.ts';
import { withoutStop } from '../text/words.ts';
import { ApiError, type ErrorReason, outcomeUnknown, type RequestLine, requestText } from './error.ts';

/** A response with a status other than 2xx. */
export interface ErrorResponse {
  status: number;
  /** The parsed body; undefined when it is not JSON. */
  body: unknown;
  /** The origin that a redirect points to. */
  location?: string;
  retryAfterMs?: number;
}

/** Translates and redacts the texts of an error body. */
export interface ErrorMapping {
  /** A dotted field path in the documents' words. */
  field: (path: string) => string;
  /** A list of scopes in the platform's words. */
  scopes: (list: string) => string;
  /** Takes secrets out of a text. */
  redact: (text: string) => string;
}

/** The error for a response with a status other than 2xx (document 1, 7). */
export function responseError(
  line: RequestLine,
  operation: Operation,
  base: string,
  response: ErrorResponse,
  mapping: ErrorMapping,
): ApiError {
  const { status, body, retryAfterMs } = response;
  const maybeSent = isOutcomeUnknown(line, status);
  // Sentences keep the platform's words; only code that looks for a field needs the documents'.
  const reasons = reasonsText(reasonsIn(body, { ...mapping, field: (path) => path }));
  const scope = mapping.scopes([operation.scope ?? []].flat().join(' and '));
  const isLasting = 'pages' in operation && !operation.path.includes('{');
  const message = sentence(line, response, { reasons, scope, base, isLasting }) + (maybeSent ? outcomeUnknown : '');
  const parts = { errors: reasonsIn(body, mapping), retryAfterMs, maybeSent, isForeign: body === undefined };
  return new ApiError({ ...line, kind: 'answer', status, message, ...parts });
}

/**
 * Whether a change may have been done although the response is no success: a gateway that lost its server cannot know,
 * a server that failed may have done half of it, and a redirect says nothing of it.
 */
const isOutcomeUnknown = ({ method }: RequestLine, status: number): boolean =>
  method !== 'GET' && (status === 500 || status === 502 || status === 504 || (status >= 300 && status < 400));

/** The elements of an error body, with dotted field paths; anything else is ignored. */
function reasonsIn(body: unknown, { field, redact }: ErrorMapping): readonly ErrorReason[] {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((element: { field?: unknown; reason?: unknown } | null) => {
    if (typeof element?.reason !== 'string') return [];
    const reason = oneLine(redact(element.reason), maxReasonUnits);
    if (typeof element.field !== 'string' || element.field === '') return [{ reason }];
    return [{ field: field(oneLine(redact(dotted(element.field)), maxReasonUnits)), reason }];
  });
}

/** `ipv4[0].range` as `ipv4.0.range`. */
const dotted = (field: string) => field.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '');

/** Longer than any reason of the API, in UTF-16 units. */
const maxReasonUnits = 2000;

const reasonsText = (errors: readonly ErrorReason[]) =>
  errors.map(({ field, reason }) => withoutStop(field ? `${field}: ${reason}` : reason)).join('; ');

interface SentenceParts {
  /** In the API's words, without a full stop; empty when it gave none. */
  reasons: string;
  /** Empty when the operation needs none. */
  scope: string;
  base: string;
  /** A collection that no row must be there for. */
  isLasting: boolean;
}

function sentence(line: RequestLine, response: ErrorResponse, parts: SentenceParts): string {
  const { status, location, retryAfterMs } = response;
  const { reasons, scope, base, isLasting } = parts;
  const request = requestText(line);
  const because = reasons ? `: ${reasons}` : '';
  const again = retryAfterMs === undefined ? 'in a while' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  if (status >= 300 && status < 400) {
    const target = location ? ` to ${location}` : '';
    return `${base} redirects ${request}${target} (${status}). Redirects are not followed; check the base URL.`;
  }
  if (status === 401) return `The API does not accept the token (401${because}); check it, or create a new one.`;
  if (status === 403) {
    const needed = scope ? `; it needs the scope ${scope}` : '';
    return `The token has no permission for ${request} (403${because})${needed}.`;
  }
  if (status === 404 && response.body === undefined)
    return `A page that is none of the API answers ${request} (404), so nothing is known of it; check the base URL.`;
  if (status === 404) {
    const why = isLasting ? 'a list is never deleted, so look at vocabulary and base_url' : 'it may have been deleted';
    return `The API has nothing at ${line.wirePath ?? line.path} (404${because}); ${why}.`;
  }
  if (status === 429) return `Too many requests (429${because}); try again ${again}.`;
  if (status >= 500) {
    const wayOut = isOutcomeUnknown(line, status) ? '' : `; try again ${again}`;
    return `The API failed to handle ${request} (${status}${because})${wayOut}.`;
  }
  return reasons ? `${reasons} (${status}).` : `The API refuses ${request} (${status}) and gives no reason.`;
}
