import { compareIds } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Row } from '../../resources/resource.ts';
import { minute, second, timerDelay } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import { isWhole } from '../entries.ts';
import type { Poller } from '../events.ts';
import { valueIn } from '../filter/fields.ts';
import { listViewOf, type Navigation, placeKey } from '../navigation.ts';
import { isLocal, listQuery, queryKey, resourceOfRows } from '../queries.ts';
import { reuseList } from '../rows.ts';
import { columnOf, sorted } from '../sorting.ts';
import type { KeptList, KeptSource, ListTop } from './keptRows.ts';
import { mostAtOnce } from './restoring.ts';

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
