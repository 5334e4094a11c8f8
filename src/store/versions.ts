import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Poller } from './events.ts';
import { isWhole } from './held.ts';
import { isLocal, questionOf } from './questions.ts';
import type { Answer, Collection, Records } from './records.ts';

/**
 * How often what is loaded has changed, by name: that of a resource for its rows, `servers.transfer` for the answers to
 * one of its further operations, `events` for the newest events. A list that is being read counts when that has ended.
 */
export type Versions = Readonly<Record<string, number>>;

/** What was last seen of an entry of the cache; it is another one when any of this is. */
interface Stamp {
  name: string;
  /** The rows of a collection, the body of an answer. */
  read: unknown;
  isWhole: boolean;
  isRefused: boolean;
}

/** The name under which the answers to an operation are counted; a row that was viewed alone is one of its resource's rows. */
export const nameOf = (resource: string, operation: string): string =>
  operation === 'view' ? resource : `${resource}.${operation}`;

/** Whether the API refuses to answer a question or knows no such thing: asking again would not help. */
export const isRefused = (entry: Pick<Answer, 'error'> | undefined): boolean =>
  entry?.error?.status === 403 || entry?.error?.status === 404;

/** The counts, and what is loaded. */
export interface VersionCounter extends StoreApi<Versions> {
  /** What was read to its end: the names under which it is counted by the keys of the questions, and `events` by that name. */
  loaded(): ReadonlyMap<string, string>;
}

/** Counts the changes of what is loaded, by identity. */
export function createVersions(records: Records, events: Pick<Poller, 'getState' | 'subscribe'>): VersionCounter {
  const store = createStore<Versions>(() => ({}));
  const stamps = new Map<string, Stamp>();
  let loaded: ReadonlyMap<string, string> | undefined;

  function count(names: ReadonlySet<string>): void {
    if (names.size === 0) return;
    loaded = undefined;
    const before = store.getState();
    store.setState(Object.fromEntries([...names].map((name) => [name, (before[name] ?? 0) + 1])));
  }

  /** Notes how an entry looks now; the name to count where that is another look. */
  function noted(key: string, stamp: Stamp): readonly string[] {
    const last = stamps.get(key);
    stamps.set(key, stamp);
    const isSame =
      last && last.read === stamp.read && last.isWhole === stamp.isWhole && last.isRefused === stamp.isRefused;
    return isSame ? [] : [stamp.name];
  }

  function changedIn<Entry extends Answer | Collection>(
    after: Readonly<Record<string, Entry>>,
    before: Readonly<Record<string, Entry>>,
    stampOf: (entry: Entry, key: string) => Stamp,
  ): readonly string[] {
    if (after === before) return [];
    const changed = Object.entries(after).filter(
      ([key, entry]) => entry !== before[key] && !entry.loading && !isLocal(questionOf(key)),
    );
    const gone = Object.keys(before).filter((key) => !(key in after));
    return [
      ...changed.flatMap(([key, entry]) => noted(key, stampOf(entry, key))),
      ...gone.flatMap((key) => {
        const last = stamps.get(key);
        stamps.delete(key);
        return last ? [last.name] : [];
      }),
    ];
  }

  records.subscribe((after, before) =>
    count(
      new Set([
        ...changedIn(after.collections, before.collections, (collection) => ({
          name: collection.resource,
          read: collection.rows,
          isWhole: isWhole(collection),
          isRefused: isRefused(collection),
        })),
        ...changedIn(after.answers, before.answers, (answer, key) => ({
          name: nameOfKey(key),
          read: answer.body,
          isWhole: true,
          isRefused: isRefused(answer),
        })),
      ]),
    ),
  );
  events.subscribe((after, before) => {
    const isFirst = after.polledAt !== undefined && before.polledAt === undefined;
    if (after.events !== before.events || isFirst) count(new Set(['events']));
  });

  function whatIsLoaded(): ReadonlyMap<string, string> {
    const whole = [...stamps].filter(([, { read, isWhole, isRefused }]) => read !== undefined && isWhole && !isRefused);
    const polled = events.getState().polledAt === undefined ? [] : [['events', 'events'] as const];
    return new Map([...whole.map(([key, { name }]) => [key, name] as const), ...polled]);
  }

  return {
    ...store,
    loaded: () => {
      loaded ??= whatIsLoaded();
      return loaded;
    },
  };
}

function nameOfKey(key: string): string {
  const [resource = '', operation = ''] = key.slice(0, key.indexOf('?')).split('.');
  return nameOf(resource, operation);
}
