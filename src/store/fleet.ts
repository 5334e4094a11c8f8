import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ApiError } from '../api/error.ts';
import { type Day, type LoadSummary, summaryOf } from '../resources/compute/load.ts';
import { differencesBetween } from '../resources/differences.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Row, Usage } from '../resources/resource.ts';
import { timerDelay } from '../text/times.ts';
import type { Glances, Urgency } from './glances.ts';
import { keyOf, type Question } from './questions.ts';
import type { Answer, Collection, Records } from './records.ts';
import { rowIn } from './rows.ts';

/** Counts the changes to what is known of the servers; several within a frame count once. */
export interface FleetState {
  version: number;
}

/** The load of the servers: one small summary of the statistics of each, kept when the answer itself is not. */
export interface Fleet extends StoreApi<FleetState> {
  /** Means of the last two hours; undefined where they are not known, or were read too long ago to say what is now. */
  usageOf(serverId: string): Usage | undefined;
  /** The day before its statistics were read last; undefined where there was no reading. */
  dayOf(serverId: string): Day | undefined;
  /** Why the last reading of its statistics failed; undefined where it did not. */
  failureOf(serverId: string): ApiError | undefined;
  /** Whether its statistics were asked for, well or not. */
  isAsked(serverId: string): boolean;
  /** The servers whose statistics were asked for, well or not: few, where there are very many servers. */
  asked(): Iterable<string>;
  /**
   * The statistics of these servers are kept up to date until the way back is taken, in this order and with this
   * urgency; they are visible by default. They are gone through from the first on whenever one is due.
   */
  want(serverIds: Iterable<string>, urgency?: Urgency): () => void;
  /** Those whose last reading failed are due now. */
  retryFailed(): void;
  stop(): void;
}

interface Entry {
  /** When its statistics were asked for last, in ms since the epoch. */
  triedAt: number;
  summary?: LoadSummary;
  /** When `summary` was read, in ms since the epoch. */
  readAt?: number;
  error?: ApiError;
}

interface Wanted {
  ids: Iterable<string>;
  urgency: Urgency;
}

const minute = 60_000;

/** Statistics are means of five minutes; sooner there is nothing new. */
const freshMs = 5 * minute;
const retryMs = minute;
/** Means of two hours say nothing of the present when they are older than this. */
const usageMs = 60 * minute;

/** So many are handed on to be asked at a time, because what is asked is held whole in memory. */
const atATime = 50;

/** Changes within so many milliseconds count once. */
const frameMs = 16;

const servers = resourceNamed('servers');
const questionAbout = (id: string): Question => ({
  resource: servers.name,
  operation: 'stats',
  params: { [servers.param]: id },
});
const listKey = keyOf({ resource: servers.name, operation: 'list', params: {} });

