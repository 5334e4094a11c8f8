import { timerDelay } from '../text/times.ts';
import { isLocal, keyOf, operationOf, type Question, rowsOf } from './questions.ts';
import type { Records } from './records.ts';

/** Reads again what is on screen, when it is due, and nothing else. */
export interface Refresher {
  /**
   * Someone looks at this question from now on: it is read at once when it is not fresh. Answers the way to look away.
   * A question that is only wanted `unseen` is read again seldom: events tell when most of it changes.
   */
  watch(question: Question, kind: 'collection' | 'answer', unseen?: 'unseen'): () => void;
  /** Reads everything on screen now. */
  refreshAll(): Promise<void>;
  /** Reads now what is on screen and failed, except what the API refuses. */
  retryFailed(): void;
  /** Makes these questions stale (`rowsOf` is the resource of a collection's rows): it is read now when someone looks, else the next time someone does. */
  invalidate(matches: (question: Question, rowsOf: string | undefined) => boolean): void;
  /** Whether nothing is read only because it is due; afterwards it is. */
  rest(isResting: boolean): void;
  stop(): void;
}

interface Watched {
  question: Question;
  kind: 'collection' | 'answer';
  watchers: number;
  /** Of these, those that look at it. */
  lookers: number;
  release: () => void;
}

/** The fewest seconds between two readings of what nobody looks at, where events tell of its changes and where none does. */
const unseenEvery = { told: 300, untold: 60 };

const isTold = (question: Question): boolean => {
  const { entity, events } = rowsOf(question);
  return entity !== undefined || events !== undefined;
};

const pageSize = 100;

/**
 * @param onStale told the keys of everything that became stale, when the reading of what is watched has begun
 * @param every seconds between two readings of one page; a collection of many pages waits that long for each of them
 */
export function createRefresher(
  records: Records,
  now: () => number,
  every: number,
  onStale: (keys: ReadonlySet<string>) => void = () => {},
): Refresher {
  const watched = new Map<string, Watched>();
  const stale = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isResting = false;
  let stopped = false;

  const entryOf = (key: string) => records.getState().collections[key] ?? records.getState().answers[key];

  /** When a question is to be read, in ms since the epoch; what is being read is due when that has ended. */
  function dueAt(key: string, { question, lookers }: Watched): number {
    const entry = entryOf(key);
    if (entry?.loading) return Number.POSITIVE_INFINITY;
    if (entry?.triedAt === undefined || stale.has(key)) return 0;
    const { freshFor: described = every } = operationOf(question);
    const freshFor = lookers > 0 ? described : Math.max(described, unseenEvery[isTold(question) ? 'told' : 'untold']);
    if (entry.error) {
      const patience = lookers > 0 ? Math.min(described, every) : unseenEvery.untold;
      return entry.triedAt + Math.max(patience * 1000, entry.error.retryAfterMs ?? 0);
    }
    const pages = 'rows' in entry ? Math.max(1, Math.ceil(entry.rows.length / pageSize)) : 1;
    return entry.triedAt + freshFor * 1000 * pages;
  }

  /** Reads a question, or waits for the reading under way; that one does not make fresh what became stale meanwhile. */
  async function read({ question, kind }: Watched): Promise<void> {
    const key = keyOf(question);
    if (!entryOf(key)?.loading) stale.delete(key);
    await (kind === 'collection' ? records.readCollection(question) : records.readAnswer(question));
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    const next = Math.min(...[...watched].map(([key, entry]) => dueAt(key, entry)));
    if (stopped || isResting || !Number.isFinite(next)) return;
    timer = setTimeout(readDue, timerDelay(next - now()));
    timer.unref();
  }

  function readDue(): void {
    readThose(needsReading);
    schedule();
  }

  /** Whether it is due, or is being read by someone else, whose end is to be waited for. */
  const needsReading = (key: string, entry: Watched): boolean =>
    entryOf(key)?.loading === true || dueAt(key, entry) <= now();

  function readThose(chosen: (key: string, entry: Watched) => boolean): void {
    for (const [key, entry] of watched) if (chosen(key, entry)) void read(entry);
  }

  function leave(key: string, entry: Watched): void {
    if (entry.watchers > 0 || watched.get(key) !== entry) return;
    watched.delete(key);
    if (entryOf(key)?.loading) stale.add(key);
    entry.release();
    records.abandon(entry.question);
    schedule();
  }

  return {
    watch: (question, kind, unseen) => {
      if (isLocal(question)) return () => {};
      const key = keyOf(question);
      const entry = watched.get(key) ?? {
        question,
        kind,
        watchers: 0,
        lookers: 0,
        release: records.hold([question]),
      };
      entry.watchers++;
      if (!unseen) entry.lookers++;
      watched.set(key, entry);
      if (needsReading(key, entry)) void read(entry);
      else schedule();
      return () => {
        entry.watchers--;
        if (!unseen) entry.lookers--;
        // The next screen may look at the same, and begins to do so after this one has ended.
        queueMicrotask(() => leave(key, entry));
      };
    },
    refreshAll: async () => {
      await Promise.all([...watched.values()].map(read));
    },
    retryFailed: () =>
      readThose((key) => {
        const { error, loading } = entryOf(key) ?? {};
        return error !== undefined && !loading && error.status !== 403 && error.status !== 404;
      }),
    invalidate: (matches) => {
      const { collections, answers } = records.getState();
      const entries = Object.entries({ ...answers, ...collections }).filter(([, { query }]) => !isLocal(query));
      const known = new Set(entries.map(([key]) => key));
      for (const key of stale) if (!known.has(key)) stale.delete(key);
      const those = entries.filter(([key, { query }]) => matches(query, collections[key]?.resource));
      const found = new Set(those.map(([key]) => key));
      for (const key of found) stale.add(key);
      readThose((key) => found.has(key));
      onStale(found);
    },
    rest: (value) => {
      isResting = value;
      schedule();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
