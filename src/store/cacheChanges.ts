import { type Difference, differencesBetween } from '../resources/differences.ts';
import { none, type Params, type Row } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';
import type { Answer, Cache, Collection } from './cache.ts';
import { isWhole } from './entries.ts';
import type { Event, EventsState, Poller } from './events.ts';
import { createListeners } from './listeners.ts';
import { eventsName, isLocal, type Query } from './queries.ts';

/** A change of a cache entry or of the newest events. */
export interface CacheChange {
  /** The rows of a list or the newest events, a row that was viewed alone, or the answer to another operation. */
  kind: 'rows' | 'row' | 'answer';
  /** The key in `loaded`: the resource, with the operation where it is neither list nor view. */
  name: string;
  /** The query that it answers; undefined for the newest events. */
  query?: Query;
  /** The resource of its rows, or of the operation that is answered. */
  resource: string;
  /** The changed rows of a list; undefined where they are not known, or where it is no list. */
  differences?: readonly Difference<Row>[];
  /** A row that was viewed alone, as it was and as it is. */
  viewed?: Difference<Row>;
  /** When the reading before this one ended; undefined where there was none. */
  since?: Timestamp;
  /** Rows came or went, or the entry appeared, disappeared, became complete or was refused: more than changed values. */
  isStructural: boolean;
}

/** Reports changes of the cache and of the newest events. A first reading is reported when it has ended. */
export type CacheChanges = ReturnType<typeof createCacheChanges>;

export interface LoadedEntry {
  name: string;
  params: Params;
}

/** The parts of a cache entry whose change is reported. */
interface Snapshot extends Pick<CacheChange, 'kind' | 'name' | 'resource'> {
  query: Query;
  /** The rows of a collection, the body of an answer. */
  read: unknown;
  isWhole: boolean;
  isRefused: boolean;
  readAt: Timestamp | undefined;
}

type Entries = Readonly<Record<string, Collection | Answer>>;

/** The name of an entry: a row viewed alone counts as one of its resource's rows. */
export const entryName = (resource: string, operation: string): string =>
  operation === 'view' ? resource : `${resource}.${operation}`;

/** Whether the API denies a query or finds nothing: to retry would not help. */
export const isRefused = (entry: Pick<Answer, 'error'> | undefined): boolean =>
  entry?.error?.status === 403 || entry?.error?.isGone === true;

function snapshotOf(entry: Collection | Answer): Snapshot {
  const { query, loadedAt: readAt } = entry;
  const common = { query, isRefused: isRefused(entry), readAt };
  if ('rows' in entry) {
    const { resource, rows, keptAt } = entry;
    // Kept rows are no knowledge: reading them to their end is the first reading.
    const read = keptAt === undefined ? rows : none;
    return { ...common, kind: 'rows', name: resource, resource, read, isWhole: isWhole(entry) };
  }
  const { resource, operation } = query;
  const kind = operation === 'view' ? 'row' : 'answer';
  return { ...common, kind, name: entryName(resource, operation), resource, read: entry.body, isWhole: true };
}

export function createCacheChanges(cache: Cache, events: Pick<Poller, 'getState' | 'subscribe'>) {
  const snapshots = new Map<string, Snapshot>();
  const listeners = createListeners<[changes: readonly CacheChange[]]>();
  let loaded: ReadonlyMap<string, LoadedEntry> | undefined;

  function notify(changes: readonly CacheChange[]): void {
    if (changes.length === 0) return;
    if (changes.some(({ isStructural }) => isStructural)) loaded = undefined;
    listeners.tell(changes);
  }

  /** Takes the snapshot of an entry; returns its change since the last one. */
  function takeSnapshot(key: string, snapshot: Snapshot): readonly CacheChange[] {
    const last = snapshots.get(key);
    snapshots.set(key, snapshot);
    const isAsBefore = last?.isWhole === snapshot.isWhole && last.isRefused === snapshot.isRefused;
    if (isAsBefore && last.read === snapshot.read) return [];
    const { kind, name, query, resource, read } = snapshot;
    const differences =
      kind === 'rows' && last ? differencesBetween(last.read as readonly Row[], read as readonly Row[]) : undefined;
    const isInPlace =
      kind === 'rows'
        ? differences?.every(({ before, after }) => before && after)
        : last?.read !== undefined && read !== undefined;
    const viewed =
      kind === 'row' ? { before: last?.read as Row | undefined, after: read as Row | undefined } : undefined;
    const isStructural = !isAsBefore || !isInPlace;
    return [{ kind, name, query, resource, differences, viewed, since: last?.readAt, isStructural }];
  }

  function changedIn(after: Entries, before: Entries): readonly CacheChange[] {
    if (after === before) return [];
    const changes: CacheChange[] = [];
    for (const key in after) {
      const entry = after[key];
      if (!entry || entry === before[key]) continue;
      const isFirst = entry.loading && entry.loadedAt === undefined;
      if (!isFirst && !isLocal(entry.query)) changes.push(...takeSnapshot(key, snapshotOf(entry)));
    }
    for (const key in before) {
      const last = key in after ? undefined : snapshots.get(key);
      if (!last) continue;
      snapshots.delete(key);
      const { kind, name, query, resource } = last;
      changes.push({ kind, name, query, resource, isStructural: true });
    }
    return changes;
  }

  cache.subscribe((after, before) =>
    notify([...changedIn(after.collections, before.collections), ...changedIn(after.answers, before.answers)]),
  );
  events.subscribe((after, before) => {
    const isFirst = isRead(after) && !isRead(before);
    if (after.events === before.events && !isFirst) return;
    const differences = eventsBetween(before.events, after.events);
    notify([{ kind: 'rows', name: eventsName, resource: eventsName, differences, isStructural: isFirst }]);
  });

  function loadedEntries(): ReadonlyMap<string, LoadedEntry> {
    const found = new Map<string, LoadedEntry>();
    for (const [key, { name, query, read, isWhole, isRefused }] of snapshots)
      if (read !== undefined && isWhole && !isRefused) found.set(key, { name, params: query.params });
    if (isRead(events.getState())) found.set(eventsName, { name: eventsName, params: {} });
    return found;
  }

  return {
    subscribe: listeners.subscribe,
    /** The entries read to their ends, by query key; the newest events as `events`. */
    loaded: () => {
      loaded ??= loadedEntries();
      return loaded;
    },
  };
}

/** Whether all events were read that are read at first; what was found in them until then is no news. */
const isRead = ({ polledAt, isReadingOn }: EventsState): boolean => polledAt !== undefined && isReadingOn !== true;

/** The events that came, went or changed, in no order. */
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