export function createFleet(records: Records, glances: Glances, now: () => number): Fleet {
  const store = createStore<FleetState>(() => ({ version: 0 }));
  const entries = new Map<string, Entry>();
  const wanted = new Set<Wanted>();
  let handedOn: { key: string; release: () => void }[] = [];
  /** The servers as they were looked at last. */
  let listed: readonly Row[] = [];
  let frame: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Takes in the answer about one server. */
  function note(id: string, { body, error, triedAt, loadedAt }: Answer): void {
    if (triedAt === undefined) return;
    const before = entries.get(id);
    const isNew = loadedAt !== undefined && loadedAt !== before?.readAt;
    const summary = isNew ? summaryOf(body, loadedAt) : before?.summary;
    entries.set(id, { triedAt, summary, readAt: isNew ? loadedAt : before?.readAt, error });
  }

  const unsubscribe = records.subscribe((after, before) => {
    let isChanged = after.collections[listKey] !== before.collections[listKey] && areOthers(after.collections[listKey]);
    if (after.answers === before.answers && !isChanged) return;
    for (const key in after.answers) {
      const answer = after.answers[key];
      if (!answer || answer === before.answers[key] || answer.loading) continue;
      const { resource, operation, params } = answer.query;
      const id = params[servers.param];
      if (resource !== servers.name || operation !== 'stats' || id === undefined) continue;
      note(id, answer);
      isChanged = true;
    }
    if (isChanged) frame ??= setTimeout(settle, frameMs);
  });

  /** Drops what is known of servers that are gone, goes on with those that are wanted, and tells that something changed. */
  function settle(): void {
    frame = undefined;
    const list = records.getState().collections[listKey];
    if (isRead(list)) for (const id of [...entries.keys()]) if (!rowIn(servers, list.rows, id)) entries.delete(id);
    handOn();
    store.setState(({ version }) => ({ version: version + 1 }));
  }

  /** Whether servers came or went since this was asked last. */
  function areOthers(list: Collection | undefined): boolean {
    if (!isRead(list)) return false;
    const differences = differencesBetween(listed, list.rows);
    listed = list.rows;
    return !differences?.every(({ before, after }) => before && after);
  }

  /** When a server is to be asked about, in ms since the epoch. */
  function dueAt(id: string): number {
    const entry = entries.get(id);
    if (!entry) return 0;
    return entry.triedAt + (entry.error && !isWithoutReadings(entry.error) ? retryMs : freshMs);
  }

  /** Hands on those that are due to be asked within the budget, and waits for the next. */
  function handOn(): void {
    clearTimeout(timer);
    if (isStopped) return;
    const before = handedOn;
    handedOn = [...wanted].flatMap(({ ids, urgency }) => {
      const due = dueAmong(ids);
      if (due.length === 0) return [];
      const key = `${urgency} ${due.join(' ')}`;
      const same = before.find((one) => one.key === key);
      return [same ?? { key, release: glances.want(due.map(questionAbout), urgency) }];
    });
    for (const one of before) if (!handedOn.includes(one)) one.release();
    const next = nextDue();
    if (!Number.isFinite(next)) return;
    timer = setTimeout(handOn, timerDelay(next - now()));
    timer.unref();
  }

  /** The first that are due. */
  function dueAmong(ids: Iterable<string>): readonly string[] {
    const due: string[] = [];
    for (const id of ids) {
      if (dueAt(id) <= now()) due.push(id);
      if (due.length === atATime) break;
    }
    return due;
  }

  /** When the next of those that are known and not due yet will be, in ms since the epoch; those never asked about are due. */
  function nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    if (wanted.size === 0) return next;
    const from = now();
    for (const id of entries.keys()) {
      const due = dueAt(id);
      if (due > from && due < next) next = due;
    }
    return next;
  }

  return {
    ...store,
    usageOf: (id) => {
      const { summary, readAt = 0 } = entries.get(id) ?? {};
      return now() - readAt < usageMs ? summary?.usage : undefined;
    },
    dayOf: (id) => entries.get(id)?.summary?.day,
    failureOf: (id) => entries.get(id)?.error,
    isAsked: (id) => entries.has(id),
    asked: () => entries.keys(),
    want: (ids, urgency = 'visible') => {
      const own: Wanted = { ids, urgency };
      wanted.add(own);
      handOn();
      return () => {
        wanted.delete(own);
        handOn();
      };
    },
    retryFailed: () => {
      for (const entry of entries.values()) if (entry.error && !isWithoutReadings(entry.error)) entry.triedAt = 0;
      handOn();
    },
    stop: () => {
      isStopped = true;
      unsubscribe();
      clearTimeout(frame);
      clearTimeout(timer);
    },
  };
}

/** Whether all that is in a list is known: what is not among it is gone. */
const isRead = (list: Collection | undefined): list is Collection =>
  list?.loadedAt !== undefined && !list.loading && list.more === undefined;

/** Whether there are no readings yet, which the API says by 400. */
export const isWithoutReadings = ({ status, errors }: ApiError): boolean =>
  status === 400 && errors.some(({ reason }) => /unavailable/i.test(reason));
