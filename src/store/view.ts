import { differencesBetween } from '../resources/differences.ts';
import { idOf, liesUnder, paramsFrom } from '../resources/identity.ts';
import { isSingle, knownResource, resourceNamed } from '../resources/index.ts';
import { memoize } from '../resources/memoize.ts';
import { findIn } from '../resources/problems/rowIndex.ts';
import { type CacheView, type LoadedList, none, type Params, type Resource, type Row } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';
import type { Answer, Cache, Collection } from './cache.ts';
import { isWhole } from './entries.ts';
import type { Poller } from './events.ts';
import type { Fleet } from './fleet.ts';
import { isKept } from './kept/keptRows.ts';
import { eventsName, queryKey, viewQuery } from './queries.ts';
import { goneFrom, rowIn } from './rows.ts';

interface ViewParts {
  cache: Cache;
  /** The newest events; there are more further back. */
  events: Pick<Poller, 'getState'>;
  /** The load of servers; unknown without it. */
  fleet?: Pick<Fleet, 'usageOf' | 'recentDayOf' | 'transferShareOf' | 'requested'>;
  now: () => Timestamp;
}

/** The cache as descriptions and screens read it; indexed, since they read row by row. */
export const createView = (parts: ViewParts): CacheView => viewOf(parts, deletedFrom(parts.cache), (all) => all);

/** The same without lists of an earlier session that are not confirmed: for all that acts by itself, or decides. */
export const createConfirmedView = (parts: ViewParts, { deleted }: CacheView): CacheView =>
  viewOf(parts, deleted, (all) => (all.some(isKept) ? all.filter((one) => !isKept(one)) : all));

function viewOf(
  { cache, events, fleet, now }: ViewParts,
  deleted: CacheView['deleted'],
  knownOf: (collections: readonly Collection[]) => readonly Collection[],
): CacheView {
  const collectionsBy = groupedBy<Collection>(({ resource }) => resource);
  const answersBy = groupedBy<Answer>(({ query }) => query.resource);
  const unions = new Map<string, { of: readonly Collection[]; rows: readonly Row[] }>();
  const listed = new Map<string, { of: unknown; lists: readonly LoadedList[] }>();

  const collectionsOf = (resource: string) =>
    knownOf(collectionsBy(cache.getState().collections).get(resource) ?? none);

  function collectionsUnder(resource: string, under: Params): readonly Collection[] {
    const all = collectionsOf(resource);
    const [first] = Object.entries(under);
    // A rule asks for the rows of one parent among hundreds, row by row.
    const near = first && (byParent(all).get(first.join()) ?? all);
    return near?.filter(({ query }) => liesUnder(query.params, under)) ?? all;
  }

  /** A row that was viewed alone. */
  const viewed = (resource: Resource, params: Params) =>
    cache.getState().answers[queryKey(viewQuery(resource, params))]?.body as Row | null | undefined;

  /** The rows of several collections, each once; the same list while they are unchanged. */
  function union(resource: Resource, under: Params, of: readonly Collection[]): readonly Row[] {
    const key = queryKey({ resource: resource.name, operation: 'list', params: under });
    const known = unions.get(key);
    if (known?.of.length === of.length && known.of.every(({ rows }, index) => rows === of[index]?.rows))
      return known.rows;
    const rows = [...new Map(of.flatMap(({ rows }) => rows.map((row) => [idOf(resource, row), row]))).values()];
    unions.set(key, { of, rows });
    return rows;
  }

  /** A single row as a list; the same list while it is unchanged. */
  function single(resource: Resource): readonly Row[] {
    const row = viewed(resource, {});
    return typeof row === 'object' && row !== null ? alone(row) : none;
  }

  function rows(resource: string, under: Params = {}): readonly Row[] {
    const found = collectionsUnder(resource, under);
    const [only] = found;
    if (only && found.length === 1) return only.rows;
    const description = knownResource(resource);
    if (!description) return none;
    return isSingle(description) ? single(description) : union(description, under, found);
  }

  function row(resource: string, id: unknown, params?: Params): Row | undefined {
    const description = knownResource(resource);
    if (!description) return undefined;
    for (const { query, rows } of collectionsOf(resource)) {
      const found = !params || liesUnder(params, query.params) ? rowIn(description, rows, String(id)) : undefined;
      if (found) return found;
    }
    // Where many rows point to what is not read, nothing is looked up.
    if (!answersBy(cache.getState().answers).has(resource)) return undefined;
    return viewed(description, params ?? paramsFrom(description, String(id))) ?? undefined;
  }

  /** The lists of a resource by its own list operation, which include those of sections and tabs. */
  function lists(resource: string): readonly LoadedList[] {
    const isEvents = resource === eventsName;
    const only = isEvents ? events.getState().events : isSingle(resourceNamed(resource)) ? rows(resource) : undefined;
    const of = only ?? collectionsOf(resource);
    const known = listed.get(resource);
    if (known?.of === of) return known.lists;
    const own = only
      ? [{ params: {}, rows: only, whole: !isEvents }].filter(({ rows }) => isEvents || rows.length > 0)
      : collectionsOf(resource).flatMap((one) => (one.query.operation === 'list' ? [loadedList(one)] : []));
    const lists = known && areSameLists(known.lists, own) ? known.lists : own;
    listed.set(resource, { of, lists });
    return lists;
  }

  return {
    rows,
    row,
    find: (resource, index, value) =>
      findIn(resource === eventsName ? events.getState().events : rows(resource), index, value),
    deleted,
    lists,
    loaded: (resource) => [
      ...(answersBy(cache.getState().answers).get(resource) ?? none).flatMap(({ query, body }) =>
        query.operation === 'view' && body ? [{ params: query.params, rows: [body as Row], whole: false }] : [],
      ),
      ...(resource === eventsName ? lists(resource) : none),
      ...collectionsOf(resource).map(loadedList),
    ],
    isRead: (resource, under = {}) => lists(resource).some(({ params, whole }) => whole && liesUnder(params, under)),
    answer: (resource, operation, params) => cache.getState().answers[queryKey({ resource, operation, params })]?.body,
    get events() {
      return events.getState().events;
    },
    usage: (serverId) => fleet?.usageOf(serverId),
    day: (serverId) => fleet?.recentDayOf(serverId),
    transferShare: (serverId) => fleet?.transferShareOf(serverId),
    measured: () => fleet?.requested() ?? none,
    get now() {
      return now();
    },
  };
}

