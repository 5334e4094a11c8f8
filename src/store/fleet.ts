import { createStore } from 'zustand/vanilla';
import type { ApiError } from '../api/error.ts';
import { type LoadSummary, summaryOf, transferShare } from '../resources/compute/load.ts';
import { differencesBetween } from '../resources/differences.ts';
import { idOf, paramsOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { isRow, loads, type Resource, type Row } from '../resources/resource.ts';
import { minute, type Timestamp } from '../text/times.ts';
import type { Answer, Cache, Collection } from './cache.ts';
import { isWhole } from './entries.ts';
import { listQuery, type Query, queryKey } from './queries.ts';
import { rowIn } from './rows.ts';

/**
 * The load of the servers: one small summary of the statistics of each, kept when the answer itself is not. Also when rows
 * of other areas were asked about, whose answers the cache keeps meanwhile.
 */
export type Fleet = ReturnType<typeof createFleet>;

/** When and how something about a row was read last. */
type Reading = Pick<Answer, 'triedAt' | 'error'>;

/** The last reading of something about a server. */
export interface LastReading {
  triedAt: Timestamp;
  readAt?: Timestamp;
  error?: ApiError;
}

/** A reading is out of date after this time. */
const recentMs = 60 * minute;

const frameMs = 16;

/** Of so many servers the means of five minutes are kept: those of 20,000 would take 90 MB. */
const maxFine = 1000;

/** So many of the oldest readings are looked at for the next that is due. */
const maxRenewed = 100;

const servers = resourceNamed('servers');
/** The operation that reads the statistics of a server. */
export const stats = 'stats';
const transfer = 'transfer';

/** The query for the statistics of a server. */
export const statsOf = (id: string): Query => ({
  resource: servers.name,
  operation: stats,
  params: { [servers.param]: id },
});

const queryAbout = (operation: string, resource: Resource, row: Row): Query => ({
  resource: resource.name,
  operation,
  params: paramsOf(resource, row),
});

/** The id of the server that a query asks for something about. */
const serverIn = ({ resource, params }: Query): string =>
  resource === servers.name ? (params[servers.param] ?? '') : '';

const listKey = queryKey(listQuery(servers));

export function createFleet(cache: Cache, now: () => Timestamp) {
  /** Counts the changes of the loads and of all that columns ask about rows; several within a frame count once. */
  const store = createStore(() => ({ version: 0 }));
  const entries = new Map<string, LastReading & { summary?: LoadSummary }>();
  const transfers = new Map<string, LastReading & { share?: number }>();
  const readings: Readonly<Record<string, ReadonlyMap<string, LastReading>>> = {
    [stats]: entries,
    [transfer]: transfers,
  };
  /** The servers of the last comparison. */
  let listed: readonly Row[] = [];
  let frame: NodeJS.Timeout | undefined;
  /** The servers whose means of five minutes are kept, those read longest ago first. */
  const fine = new Set<string>();

  /** Keeps the means of five minutes of one more server, and forgets those of the one read longest ago. */
  function keepFine(id: string): void {
    fine.delete(id);
    fine.add(id);
    const [first] = fine;
    if (fine.size <= maxFine || first === undefined) return;
    fine.delete(first);
    const day = entries.get(first)?.summary?.day;
    for (const load of day ? loads : []) delete day?.[load].fine;
  }

  /** Summarizes an answer about one server. */
  function note({ query, body, error, triedAt, loadedAt }: Answer): void {
    if (triedAt === undefined) return;
    const id = serverIn(query);
    const before = readings[query.operation]?.get(id);
    const isNew = loadedAt !== undefined && loadedAt !== before?.readAt;
    const last = { triedAt, readAt: isNew ? loadedAt : before?.readAt, error };
    if (query.operation === transfer) {
      const share = isNew && isRow(body) ? transferShare(body) : transfers.get(id)?.share;
      transfers.set(id, { ...last, share });
      return;
    }
    const summary = isNew ? summaryOf(body, loadedAt) : entries.get(id)?.summary;
    entries.set(id, { ...last, summary });
    if (isNew && summary) keepFine(id);
  }

  /** The reading, unless it is out of date. */
  const recent = <T extends LastReading>(last: T | undefined): T | undefined =>
    last && now() - (last.readAt ?? 0) < recentMs ? last : undefined;

  /** The same by when it was requested, successfully or not. */
  const lately = <T extends Reading>(last: T | undefined): T | undefined =>
    now() - (last?.triedAt ?? 0) < recentMs ? last : undefined;

  const unsubscribe = cache.subscribe((after, before) => {
    let isChanged =
      after.collections[listKey] !== before.collections[listKey] && haveServersChanged(after.collections[listKey]);
    if (after.answers === before.answers && !isChanged) return;
    for (const key in after.answers) {
      const answer = after.answers[key];
      if (!answer || answer === before.answers[key] || answer.loading) continue;
      const { resource, operation } = answer.query;
      if (resource === servers.name && readings[operation]) note(answer);
      isChanged ||= resourceNamed(resource).columns.some(({ fetches }) => fetches === operation);
    }
    if (isChanged) frame ??= setTimeout(publish, frameMs);
  });

  /** Drops deleted servers, and notifies of the change. */
  function publish(): void {
    frame = undefined;
    const list = cache.getState().collections[listKey];
    for (const those of isRead(list) ? [entries, transfers] : [])
      for (const id of [...those.keys()]) if (!rowIn(servers, list?.rows ?? [], id)) those.delete(id);
    store.setState(({ version }) => ({ version: version + 1 }));
  }

  /** Whether servers came or went since the last comparison. */
  function haveServersChanged(list: Collection | undefined): boolean {
    if (!isRead(list)) return false;
    const differences = differencesBetween(listed, list.rows);
    listed = list.rows;
    return !differences?.every(({ before, after }) => before && after);
  }

  /** The queries of an operation about rows: those not read first, then those read longest ago. */
  function* queries(operation: string, resource: Resource, rows: readonly Row[]): Generator<Query> {
    const read: { row: Row; triedAt: Timestamp }[] = [];
    for (const row of rows) {
      const triedAt = readingOf(operation, resource, row)?.triedAt;
      if (triedAt === undefined) yield queryAbout(operation, resource, row);
      else read.push({ row, triedAt });
    }
    for (const { row } of read.sort((one, other) => one.triedAt - other.triedAt).slice(0, maxRenewed))
      yield queryAbout(operation, resource, row);
  }

  /** The last reading of an operation about a row. */
  function readingOf(operation: string, resource: Resource, row: Row): Reading | undefined {
    const own = resource.name === servers.name ? readings[operation] : undefined;
    if (own) return own.get(idOf(resource, row));
    return cache.getState().answers[queryKey(queryAbout(operation, resource, row))];
  }

  return {
    ...store,
    /** Means of the last two hours; undefined where they are unknown or too old. */
    usageOf: (id: string) => recent(entries.get(id))?.summary?.usage,
    /** The day before its statistics were read last; undefined where there was no reading. */
    dayOf: (id: string) => entries.get(id)?.summary?.day,
    /** The same, undefined where that was more than an hour ago. */
    recentDayOf: (id: string) => recent(entries.get(id))?.summary?.day,
    /** The share of its transfer quota that it has used, in percent; undefined where that is unknown or too old. */
    transferShareOf: (id: string) => recent(transfers.get(id))?.share,
    /** Why the last reading of its statistics failed; undefined where it did not. */
    failureOf: (id: string) => entries.get(id)?.error,
    /** Whether its statistics were requested, successfully or not. */
    isRequested: (id: string) => entries.has(id),
    /** The servers whose statistics were requested, successfully or not: few of very many. */
    requested: (): Iterable<string> => entries.keys(),
    /** The last reading of an operation about a server, unless it is out of date. */
    lastOf: (operation: string, id: string) => lately(readings[operation]?.get(id)),
    /** The same about a row of any resource. */
    readingOf: (operation: string, resource: Resource, row: Row) => lately(readingOf(operation, resource, row)),
    queries,
    /** Has the cache keep what was answered about rows, unless it is kept here; returns a function that ends it. */
    retain: (operation: string, resource: Resource, rows: readonly Row[]) =>
      cache.retain(
        resource.name === servers.name && readings[operation]
          ? []
          : rows.map((row) => queryAbout(operation, resource, row)),
      ),
    /** The last reading of the statistics or the transfer of a server; undefined for all other queries. */
    attemptOf: (query: Query) => readings[query.operation]?.get(serverIn(query)),
    stop: () => {
      unsubscribe();
      clearTimeout(frame);
    },
  };
}

/** Whether a list is complete, so that a missing server is deleted. */
const isRead = (list: Collection | undefined): list is Collection =>
  list !== undefined && isWhole(list) && !list.loading;

/** Whether there are no readings yet, which the API says by 400. */
export const isWithoutReadings = ({ status, errors }: ApiError): boolean =>
  status === 400 && errors.some(({ reason }) => /unavailable/i.test(reason));
