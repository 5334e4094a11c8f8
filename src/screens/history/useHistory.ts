import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { audit } from '../../resources/account/audit.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { queryKey } from '../../store/cache.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { usersOf } from '../../store/history/causes.ts';
import { historyOf } from '../../store/history/history.ts';
import { ownEvents, ownEventsQuery } from '../../store/history/ownEvents.ts';
import type { SeenChange } from '../../store/history/seenChanges.ts';
import { changesSinceKept } from '../../store/kept/keptChanges.ts';
import { reuseList } from '../../store/rows.ts';
import { day, second } from '../../text/times.ts';
import { useCollection, useStores } from '../useStores.ts';

const auditKey = queryKey({ resource: audit.name, operation: 'list', params: {} });
/** So many of the latest changes tell who the user is. */
const maxLearnt = 500;
const noRows: readonly Row[] = [];
const nothingSeen: readonly SeenChange[] = [];

/** The history of a row. */
export function useHistory(resource: Resource, params: Params) {
  const stores = useStores();
  /** The query for its events, undefined where there are none about its kind, and the answer. */
  const query = useMemo(() => ownEventsQuery(resource, params), [resource, params]);
  const collection = useCollection(query);
  const newest = useStore(
    stores.events,
    useShallow(({ events, knownSince }) => ({ events, knownSince })),
  );
  const log = useStore(stores.cache, ({ collections }) => collections[auditKey]?.rows ?? noRows);
  useEffect(() => stores.audit.load(), [stores]);
  const own = useMemo(() => ownEvents(resource, params, newest, collection), [resource, params, newest, collection]);
  const last = useRef(nothingSeen);
  const seen = useStore(stores.cache, () => {
    last.current = reuseList(last.current, stores.seenChanges.of(resource, params));
    return last.current;
  });
  const kept = useStore(stores.keptChanges, ({ lists }) => lists);
  const row = useStore(stores.cache, () => cachedRow(stores, resource, params));
  const all = useMemo(
    () =>
      row
        ? [...seen, ...changesSinceKept(resource, params, row, { lists: kept, seen, at: stores.seenChanges.beganAt })]
        : seen,
    [resource, params, row, kept, seen, stores],
  );
  const clock = stores.api.time();
  const ahead = clock === undefined ? 0 : Math.round(((clock.from + clock.to) / 2 - stores.now()) / second) * second;
  // No certificate would be valid by a clock that is further off.
  const lag = Math.abs(ahead) > day ? 0 : ahead;
  const users = useMemo(() => usersOf(log.slice(0, maxLearnt), newest.events, lag), [log, newest, lag]);
  /** The latest first. */
  const entries = useMemo(
    () =>
      historyOf({ resource, params, events: own.events, audit: log, seen: all, now: stores.now(), ahead: lag, users }),
    [resource, params, own, log, all, stores, lag, users],
  );
  return {
    entries,
    query,
    collection,
    /** From when on no event is missing, in ms since the epoch; 0 where none is at all. */
    since: own.since,
  };
}
