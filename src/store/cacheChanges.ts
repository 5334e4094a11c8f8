import { type Difference, differencesBetween } from '../resources/differences.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Params, Row } from '../resources/resource.ts';
import type { Answer, Cache, Collection } from './cache.ts';
import { isWhole } from './entries.ts';
import type { Event, Poller } from './events.ts';
import { isLocal, type Query } from './queries.ts';

/** Something that is loaded and became another. */
export interface CacheChange {
  /** The rows of a list or the newest events, a row that was viewed alone, or the answer to another operation. */
  kind: 'rows' | 'row' | 'answer';
  /** Under which it is counted as loaded. */
  name: string;
  /** The query that it answers; undefined for the newest events. */
  query?: Query;
  /** The resource of its rows, or of the operation that is answered. */
  resource: string;
  /** The rows of a list that are others now; undefined where that is not known, or where it is no list. */
  differences?: readonly Difference<Row>[];
  /** It was or is not there, not whole or refused, or other rows are in it: more than the same rows with other values. */
  isStructural: boolean;
}

/** Tells what of what is loaded became another. A list that is read for the first time counts when that has ended. */
export interface CacheChanges {
  subscribe(listener: (changes: readonly CacheChange[]) => void): () => void;
  /** All that was read to its end, by the keys of the queries, and `events` by that name. */
  loaded(): ReadonlyMap<string, LoadedEntry>;
}

/** A list or answer that was read to its end: its name, and the parameters that it was read with. */
export interface LoadedEntry {
  name: string;
  params: Params;
}

/** An entry of the cache as last seen; it is another one when any of this is. */
interface Stamp extends Pick<CacheChange, 'kind' | 'name' | 'resource'> {
  query: Query;
  /** The rows of a collection, the body of an answer. */
  read: unknown;
  isWhole: boolean;
  isRefused: boolean;
}

type Entries = Readonly<Record<string, Collection | Answer>>;

const eventsName = resourceNamed('events').name;

/** The name of what answers an operation; a row that was viewed alone is one of its resource's rows. */
export const entryName = (resource: string, operation: string): string =>
  operation === 'view' ? resource : `${resource}.${operation}`;

/** Whether the API refuses to answer a query or knows no such thing: asking again would not help. */
export const isRefused = (entry: Pick<Answer, 'error'> | undefined): boolean =>
  entry?.error?.status === 403 || entry?.error?.status === 404;

function stampOf(entry: Collection | Answer): Stamp {
  const { query } = entry;
  if ('rows' in entry) {
    const { resource, rows: read } = entry;
    return {
      kind: 'rows',
      name: resource,
      query,
      resource,
      read,
      isWhole: isWhole(entry),
      isRefused: isRefused(entry),
    };
  }
  const { resource, operation } = query;
  const kind = operation === 'view' ? 'row' : 'answer';
  const name = entryName(resource, operation);
  return { kind, name, query, resource, read: entry.body, isWhole: true, isRefused: isRefused(entry) };
}

export function createCacheChanges(cache: Cache, events: Pick<Poller, 'getState' | 'subscribe'>): CacheChanges {
  const stamps = new Map<string, Stamp>();
  const listeners = new Set<(changes: readonly CacheChange[]) => void>();
  let loaded: ReadonlyMap<string, LoadedEntry> | undefined;

  function tell(changes: readonly CacheChange[]): void {
    if (changes.length === 0) return;
    if (changes.some(({ isStructural }) => isStructural)) loaded = undefined;
    for (const listener of listeners) listener(changes);
  }

  /** Notes how an entry looks now; the change where that is another look. */
  function noted(key: string, stamp: Stamp): readonly CacheChange[] {
    const last = stamps.get(key);
    stamps.set(key, stamp);
    const isAsBefore = last?.isWhole === stamp.isWhole && last.isRefused === stamp.isRefused;
    if (isAsBefore && last.read === stamp.read) return [];
    const { kind, name, query, resource, read } = stamp;
    const differences =
      kind === 'rows' && last ? differencesBetween(last.read as readonly Row[], read as readonly Row[]) : undefined;
    const isInPlace =
      kind === 'rows'
        ? differences?.every(({ before, after }) => before && after)
        : last?.read !== undefined && read !== undefined;
    return [{ kind, name, query, resource, differences, isStructural: !isAsBefore || !isInPlace }];
  }

  function changedIn(after: Entries, before: Entries): readonly CacheChange[] {
    if (after === before) return [];
    const changes: CacheChange[] = [];
    for (const key in after) {
      const entry = after[key];
      if (!entry || entry === before[key]) continue;
      const isFirst = entry.loading && entry.loadedAt === undefined;
      if (!isFirst && !isLocal(entry.query)) changes.push(...noted(key, stampOf(entry)));
    }
    for (const key in before) {
      const last = key in after ? undefined : stamps.get(key);
      if (!last) continue;
      stamps.delete(key);
      changes.push({
        kind: last.kind,
        name: last.name,
        query: last.query,
        resource: last.resource,
        isStructural: true,
      });
    }
    return changes;
  }

  cache.subscribe((after, before) =>
    tell([...changedIn(after.collections, before.collections), ...changedIn(after.answers, before.answers)]),
  );
  events.subscribe((after, before) => {
    const isFirst = after.polledAt !== undefined && before.polledAt === undefined;
    if (after.events !== before.events || isFirst)
      tell([
        {
          kind: 'rows',
          name: eventsName,
          resource: eventsName,
          differences: eventsBetween(before.events, after.events),
          isStructural: isFirst,
        },
      ]);
  });

  function whatIsLoaded(): ReadonlyMap<string, LoadedEntry> {
    const found = new Map<string, LoadedEntry>();
    for (const [key, { name, query, read, isWhole, isRefused }] of stamps)
      if (read !== undefined && isWhole && !isRefused) found.set(key, { name, params: query.params });
    if (events.getState().polledAt !== undefined) found.set(eventsName, { name: eventsName, params: {} });
    return found;
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    loaded: () => {
      loaded ??= whatIsLoaded();
      return loaded;
    },
  };
}

/** The events that came, went or became others, in no order. */
function eventsBetween(before: readonly Event[], after: readonly Event[]): readonly Difference<Row>[] {
  const left = new Map(before.map((event) => [event.id, event]));
  const differences: Difference<Row>[] = [];
  for (const event of after) {
    const old = left.get(event.id);
    left.delete(event.id);
    if (old !== event) differences.push({ before: old, after: event });
  }
  for (const event of left.values()) differences.push({ before: event, after: undefined });
  return differences;
}
