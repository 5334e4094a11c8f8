import { closeSync, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { ApiError } from '../../api/error.ts';
import { isSecretName, redacted, redaction, redactorOf } from '../../api/redact.ts';
import type { Exchange, Exchanges } from '../../api/request.ts';
import { createLosslessJson } from '../../api/responseText.ts';
import { vocabularyOf } from '../../api/vocabulary.ts';
import { describedActions, resources } from '../../resources/index.ts';
import type { Settings } from '../../store/session.ts';
import { attempt, reasonOf } from '../../text/errno.ts';
import { openToWrite } from '../privateFile.ts';
import { UsageError } from '../rules.ts';

/** The account of a recording, as `_skydeck` in the log. */
export interface RecordedAccount extends Pick<Settings, 'profile' | 'host'> {
  /** Undefined for the demo. */
  baseUrl?: string;
  vocabulary?: Readonly<Record<string, string>>;
}

/** Written behind each entry, and overwritten by the next, so that the file is whole whenever the program ends. */
const tail = '\n]}}\n';

/**
 * Begins a recording in a new file, which only its owner may read: HAR 1.2, with `_skydeck` for what a replay needs beside
 * the requests. Throws a UsageError where it cannot be written, or is there already.
 */
export function openRecording(
  file: string,
  { profile, host, account, vocabulary }: RecordedAccount & { account?: { baseUrl: string; token: { value: string } } },
): Exchanges {
  const descriptor = openToWrite(file, { called: 'The recording', isSecret: true, isUsers: true }, true);
  let tell: (says: string) => void = () => {};
  let size = 0;
  let count = 0;
  let isOver = false;
  const append = (text: string): void => {
    const bytes = Buffer.from(text + tail);
    // On a disk that fills, a write takes what fits, and the next one fails.
    for (let written = 0; written < bytes.length; )
      written += writeSync(descriptor, bytes, written, bytes.length - written, size + written);
    size += bytes.length - tail.length;
  };
  const creator = { name: 'Skydeck', version: SKYDECK_VERSION };
  const head = JSON.stringify({
    log: { version: '1.2', creator, _skydeck: { profile, host, baseUrl: account?.baseUrl, vocabulary }, entries: [] },
  });
  const entryOf = entries(vocabulary, account?.token.value);
  try {
    append(head.slice(0, head.lastIndexOf(']')));
  } catch (error) {
    closeSync(descriptor);
    rmSync(file, { force: true });
    throw new UsageError(`The recording ${file} cannot be written: ${reasonOf(error)}.`);
  }
  return {
    record: (exchange) => {
      if (isOver || isNotSent(exchange)) return;
      try {
        append(`${count++ === 0 ? '' : ','}\n${JSON.stringify(entryOf(exchange))}`);
      } catch (error) {
        isOver = true;
        restore(descriptor, size);
        // Nothing else of the session ends by it.
        tell(`The recording ${file} ends here: ${reasonOf(error)}. It has what came before.`);
      }
    },
    onEnd: (listener) => {
      tell = listener;
    },
  };
}

/** Takes back what was written of an entry; the end needs no more room than was there. */
function restore(descriptor: number, size: number): void {
  // Where that fails, a replay reads a file that breaks off as well.
  attempt(() => {
    writeSync(descriptor, tail, size);
    ftruncateSync(descriptor, size + tail.length);
  });
}

const isNotSent = ({ response }: Exchange): boolean =>
  response instanceof ApiError &&
  ['read-only', 'unavailable', 'guarded', 'aborted', 'unrecorded'].includes(response.kind);

/** The headers that the program reads; others may hold what nobody expects there. */
const isTold = (name: string): boolean =>
  /^(?:content-type|date|retry-after|x-oauth-scopes|x-filter|x-ratelimit-.*)$/.test(name);

/** A request and its answer, as HAR 1.2 has them. */
export type HarEntry = ReturnType<ReturnType<typeof entries>>;

/** Makes entries of HAR without secrets: fields by their names, and the token and what was sent wherever they stand. */
function entries(vocabulary: RecordedAccount['vocabulary'], token: string | undefined) {
  const { fromWire } = vocabularyOf(vocabulary);
  const json = createLosslessJson();
  const isSecret = (name: string) => isSecretName(name) || isSecretName(fromWire.field(name));
  /** The fields of answers to changes that are shown once; rows may have others of that name, such as `url`. */
  const shownOnce = new Set(resources.flatMap((one) => describedActions(one).flatMap(({ secret = [] }) => secret)));
  return ({ request, origin, at, ms, response }: Exchange) => {
    const { method, headers, body } = request;
    const sent = typeof body === 'string' ? body : '';
    const redact = redactorOf(json.parse(sent), [token ?? '', ...secretsIn(request)]);
    /** JSON without secrets; of all else, in which secrets have no names, only the length. */
    const safeText = (text: string, isHidden = isSecret): string => {
      const value = json.parse(text);
      if (value === undefined) return `${text.length} characters that are no JSON`;
      const named = JSON.stringify(redacted(value, isHidden));
      return json.stringify(JSON.parse(named, (_, one) => (typeof one === 'string' ? redact(one) : one)));
    };
    const told = (given: Readonly<Record<string, unknown>>) =>
      Object.entries(given).flatMap(([name, value]) =>
        isTold(name) ? [{ name, value: (name === 'x-filter' ? safeText : redact)(String(value)) }] : [],
      );
    const isFailed = response instanceof ApiError;
    const isHidden = (name: string) => isSecret(name) || (method !== 'GET' && shownOnce.has(name));
    const text = isFailed || !response.text ? '' : safeText(response.text, isHidden);
    const url = redact(origin + request.told);
    return {
      startedDateTime: new Date(at).toISOString(),
      /** Milliseconds. */
      time: Math.round(ms * 10) / 10,
      request: {
        ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: told(headers), headersSize: -1, bodySize: -1 },
        queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
        ...(sent && { postData: { mimeType: 'application/json', text: safeText(sent) } }),
      },
      response: {
        // 0 where there was no answer.
        ...{ status: isFailed ? 0 : response.status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [] },
        ...{ headers: isFailed ? [] : told(response.headers), redirectURL: '', headersSize: -1, bodySize: -1 },
        content: { size: text.length, mimeType: isFailed ? '' : (response.headers['content-type'] ?? ''), text },
      },
      cache: {},
      timings: { send: 0, wait: Math.round(ms * 10) / 10, receive: 0 },
      // Why there was no answer, or that the body of an error answer broke off.
      ...(isFailed && { _error: { kind: response.kind, message: redact(response.message), status: response.status } }),
      ...(!isFailed && response.text === undefined && { _isCut: true as const }),
    };
  };
}

/** The secrets by which the path of a request names a row. */
function secretsIn({ target, told }: Exchange['request']): readonly string[] {
  const shown = told.split(/[/?]/);
  return target.split(/[/?]/).flatMap((part, index) => (shown[index] === redaction ? decodeURIComponent(part) : []));
}
