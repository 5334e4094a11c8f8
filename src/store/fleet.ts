import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApiError } from '../api/error.ts';
import { type Day, type LoadSummary, loads, summaryOf } from '../resources/compute/load.ts';
import { differencesBetween } from '../resources/differences.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Row, Usage } from '../resources/resource.ts';
import { minute, type Timestamp } from '../text/times.ts';
import type { Answer, Cache, Collection } from './cache.ts';
import { isWhole } from './entries.ts';
import { type Query, queryKey } from './queries.ts';
import { rowIn } from './rows.ts';

/** Counts the changes of the loads; several within a frame count once. */
export interface FleetState {
  version: number;
}

/** The load of the servers: one small summary of the statistics of each, kept when the answer itself is not. */
export interface Fleet extends StoreApi<FleetState> {
  /** Means of the last two hours; undefined where they are unknown or too old. */
  usageOf(serverId: string): Usage | undefined;
  /** The day before its statistics were read last; undefined where there was no reading. */
  dayOf(serverId: string): Day | undefined;
  /** Why the last reading of its statistics failed; undefined where it did not. */
  failureOf(serverId: string): ApiError | undefined;
  /** Whether its statistics were requested, successfully or not. */
  isRequested(serverId: string): boolean;
  /** The servers whose statistics were requested, successfully or not: few of very many. */
  requested(): Iterable<string>;
  /** The last reading of the statistics of a server; undefined for all other queries. */
  attemptOf(query: Query): Pick<ServerLoad, 'triedAt' | 'error'> | undefined;
  stop(): void;
}

interface ServerLoad {
  /** When its statistics were last requested. */
  triedAt: Timestamp;
  summary?: LoadSummary;
  /** When `summary` was read. */
  readAt?: Timestamp;
  error?: ApiError;
}

/** Means of two hours are out of date after this time. */
const usageMs = 60 * minute;

const frameMs = 16;

/** Of so many servers the means of five minutes are kept: those of 20,000 would take 90 MB. */
const maxFine = 1000;

const servers = resourceNamed('servers');
const stats = 'stats';

/** The query for the statistics of a server. */
export const statsOf = (id: string): Query => ({
  resource: servers.name,
  operation: stats,
  params: { [servers.param]: id },
});

/** The id of the server whose statistics a query asks for. */
const serverIn = ({ resource, operation, params }: Query): string | undefined =>
  resource === servers.name && operation === stats ? params[servers.param] : undefined;

const listKey = queryKey({ resource: servers.name, operation: 'list', params: {} });

export function createFleet(cache: Cache, now: () => Timestamp): Fleet {
  const store = createStore<FleetState>(() => ({ version: 0 }));
  const entries = new Map<string, ServerLoad>();
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

  /** Summarizes the answer about one server. */
  function note(id: string, { body, error, triedAt, loadedAt }: Answer): void {
    if (triedAt === undefined) return;
    const before = entries.get(id);
    const isNew = loadedAt !== undefined && loadedAt !== before?.readAt;
    const summary = isNew ? summaryOf(body, loadedAt) : before?.summary;
    entries.set(id, { triedAt, summary, readAt: isNew ? loadedAt : before?.readAt, error });
    if (isNew && summary) keepFine(id);
  }

  const unsubscribe = cache.subscribe((after, before) => {
    let isChanged =
      after.collections[listKey] !== before.collections[listKey] && haveServersChanged(after.collections[listKey]);
    if (after.answers === before.answers && !isChanged) return;
    for (const key in after.answers) {
      const answer = after.answers[key];
      if (!answer || answer === before.answers[key] || answer.loading) continue;
      const id = serverIn(answer.query);
      if (id === undefined) continue;
      note(id, answer);
      isChanged = true;
    }
    if (isChanged) frame ??= setTimeout(publish, frameMs);
  });

  /** Drops deleted servers, and notifies of the change. */
  function publish(): void {
    frame = undefined;
    const list = cache.getState().collections[listKey];
    if (isRead(list)) for (const id of [...entries.keys()]) if (!rowIn(servers, list.rows, id)) entries.delete(id);
    store.setState(({ version }) => ({ version: version + 1 }));
  }

  /** Whether servers came or went since the last comparison. */
  function haveServersChanged(list: Collection | undefined): boolean {
    if (!isRead(list)) return false;
    const differences = differencesBetween(listed, list.rows);
    listed = list.rows;
    return !differences?.every(({ before, after }) => before && after);
  }

  return {
    ...store,
    usageOf: (id) => {
      const { summary, readAt = 0 } = entries.get(id) ?? {};
      return now() - readAt < usageMs ? summary?.usage : undefined;
    },
    dayOf: (id) => entries.get(id)?.summary?.day,
    failureOf: (id) => entries.get(id)?.error,
    isRequested: (id) => entries.has(id),
    requested: () => entries.keys(),
    attemptOf: (query) => entries.get(serverIn(query) ?? ''),
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
