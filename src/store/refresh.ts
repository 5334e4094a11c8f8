import { type Collection, keyOf, type Question, type Records } from './records.ts';

/** Reads again what is on screen, when it is due, and nothing else. */
export interface Refresher {
  /** Someone looks at this question from now on: it is read at once when it is not fresh. Answers the way to look away. */
  watch(question: Question, kind: 'collection' | 'answer'): () => void;
  /** Reads everything on screen now. */
  refreshAll(): Promise<void>;
  /** What is loaded of these questions is stale (`rowsOf` is the resource of a collection's rows): it is read now when someone looks, else the next time someone does. */
  invalidate(matches: (question: Question, rowsOf: string | undefined) => boolean): void;
  stop(): void;
}

interface Watched {
  question: Question;
  kind: 'collection' | 'answer';
  watchers: number;
}

/**
 * @param every seconds between two readings of one page; a collection of many pages waits that long for each of them
 */
export function createRefresher(records: Records, now: () => number, every: number): Refresher {
  const watched = new Map<string, Watched>();
  const stale = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const entryOf = (key: string) => records.getState().collections[key] ?? records.getState().answers[key];

  function dueAt(key: string): number {
    const entry = entryOf(key);
    if (!entry || stale.has(key)) return 0;
    if (entry.loading) return Number.POSITIVE_INFINITY;
    const pages = 'rows' in entry ? Math.max(1, Math.ceil((entry as Collection).rows.length / 100)) : 1;
    return (entry.loadedAt ?? now()) + every * 1000 * pages;
  }

  async function read({ question, kind }: Watched): Promise<void> {
    stale.delete(keyOf(question));
    await (kind === 'collection' ? records.readCollection(question) : records.readAnswer(question));
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    const next = Math.min(...[...watched.keys()].map(dueAt));
    if (!Number.isFinite(next)) return;
    timer = setTimeout(readDue, Math.max(0, next - now()));
    timer.unref();
  }

  function readDue(): void {
    for (const [key, entry] of watched) if (dueAt(key) <= now()) void read(entry);
    schedule();
  }

  return {
    watch: (question, kind) => {
      const key = keyOf(question);
      const entry = watched.get(key) ?? { question, kind, watchers: 0 };
      entry.watchers++;
      watched.set(key, entry);
      if (dueAt(key) <= now()) void read(entry);
      else schedule();
      return () => {
        entry.watchers--;
        if (entry.watchers > 0) return;
        watched.delete(key);
        records.abandon(question);
        schedule();
      };
    },
    refreshAll: async () => {
      await Promise.all([...watched.values()].map(read));
    },
    invalidate: (matches) => {
      const { collections, answers } = records.getState();
      for (const key of [...Object.keys(collections), ...Object.keys(answers)]) {
        const question = questionOf(key);
        if (matches(question, collections[key]?.resource)) stale.add(key);
      }
      for (const [key, entry] of watched) if (stale.has(key)) void read(entry);
    },
    stop: () => clearTimeout(timer),
  };
}

/** The question of a key. */
function questionOf(key: string): Question {
  const [, resource = '', operation = '', query = ''] = /^(.*?)\.(.*?)\?(.*)$/.exec(key) ?? [];
  return { resource, operation, params: Object.fromEntries(new URLSearchParams(query)) };
}
