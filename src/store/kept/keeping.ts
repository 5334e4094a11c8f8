import { setImmediate as turn } from 'node:timers/promises';
import { compareIds } from '../../resources/identity.ts';
import { resourceNamed, resources } from '../../resources/index.ts';
import type { CacheView, Params, Row } from '../../resources/resource.ts';
import { minute, second, timerDelay } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import { isWhole } from '../entries.ts';
import type { Poller } from '../events.ts';
import { valueIn } from '../filter/fields.ts';
import { listViewOf, type Navigation, type Place, placeKey, placeOf } from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { eventsName, isLocal, listQuery, type Query, queryKey, resourceOfRows } from '../queries.ts';
import { reuseList, rowIn } from '../rows.ts';
import { columnOf, sorted } from '../sorting.ts';
import type { KeptChanges } from './keptChanges.ts';
import type { KeptList, KeptSource, ListTop } from './keptRows.ts';

interface RestoringParts {
  source: KeptSource;
  cache: Pick<Cache, 'restore' | 'forgetKept'>;
  keptChanges: Pick<KeptChanges, 'compare' | 'forget'>;
  notices: Pick<Notices, 'add'>;
  /** Tells the place of the first frame. */
  navigation: Pick<Navigation, 'getState'>;
  /** Resolves when that frame is drawn; without it, none is waited for. */
  drawn?: Promise<void>;
}

/** Longer lists are read after the first frame, as 10,000 rows take some 70 ms: Home counts the rows of all, others show their tops. */
const mostAtOnce = 500;

/** Shows the kept lists: those of the place at once, the others after the first frame. Returns a function that ends this. */
export function restoreKept({ source, cache, keptChanges, notices, navigation, drawn }: RestoringParts): () => void {
  const place = placeOf(navigation.getState());
  let isOver = false;
  const restore = (list: KeptList) => {
    cache.restore([list]);
    // Each event is a new one.
    if (list.query.resource !== eventsName && !list.isTop) keptChanges.compare(list);
  };
  source.onLeftOut((text, isAll) => {
    if (isAll) {
      cache.forgetKept();
      keptChanges.forget();
    }
    notices.add({ tone: 'warn', text });
  });
  /** The top of the list of the place, where the cursor is there and no filter looks for rows elsewhere. */
  function topOf(query: Query): KeptList | undefined {
    if (place.screen !== 'list' || query.resource !== place.resource) return undefined;
    const resource = resourceNamed(place.resource);
    const { filter, sort = resource.sort, cursor } = listViewOf(navigation.getState(), placeKey(place));
    const top = filter === '' ? source.readTop(query, sort) : undefined;
    return top && (cursor === undefined || rowIn(resource, top.rows, cursor)) ? top : undefined;
  }
  for (const query of queriesOf(place)) {
    const list = topOf(query) ?? source.read(query, place.screen === 'home' ? mostAtOnce : undefined);
    if (list) restore(list);
  }
  void (async () => {
    await (drawn ?? turn());
    for await (const list of isOver ? [] : source.rest()) {
      if (isOver) return;
      restore(list);
    }
  })();
  return () => {
    isOver = true;
  };
}

/** The lists that the first frame of a place shows. */
function queriesOf(place: Place): readonly Query[] {
  if (place.screen === 'list' || place.screen === 'detail') return listsIn(place.resource, place.params);
  if (place.screen === 'compare') return listsIn(place.resource, {});
  return resources
    .filter(({ list, local, catalogue }) => list && !local && !catalogue && !list.path.includes('{'))
    .map((resource) => listQuery(resource));
}

/** The lists of a resource that lie under nothing but these parameters, of its sections and of its tabs. */
function listsIn(name: string, params: Params): readonly Query[] {
  const resource = resourceNamed(name);
  const { list, sections = [], tabs = [], under } = resource;
  const query = listQuery(resource, params);
  const ofSections = sections.flatMap(({ operation }) => (operation === undefined ? [] : [{ ...query, operation }]));
  const ofTabs = tabs.flatMap((tab) =>
    'list' in tab && tab.operation === undefined ? [listQuery(resourceNamed(tab.list), params)] : [],
  );
  return [...(list ? [query] : []), ...ofSections, ...ofTabs, ...(under === undefined ? [] : listsIn(under, params))];
}

