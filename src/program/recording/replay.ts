import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, abortedError, type ErrorKind } from '../../api/error.ts';
import type { Exchanges } from '../../api/request.ts';
import type { HttpResponse } from '../../api/requestHandler.ts';
import { at, isText } from '../../resources/row.ts';
import { attempt } from '../../text/errno.ts';
import { timeOf } from '../../text/times.ts';
import { readNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import type { HarEntry, RecordedAccount } from './record.ts';

const maxBytes = 256 * 2 ** 20;

/**
 * The account of a recording, as it was when that began, in place of settings: read-only, and with no way to the network.
 * The clock of the process shows the time of the recording from then on. Throws a UsageError where the file is no recording.
 */
export function settingsOfReplay(file: string) {
  const { about, entries, began } = readRecording(file);
  const { now } = Date;
  const ahead = began - now();
  Date.now = () => now() + ahead;
  const { profile, host = profile, vocabulary, baseUrl = 'http://demo.invalid' } = about;
  return {
    profile: `replay of ${host}`,
    demo: true,
    readOnly: true,
    account: { baseUrl, token: { value: 'replayed', source: 'the recording' } },
    vocabulary,
    exchanges: { answer: answersOf(entries) },
  };
}

/** Reads a recording; a last entry that breaks off is left out. Throws a UsageError that says where it is wrong. */
export function readRecording(file: string) {
  const wrong = (why: string): UsageError => new UsageError(`The recording ${file} cannot be replayed: ${why}.`);
  const log = at(parsed(readNamed(file, { called: 'The recording', isAnybodys: true, maxBytes })), 'log');
  if (log === undefined) throw wrong('it is no HAR, which begins with {"log": …');
  const about = at(log, '_skydeck') as RecordedAccount | null | undefined;
  if (!about) throw wrong('it was not made by skydeck --record; log._skydeck is missing');
  const { profile, host = profile, baseUrl = host, vocabulary = {} } = about;
  if (![profile, host, baseUrl, ...Object.values(vocabulary ?? [vocabulary])].every(isText))
    throw wrong('log._skydeck must have texts');
  const entries = at(log, 'entries');
  if (!Array.isArray(entries)) throw wrong('log.entries must be a list');
  for (const [index, entry] of entries.entries()) {
    const why = flawOf(entry);
    if (why !== undefined) throw wrong(`log.entries[${index}].${why}`);
  }
  const [first] = entries as HarEntry[];
  if (!first) throw wrong('it has no request');
  return { about, entries, began: timeOf(first.startedDateTime) };
}

/** The JSON of a file, without a line that breaks off, as after a power cut. */
function parsed(text: string): unknown {
  const lastLine = text.lastIndexOf('\n');
  for (const json of [text, ...[lastLine, text.lastIndexOf('\n', lastLine - 1)].map((end) => closed(text, end))]) {
    const value: unknown = attempt(() => JSON.parse(json));
    // Else the line before may be whole.
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The text up to a line, with the end of a recording. */
const closed = (text: string, end: number): string => `${text.slice(0, Math.max(0, end)).replace(/,$/, '')}]}}`;

/** The path in an entry that is wrong, and its rule. */
function flawOf(entry: unknown): string | undefined {
  const rules: readonly (readonly [path: string, isRight: (value: unknown) => boolean, rule: string])[] = [
    ['startedDateTime', (value) => isText(value) && !Number.isNaN(timeOf(value)), 'must be a time'],
    ['time', (value) => typeof value === 'number' && value >= 0, 'must be milliseconds'],
    ['request.method', isText, 'must be a text'],
    ['request.url', (value) => isText(value) && URL.canParse(value), 'must be an address'],
    ['request.headers', isHeaders, 'must be names and values'],
    ['response.status', (value) => Number.isInteger(value), 'must be a status'],
    ['response.headers', isHeaders, 'must be names and values'],
    ['response.content.text', isText, 'must be a text'],
    ['_error', (value) => value === undefined || isError(value), 'must have a message, and a kind of failure'],
  ];
  const broken = rules.find(([path, isRight]) => !isRight(at(entry, path)));
  return broken && `${broken[0]} ${broken[2]}`;
}

const failures: readonly unknown[] = ['unreachable', 'timeout', 'malformed'] satisfies ErrorKind[];
const isError = (value: unknown): boolean => isText(at(value, 'message')) && failures.includes(at(value, 'kind'));

const isHeaders = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => [at(one, 'name'), at(one, 'value')].every(isText));

/** Answers each request as it was answered the first time, then the second; the last answer stays. It takes as long again. */
function answersOf(entries: readonly HarEntry[]): NonNullable<Exchanges['answer']> {
  const known = Map.groupBy(entries, ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const filter = request.headers.find(({ name }) => name === 'x-filter')?.value;
    return keyOf(request.method, pathname + search, filter);
  });
  return async ({ method, told, headers, line, signal }) => {
    const left = known.get(keyOf(method, told, headers['x-filter']));
    const entry = left && left.length > 1 ? left.shift() : left?.[0];
    await wait(entry?.time ?? 0, undefined, { signal }).catch(() => Promise.reject(abortedError(line, false)));
    if (entry?._error) {
      const { kind, message, status } = entry._error;
      throw new ApiError({ ...line, kind, message, status });
    }
    return entry ? responseOf(entry) : missing();
  };
}

const keyOf = (method: string, target: string, filter = ''): string => `${method} ${target} ${filter}`;

/** Without the time that it was recorded at: it may be shown sooner, or later. */
const responseOf = ({ response, _isCut }: HarEntry): HttpResponse => ({
  status: response.status,
  headers: Object.fromEntries(response.headers.flatMap(({ name, value }) => (name === 'date' ? [] : [[name, value]]))),
  text: _isCut ? undefined : response.content.text,
});

const text = JSON.stringify({ errors: [{ reason: 'The recording has no answer to this request.' }] });
const missing = (): HttpResponse => ({ status: 400, headers: { 'content-type': 'application/json' }, text });
