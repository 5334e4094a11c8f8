import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { audit } from '../../resources/account/audit.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { type Collection, queryKey } from '../../store/cache.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { type HistoryEntry, historyOf } from '../../store/history/history.ts';
import type { SeenChange } from '../../store/history/seenChanges.ts';
import { changesSinceKept } from '../../store/kept/sinceKept.ts';
import { reuseList } from '../../store/rows.ts';
import { useCollection, useStores } from '../useStores.ts';

const eventsQuery = { resource: resourceNamed('events').name, operation: 'list', params: {} };
const auditKey = queryKey({ resource: audit.name, operation: 'list', params: {} });
const noRows: readonly Row[] = [];
const nothingSeen: readonly SeenChange[] = [];

/** The history of a row, the latest first, and the list of events as far as it is read; undefined where there are none about its kind. */
export function useHistory(
  resource: Resource,
  params: Params,
): { entries: readonly HistoryEntry[]; events: Collection | undefined } {
  const stores = useStores();
  const events = useCollection(resource.entity ? eventsQuery : undefined);
  const log = useStore(stores.cache, ({ collections }) => collections[auditKey]?.rows ?? noRows);
  useEffect(() => stores.audit.load(), [stores]);
  const read = events?.rows ?? noRows;
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
  const entries = useMemo(
    () => historyOf({ resource, params, events: read, audit: log, seen: all, now: stores.now() }),
    [resource, params, read, log, all, stores],
  );
  return { entries, events };
}
