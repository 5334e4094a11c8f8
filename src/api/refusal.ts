import type { Operation } from '../resources/resource.ts';
import { oneLine } from '../text/cells.ts';
import { ApiError, endUnknown, type Reason, type Subject, spoken } from './error.ts';

/** A refusal of the API. */
export interface Refused {
  status: number;
  /** The parsed body; undefined when it is no JSON. */
  body: unknown;
  /** The origin a redirect points to. */
  location?: string;
  retryAfterMs?: number;
}

/** Error bodies are read with field names in the documents' words, and without secrets. */
export interface Reading {
  /** A dotted field path in the documents' words. */
  field: (path: string) => string;
  /** A list of scopes in the platform's words. */
  scopes: (list: string) => string;
  /** Takes secrets out of a text. */
  scrub: (text: string) => string;
}

/** The error for an answer with a status other than 2xx (document 1, 7). */
export function refusal(
  subject: Subject,
  operation: Operation,
  base: string,
  { status, body, location, retryAfterMs }: Refused,
  reading: Reading,
): ApiError {
  const errors = reasonsIn(body, reading);
  const maybeSent = isInDoubt(subject, status);
  // Sentences say it as the API does; only who looks for a field needs the documents' words.
  const told = {
    subject,
    status,
    said: said(reasonsIn(body, { ...reading, field: (path) => path })),
    scope: reading.scopes(scopeOf(operation)),
    base,
    location,
    retryAfterMs,
  };
  const message = sentence(told) + (maybeSent ? endUnknown : '');
  const { method, path } = subject;
  return new ApiError({ kind: 'answer', method, path, status, errors, retryAfterMs, maybeSent, message });
}

/**
 * Whether a change may have been done although the answer is no success: a gateway that lost the server behind it
 * cannot know what that server did, one that broke may have done so half-way, and a redirect says nothing of it.
 */
const isInDoubt = ({ method }: Subject, status: number): boolean =>
  method !== 'GET' && (status === 500 || status === 502 || status === 504 || (status >= 300 && status < 400));

/** The elements of an error body, fields normalised to dotted paths; tolerant of anything else. */
function reasonsIn(body: unknown, { field, scrub }: Reading): readonly Reason[] {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((element: { field?: unknown; reason?: unknown } | null) => {
    if (typeof element?.reason !== 'string') return [];
    const reason = oneLine(scrub(element.reason), maxReasonUnits);
    if (typeof element.field !== 'string' || element.field === '') return [{ reason }];
    return [{ field: field(oneLine(scrub(dotted(element.field)), maxReasonUnits)), reason }];
  });
}

/** `ipv4[0].range` as `ipv4.0.range`. */
const dotted = (field: string) => field.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '');

/** More than any reason has; what follows would only be in the way of the rest. */
const maxReasonUnits = 2000;

const said = (errors: readonly Reason[]) =>
  errors.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason).replace(/\.$/, '')).join('; ');

const scopeOf = ({ scope }: Operation) => (scope === undefined ? '' : [scope].flat().join(' and '));

interface Told {
  subject: Subject;
  status: number;
  /** The words of the API, without a full stop; empty when it said nothing. */
  said: string;
  /** Empty where it takes none. */
  scope: string;
  base: string;
  location?: string;
  retryAfterMs?: number;
}

function sentence({ subject, status, said, scope, base, location, retryAfterMs }: Told): string {
  const request = spoken(subject);
  const because = said ? `: ${said}` : '';
  const again = retryAfterMs === undefined ? 'in a while' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  if (status >= 300 && status < 400) {
    const target = location ? ` to ${location}` : ' elsewhere';
    return `${base} redirects ${request}${target} (${status}), which is not followed; check the base URL.`;
  }
  if (status === 401) return `The API does not accept the token (401${because}); check it, or make a new one.`;
  if (status === 403) {
    const wanted = scope ? `; it takes the scope ${scope}` : '';
    return `The token may not do ${request} (403${because})${wanted}.`;
  }
  if (status === 404)
    return `The API has nothing at ${subject.wirePath ?? subject.path} (404${because}); it may have been deleted.`;
  if (status === 429) return `Too many requests (429${because}); try again ${again}.`;
  if (status >= 500) {
    const wayOut = isInDoubt(subject, status) ? '' : `; try again ${again}`;
    return `The API has a problem of its own with ${request} (${status}${because})${wayOut}.`;
  }
  return said ? `${said} (${status}).` : `The API refuses ${request} (${status}) without saying why.`;
}
