import { pageSize } from '../api/pages.ts';
import { isInProgress } from '../resources/account/events.ts';
import { idOf } from '../resources/identity.ts';
import { resources } from '../resources/index.ts';
import { at, type Resource, type Row } from '../resources/resource.ts';
import { msSince, type Timestamp, timerDelay } from '../text/times.ts';
import type { Cache } from './cache.ts';
import type { Event } from './events.ts';
import { createListeners } from './listeners.ts';
import { listQuery, operationOf, type Query, queryKey, viewQuery } from './queries.ts';
import type { Scheduler } from './scheduler.ts';

/** The rows on the screen: a few of a list of thousands. */
export function createVisibleRows() {
  const visible = new Set<{ resource: Resource; rows: readonly Row[] }>();
  const listeners = createListeners<[resource: Resource]>();
  return {
    /** Marks rows as visible; returns a function that unmarks them. */
    show: (resource: Resource, rows: readonly Row[]): (() => void) => {
      const entry = { resource, rows };
      visible.add(entry);
      listeners.tell(resource);
      return () => visible.delete(entry);
    },
    idsOf: ({ name }: Resource) => {
      const ids = new Set<string>();
      for (const { resource, rows } of visible)
        if (resource.name === name) for (const row of rows) ids.add(idOf(resource, row));
      return ids;
    },
    /** Calls the listener when other rows of a resource become visible; returns an unsubscribe function. */
    subscribe: listeners.subscribe,
  };
}

/** After this time the rows of an ended event are read once more: its effects show late. */
const settleMs = 3_000;
const maxInflight = 4;
/** A list is read instead of its rows where these are more than its pages by this number. */
const spareRows = 4;
/** Rows that are not visible are read in a burst, then at a rate. */
const burstRows = 60;
const rowsPerSecond = 4;
/** A longer list is read again after a pause for each further page. */
const maxPagesWithoutPause = 4;
const pausePerPageMs = 250;

/** The entity of an event: a row, or a resource where the event has no id. */
interface EntityRef {
  resource: Resource;
  id: string | undefined;
}

/** The ids of the rows of a resource that changed and were not read since. */
interface ChangedIds {
  /** Read one by one. */
  rows: Set<string>;
  /** Read by their list. */
  listed: Set<string>;
}

/**
 * Reads visible rows at once and others at a limited rate. Where many rows of a long list changed, the list is read now and
 * then, and until then its rows as they become visible.
 */
