import { resources } from '../resources/index.ts';
import { at, type Params, type Resource } from '../resources/resource.ts';
import { timerDelay } from '../text/times.ts';
import type { Cache } from './cache.ts';
import { type Event, isInProgress } from './events.ts';
import { operationOf, type Query, queryKey, viewQuery } from './queries.ts';
import type { Scheduler } from './scheduler.ts';
import type { VisibleRows } from './visibleRows.ts';

/** Reads again what events say has changed. */
export interface EventInvalidation {
  handle(events: readonly Event[]): void;
  stop(): void;
}

/** So long after an event's end its rows are read once more, in milliseconds: what follows it shows up late. */
const settling = 3_000;
/** So many rows are read at once. */
const atOnce = 4;
/** A list is read instead of more of its rows than it has pages, and these. */
const spareRows = 4;
const pageSize = 100;
/** So many rows that are not on the screen are read without a pause, and then so many a second. */
const burst = 60;
const perSecond = 4;
/** A list of more pages than these is read because of events only so often: a pause in milliseconds for each further page. */
const fewPages = 4;
const pauseAPage = 250;

/** The object of an event: a row, or a resource where no row is named. */
interface Named {
  resource: Resource;
  id: string | undefined;
}

/** The ids of the rows of a resource that have changed and were not read since. */
interface Changed {
  /** Those of which each is read. */
  rows: Set<string>;
  /** So many more that their list is read instead. */
  listed: Set<string>;
}

/**
 * Reads rows on the screen at once, others at a pace that leaves the API to others. Where more of a long list has
 * changed, that is read as a whole now and then; until then its rows are read as they come into sight.
 */
export function createEventInvalidation(
  cache: Cache,
  scheduler: Scheduler,
  visibleRows: VisibleRows,
  now: () => number,
): EventInvalidation {
  const later = new Set<NodeJS.Timeout>();
  const changed = new Map<Resource, Changed>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** The number of rows that may be read without a pause, and at which time that was so, in ms since the epoch. */
  let budget = { rows: burst, at: now() };

  const unsubscribe = visibleRows.subscribe((resource) => {
    if (changed.has(resource)) readOn();
  });

  function handle(events: readonly Event[]): void {
    refresh(events);
    const ended = events.filter((event) => !isInProgress(event) && event.status !== 'notification');
    if (ended.length === 0) return;
    const timer = setTimeout(() => {
      later.delete(timer);
      refresh(ended);
    }, settling);
    timer.unref();
    later.add(timer);
  }

  function refresh(events: readonly Event[]): void {
    const ids = new Map<Resource, Set<string>>();
    /** The names of resources of which any row may have changed. */
    const whole = new Set<string>();
    const further: ((query: Query) => boolean)[] = [];
    for (const event of events) {
      const named = namedBy(event);
      for (const { resource, id } of named) {
        const those = ids.get(resource) ?? new Set();
        ids.set(resource, id === undefined ? those : those.add(id));
        if (id === undefined || !canBeRead(resource)) whole.add(resource.name);
      }
      further.push(...changedBy(event, named));
    }
    if (ids.size + further.length === 0) return;
    scheduler.invalidate(
      (query, rowsOf) => isAround(query, rowsOf, ids, whole) || further.some((matches) => matches(query)),
    );
    for (const [resource, those] of ids) noteRows(resource, those);
    readOn();
  }

  /** Notes rows that are to be read, where they or their list are loaded: new ones come in, deleted ones go. */
  function noteRows(resource: Resource, ids: ReadonlySet<string>): void {
    if (!canBeRead(resource)) return;
    const { collections, answers } = cache.getState();
    const isListed = Object.values(collections).some((entry) => entry.resource === resource.name);
    const { rows, listed } = changed.get(resource) ?? { rows: new Set(), listed: new Set() };
    for (const id of ids)
      if (isListed || answers[queryKey(viewQuery(resource, { [resource.param]: id }))]) rows.add(id);
    if (rows.size > pagesIn(cache, resource) + spareRows) {
      for (const id of rows) listed.add(id);
      rows.clear();
    }
    if (rows.size + listed.size > 0) changed.set(resource, { rows, listed });
  }

  /** Reads what is to be read and may be now, and waits for what may be later. */
  function readOn(): void {
    clearTimeout(timer);
    if (isStopped) return;
    let next = Number.POSITIVE_INFINITY;
    for (const [resource, those] of changed) {
      next = Math.min(next, readList(resource, those), readRows(resource, those));
      if (those.rows.size + those.listed.size === 0) changed.delete(resource);
    }
    if (!Number.isFinite(next)) return;
    timer = setTimeout(readOn, timerDelay(next - now()));
    timer.unref();
  }

  /** Has a list read instead of too many rows; when it may be, in ms since the epoch, where that is later. */
  function readList(resource: Resource, { listed }: Changed): number {
    if (listed.size === 0) return Number.POSITIVE_INFINITY;
    const pause = Math.max(0, pagesIn(cache, resource) - fewPages) * pauseAPage;
    const from = (cache.getState().collections[listKey(resource)]?.triedAt ?? 0) + pause;
    if (from > now()) return from;
    const ids = new Set(listed);
    listed.clear();
    scheduler.invalidate(
      ({ resource: asked, operation, params }) =>
        asked === resource.name && (operation === 'list' || ids.has(params[resource.param] ?? '')),
    );
    return Number.POSITIVE_INFINITY;
  }

  /** Reads rows, those on the screen first; when the next may be, in ms since the epoch, where no answer comes before. */
  function readRows(resource: Resource, { rows, listed }: Changed): number {
    const seen = [...visibleRows.idsOf(resource)].filter((id) => rows.has(id) || listed.has(id));
    for (const id of new Set([...seen, ...rows])) {
      if (underWay >= atOnce) break;
      const left = Math.min(burst, budget.rows + ((now() - budget.at) / 1000) * perSecond);
      if (!seen.includes(id)) {
        if (left < 1) return now() + ((1 - left) / perSecond) * 1000;
        budget = { rows: left - 1, at: now() };
      }
      rows.delete(id);
      listed.delete(id);
      underWay++;
      void cache.readRow(resource, { [resource.param]: id }).finally(() => {
        underWay--;
        readOn();
      });
    }
    return Number.POSITIVE_INFINITY;
  }

  return {
    handle,
    stop: () => {
      isStopped = true;
      unsubscribe();
      clearTimeout(timer);
      for (const timer of later) clearTimeout(timer);
    },
  };
}