const alone = memoize((row: Row): readonly Row[] => [row]);

const byParent = memoize((all: readonly Collection[]) =>
  Map.groupBy(all, ({ query }) => Object.entries(query.params)[0]?.join()),
);

const loadedList = (collection: Collection): LoadedList => ({
  params: collection.query.params,
  rows: collection.rows,
  whole: collection.query.operation === 'list' && isWhole(collection),
});

const areSameLists = (one: readonly LoadedList[], other: readonly LoadedList[]): boolean =>
  one.length === other.length &&
  one.every(({ params, rows, whole }, index) => {
    const last = other[index];
    return params === last?.params && rows === last.rows && whole === last.whole;
  });

/** Groups entries by resource, again only when they change. */
const groupedBy = <Entry>(resourceOf: (entry: Entry) => string) =>
  memoize((entries: Readonly<Record<string, Entry>>) => Map.groupBy(Object.values(entries), resourceOf));

/** Deleted rows of one resource; the oldest are forgotten. */
const maxDeleted = 500;

/** Remembers the rows that disappeared from lists without parameters. */
function deletedFrom(cache: Pick<Cache, 'subscribe'>): CacheView['deleted'] {
  const seen = new Map<string, readonly Row[]>();
  const deleted = new Map<string, readonly Row[]>();

  cache.subscribe(({ collections }, before) => {
    if (collections === before.collections) return;
    for (const key in collections) {
      const collection = collections[key];
      if (!collection || collection === before.collections[key]) continue;
      const { resource, query, rows, loading, loadedAt } = collection;
      const last = seen.get(key);
      const isFirst = loading && loadedAt === undefined;
      if (isFirst || rows === last || Object.keys(query.params).length > 0 || resourceNamed(resource).local) continue;
      seen.set(key, rows);
      if (last) remember(resourceNamed(resource), last, rows);
    }
  });

  function remember(resource: Resource, before: readonly Row[], after: readonly Row[]): void {
    if (differencesBetween(before, after)?.every((one) => one.before && one.after)) return;
    const isAway = (row: Row) => !rowIn(resource, after, idOf(resource, row));
    const all = [...(deleted.get(resource.name) ?? []).filter(isAway), ...goneFrom(resource, before, after)];
    deleted.set(resource.name, all.slice(-maxDeleted));
  }

  return (resource) => deleted.get(resource) ?? none;
}