export function createEventInvalidation(
  cache: Cache,
  scheduler: Scheduler,
  visibleRows: ReturnType<typeof createVisibleRows>,
  now: () => Timestamp,
) {
  const later = new Set<NodeJS.Timeout>();
  const changed = new Map<Resource, ChangedIds>();
  let inflight = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** A token bucket: rows that may be read at a time of the monotonic clock. */
  let budget = { rows: burstRows, at: performance.now() };

  const unsubscribe = visibleRows.subscribe((resource) => {
    if (changed.has(resource)) readPending();
  });

  function handle(events: readonly Event[]): void {
    refresh(events);
    const ended = events.filter((event) => !isInProgress(event) && event.status !== 'notification');
    if (ended.length === 0) return;
    const timer = setTimeout(() => {
      later.delete(timer);
      refresh(ended);
    }, settleMs).unref();
    later.add(timer);
  }

  function refresh(events: readonly Event[]): void {
    const ids = new Map<Resource, Set<string>>();
    /** The names of resources any row of which may have changed. */
    const whole = new Set<string>();
    const further: ((query: Query) => boolean)[] = [];
    for (const event of events) {
      const named = entitiesOf(event);
      for (const { resource, id } of named) {
        const those = ids.get(resource) ?? new Set();
        ids.set(resource, id === undefined ? those : those.add(id));
        if (id === undefined || !canBeRead(resource)) whole.add(resource.name);
      }
      further.push(...invalidatedBy(event, named));
    }
    if (ids.size + further.length === 0) return;
    scheduler.invalidate(
      (query, rowsOf) => isRelated(query, rowsOf, ids, whole) || further.some((matches) => matches(query)),
    );
    for (const [resource, those] of ids) noteRows(resource, those);
    readPending();
  }

  /** Notes rows to read, where they or their list are loaded: new ones are added, deleted ones removed. */
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

  /** Reads the noted rows and lists that the limits allow, and sets the timer for the others. */
  function readPending(): void {
    clearTimeout(timer);
    if (isStopped) return;
    let next = Number.POSITIVE_INFINITY;
    for (const [resource, those] of changed) {
      next = Math.min(next, readList(resource, those), readRows(resource, those));
      if (those.rows.size + those.listed.size === 0) changed.delete(resource);
    }
    if (!Number.isFinite(next)) return;
    timer = setTimeout(readPending, timerDelay(next - now())).unref();
  }

  /** Invalidates a list in place of its rows; returns when it may, where that is later. */
  function readList(resource: Resource, { listed }: ChangedIds): Timestamp {
    if (listed.size === 0) return Number.POSITIVE_INFINITY;
    const pause = Math.max(0, pagesIn(cache, resource) - maxPagesWithoutPause) * pausePerPageMs;
    const { triedAt = 0 } = cache.getState().collections[listKey(resource)] ?? {};
    if (msSince(triedAt, now()) < pause) return triedAt + pause;
    const ids = new Set(listed);
    listed.clear();
    scheduler.invalidate(
      ({ resource: asked, operation, params }) =>
        asked === resource.name && (operation === 'list' || ids.has(params[resource.param] ?? '')),
    );
    return Number.POSITIVE_INFINITY;
  }

  /** Reads rows, visible ones first; returns when the rate allows the next. */
  function readRows(resource: Resource, { rows, listed }: ChangedIds): Timestamp {
    const visible = [...visibleRows.idsOf(resource)].filter((id) => rows.has(id) || listed.has(id));
    for (const id of new Set([...visible, ...rows])) {
      if (inflight >= maxInflight) break;
      const left = Math.min(burstRows, budget.rows + ((performance.now() - budget.at) / 1000) * rowsPerSecond);
      if (!visible.includes(id)) {
        if (left < 1) return now() + ((1 - left) / rowsPerSecond) * 1000;
        budget = { rows: left - 1, at: performance.now() };
      }
      rows.delete(id);
      listed.delete(id);
      inflight++;
      void cache.readRow(resource, { [resource.param]: id }).finally(() => {
        inflight--;
        readPending();
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

/** Whether a query lies under a changed row, lists it elsewhere, or is of a resource any row of which may have changed. */
function isRelated(
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

/** The queries that an event invalidates although it does not name their rows. */
function invalidatedBy({ action }: Event, named: readonly EntityRef[]): readonly ((query: Query) => boolean)[] {
  const changed = resources.filter(
    (resource) =>
      !named.some((one) => one.resource === resource) && resource.events?.some((prefix) => action.startsWith(prefix)),
  );
  if (changed.length === 0) return [];
  return [
    ({ resource, params }) =>
      changed.some(({ name }) => name === resource) &&
      named.every(({ resource: { param }, id }) => id === undefined || (params[param] ?? id) === id),
  ];
}

/** The pages of the list of a resource; infinite where it is not loaded. */
function pagesIn(cache: Cache, resource: Resource): number {
  const list = cache.getState().collections[listKey(resource)];
  return list ? Math.ceil(list.rows.length / pageSize) : Number.POSITIVE_INFINITY;
}

/** Whether the id in an event suffices to read the row: nested ones need their parents, too. */
const canBeRead = ({ view, under }: Resource): boolean => view !== undefined && under === undefined;

const listKey = (resource: Resource): string => queryKey(listQuery(resource));

/** The entities of an event, of known resources. */
const entitiesOf = (event: Event): readonly EntityRef[] =>
  ['entity', 'secondary_entity'].flatMap((name) => {
    const type = at(event, `${name}.type`);
    const id = at(event, `${name}.id`);
    const resource = typeof type === 'string' ? resources.find(({ entity }) => entity === type) : undefined;
    return resource ? [{ resource, id: id === undefined || id === null ? undefined : String(id) }] : [];
  });