/** All that lies under a row or lists it elsewhere is stale, and all of a resource whose row is not named or cannot be read alone. */
function isAround(
  query: Query,
  rowsOf: string | undefined,
  ids: ReadonlyMap<Resource, ReadonlySet<string>>,
  whole: ReadonlySet<string>,
): boolean {
  if (operationOf(query).freshFor !== undefined) return false;
  const { resource, operation, params } = query;
  if (whole.has(resource)) return true;
  return [...ids].some(([{ name, param }, those]) => {
    const isPartOfIt = operation !== 'view' && those.has(params[param] ?? '');
    return isPartOfIt || (rowsOf === name && operation !== 'list');
  });
}

/** Some actions change rows that their event does not name: what is stale after one. */
function changedBy({ action }: Event, named: readonly Named[]): readonly ((query: Query) => boolean)[] {
  const changed = resources.filter(
    (resource) =>
      !named.some((one) => one.resource === resource) && resource.events?.some((prefix) => action.startsWith(prefix)),
  );
  if (changed.length === 0) return [];
  return [
    ({ resource, params }) =>
      changed.some(({ name }) => name === resource) && named.every((one) => isNotBeside(one, params)),
  ];
}

/** The number of pages of the list of a resource; no end of them where it is not loaded. */
function pagesIn(cache: Cache, resource: Resource): number {
  const list = cache.getState().collections[listKey(resource)];
  return list ? Math.ceil(list.rows.length / pageSize) : Number.POSITIVE_INFINITY;
}

/** Whether an event says enough to read a row alone: those under others need their parents, too. */
const canBeRead = ({ view, under }: Resource): boolean => view !== undefined && under === undefined;

const listKey = ({ name }: Resource): string => queryKey({ resource: name, operation: 'list', params: {} });

/** Whether a query with these parameters is about the row, or may be. */
const isNotBeside = ({ resource, id }: Named, params: Params): boolean =>
  id === undefined || (params[resource.param] ?? id) === id;

/** The rows that an event names, of resources that are known. */
function namedBy(event: Event): readonly Named[] {
  return ['entity', 'secondary_entity'].flatMap((name) => {
    const type = at(event, `${name}.type`);
    const id = at(event, `${name}.id`);
    const resource = typeof type === 'string' ? resources.find(({ entity }) => entity === type) : undefined;
    return resource ? [{ resource, id: id === undefined || id === null ? undefined : String(id) }] : [];
  });
}