interface KeepingParts {
  source: KeptSource;
  cache: Cache;
  events: Pick<Poller, 'getState'>;
  /** Tells how a list was seen. */
  navigation: Pick<Navigation, 'getState'>;
  view: CacheView;
}

/** The first lists are kept soon, as a session may be a short one; then a change is kept after this time, with those that follow it. */
const firstMs = 20 * second;
const laterMs = 5 * minute;

/** Of the newest events. */
const maxEvents = 10_000;

/** More than any screen shows. */
const topRows = 100;

/** Of long lists about as many rows are measured; the widest of them keep the columns of the top from moving later. */
const measuredRows = 200;

/** Keeps the lists of the cache for the next session. */
export function createKeeping({ source, cache, events, navigation, view }: KeepingParts) {
  let timer: NodeJS.Timeout | undefined;
  let isSaved = false;
  let isStopped = false;
  /** The lists as they were kept last. */
  let kept: ReadonlyMap<string, KeptList> = new Map();
  /** The events among them. */
  let newestRows: readonly Row[] = [];

  const unsubscribe = cache.subscribe((after, before) => {
    if (after.collections !== before.collections) schedule();
  });

  function schedule(): void {
    if (timer || isStopped) return;
    timer = setTimeout(save, timerDelay(isSaved ? laterMs : firstMs)).unref();
  }

  function isKept({ query, rows, keptAt }: KeptList): boolean {
    const before = kept.get(queryKey(query));
    return before?.rows === rows && before.keptAt === keptAt;
  }

  /** The top of a long list; undefined where more than its rows tells which it is. */
  function topOf({ query, rows }: KeptList): ListTop | undefined {
    const { name, columns, sections, sort: usual } = resourceOfRows(query);
    if (rows.length <= mostAtOnce || query.operation !== 'list' || sections) return undefined;
    const place = { screen: 'list', resource: name, params: query.params } as const;
    const { sort = usual } = listViewOf(navigation.getState(), placeKey(place));
    if (sort !== undefined && typeof columnOf(columns, sort)?.value !== 'string') return undefined;
    const sample = rows.filter((_, nth) => nth % Math.floor(rows.length / measuredRows) === 0);
    const widest = columns.flatMap((column): readonly Row[] | Row => {
      const widths = sample.map((row) => String(valueIn(row, column, view) ?? '').length);
      return sample[widths.indexOf(Math.max(...widths))] ?? [];
    });
    return { sort, rows: [...new Set([...sorted(rows, sort, columns, view).slice(0, topRows), ...widest])] };
  }

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const newest = newestEvents(cache, events);
    newestRows = newest ? reuseList(newestRows, newest.rows) : newestRows;
    const lists = [...wholeLists(cache), ...(newest ? [{ ...newest, rows: newestRows }] : [])];
    if (lists.every(isKept)) return;
    kept = new Map(lists.map((list) => [queryKey(list.query), list]));
    isSaved = true;
    void source.save(lists.map((list) => ({ ...list, top: () => topOf(list) })));
  }

  return {
    /** Keeps what has changed since it was last done. */
    save,
    stop() {
      if (isStopped) return;
      isStopped = true;
      unsubscribe();
      save();
    },
  };
}

/** The lists that were read to their ends. */
const wholeLists = (cache: Cache): readonly KeptList[] =>
  Object.values(cache.getState().collections).flatMap((collection) => {
    const { query, rows, results, loadedAt } = collection;
    return loadedAt !== undefined && isWhole(collection) && !isLocal(query) && queryKey(query) !== queryKey(eventsQuery)
      ? { query, rows, results, keptAt: loadedAt }
      : [];
  });

const eventsQuery = listQuery(resourceNamed('events'));
/** The newest events without a gap: those of the list, where it goes on from those that were polled, and these alone else. */
function newestEvents(cache: Cache, events: Pick<Poller, 'getState'>): KeptList | undefined {
  const { events: polled, polledAt } = events.getState();
  if (polledAt === undefined) return undefined;
  const { rows = [] } = cache.getState().collections[queryKey(eventsQuery)] ?? {};
  const last = polled.at(-1)?.id;
  const older = rows.some(({ id }) => id === last) ? rows.filter(({ id }) => compareIds(id, last) < 0) : [];
  return { query: eventsQuery, rows: [...polled, ...older].slice(0, maxEvents), keptAt: polledAt };
}
