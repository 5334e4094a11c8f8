import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { saidLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { audit } from '../../resources/account/audit.ts';
import { resourceNamed } from '../../resources/index.ts';
import { none, type Params, type Resource } from '../../resources/resource.ts';
import { type Collection, listQuery, queryKey } from '../../store/cache.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { uidOf } from '../../store/history/auditLog.ts';
import { clockAhead, usersOf } from '../../store/history/causes.ts';
import { type HistoryEntry, historyOf, type Moment, ownEvents, ownEventsQuery } from '../../store/history/history.ts';
import { changesSinceKept } from '../../store/kept/keptChanges.ts';
import type { ComparedSide } from '../../store/navigation.ts';
import { momentWords, type Timestamp } from '../../text/times.ts';
import { aNoun } from '../../text/words.ts';
import { failureText } from '../freshness.ts';
import { Page } from '../page/Page.tsx';
import type { PageLine } from '../page/usePage.ts';
import { placeOfRow } from '../places.ts';
import { takesBack } from '../undo/outlook.ts';
import { NextPage } from '../useReads.ts';
import { type Size, useCollection, useStores, useView } from '../useStores.ts';
import { createEntryLines, historyHead } from './historyLines.ts';

const events = resourceNamed('events');

const nothing = 'There is no entry.';

/** All that happened to one row, the latest first: events, changes that were sent from here, and what was seen to differ. */
export function HistoryTab({ resource, params, width, height }: Size & { resource: Resource; params: Params }) {
  const stores = useStores();
  const theme = useTheme();
  const { navigation, seenChanges } = stores;
  const now = stores.now();
  const { entries, query, collection, since } = useHistory(resource, params);
  const [view, setView] = useView(`history:${resource.name}:${JSON.stringify(params)}`);
  const [drawn] = useState(createEntryLines);
  const { marks } = view;
  const marked = entries.filter(({ id }) => marks.includes(id));
  // Only visible lines are drawn; the heights of the others are known.
  const lines = useMemo(
    () =>
      entries.flatMap((entry): readonly PageLine[] => {
        const isMarked = marks.includes(entry.id);
        const contextAt = (now: Timestamp) => ({ resource, theme, now, width });
        return Array.from({ length: drawn.height(entry, contextAt(0)) }, (_, nth) => ({
          ...(nth === 0 && { id: entry.id }),
          text: (isCurrent) => drawn.lines(entry, { isCurrent, isMarked }, contextAt(stores.now()))[nth] ?? '',
        }));
      }),
    [entries, marks, drawn, resource, theme, width, stores],
  );
  const state = saidLines(theme, stateText(collection, entries.length), Math.max(8, width - 4), 'dim', 3);
  const keysOf = (entry: HistoryEntry | undefined) => ({
    open: opens(entry),
    mark: entry ? () => mark(entry) : nothing,
    takeBack: entry ? takeBack(entry) : nothing,
    compare: entry ? compares(entry) : nothing,
    clear: marks.length > 0 ? () => setView({ marks: [] }) : undefined,
  });
  return (
    <Page
      layer="history"
      head={[historyHead(theme, width)]}
      lines={[...lines, '', ...state]}
      atEnd={<NextPage query={query} collection={collection} />}
      cursor={view.cursor}
      setCursor={(cursor) => setView({ cursor })}
      keys={(current) => keysOf(entries.find(({ id }) => id === current))}
      width={width}
      height={height}
    />
  );

  /** Takes back the changes from here among the marked entries, or the one of this entry; it is offered where there is one. */
  function takeBack(entry: HistoryEntry) {
    const uids = (marked.length > 0 ? marked : [entry]).flatMap(({ sent }) => (sent ? [uidOf(sent)] : []));
    return Object.assign(() => takesBack(stores, uids), uids.length === 0 && { refuses: takesBack(stores, []) });
  }

  /** Opens what tells most of an entry: the change as it was sent, the event, or the row before and after. */
  function opens(entry: HistoryEntry | undefined): (() => void) | string {
    if (!entry) return nothing;
    const { event, sent } = entry;
    if (sent) return () => navigation.go(placeOfRow(audit, { [audit.param]: String(sent.id) }));
    if (event) return () => navigation.go(placeOfRow(events, { [events.param]: String(event.id) }));
    return comparison([momentAt(entry, 'before'), momentAt(entry, 'after')]);
  }

  function mark(entry: HistoryEntry): void {
    const { id } = entry;
    const next = marks.includes(id) ? marks.filter((other) => other !== id) : [...marks, id];
    setView({ marks: next, cursor: (entries[entries.indexOf(entry) + 1] ?? entry).id });
  }

  /** Compares the marked entries, a marked one with now, or the row before this entry with the row after it. */
  function compares(entry: HistoryEntry): (() => void) | string {
    // Entries stand with the latest first, moments with the earliest first.
    const [one, other] = marked.toReversed();
    if (!one) return comparison([momentAt(entry, 'before'), momentAt(entry, 'after')]);
    if (marked.length > 2) return `Two moments are compared; ${marked.length} are marked.`;
    return comparison([momentAt(one, 'after'), other ? momentAt(other, 'after') : { params }]);
  }

  function comparison(sides: readonly [ComparedSide, ComparedSide]): () => void {
    return () => navigation.open({ kind: 'comparison', resource: resource.name, sides });
  }

  function momentAt({ id }: HistoryEntry, side: Moment['side']): ComparedSide {
    return { params, moment: { entry: id, side } };
  }

  /** Says how far back the history reaches, and what is missing from it. */
  function stateText(of: Collection | undefined, count: number): string {
    const seen = `Differences between readings are seen since ${momentWords(seenChanges.beganAt, now)}.`;
    if (!resource.entity)
      return `${count === 0 ? 'Nothing was seen to change. ' : ''}The API has no events about ${aNoun(resource.one)}. ${seen}`;
    if (of?.error) return `Events: ${failureText(of.error)} ${seen}`;
    if (of?.loadedAt === undefined) return `Reading events … ${seen}`;
    if (since !== 0)
      return `${since === undefined ? '' : `Events are known since ${momentWords(since, now)}; `}reading on … ${seen}`;
    return `${count === 0 ? `Nothing has happened to this ${resource.one}. ` : ''}Events reach back 90 days. ${seen} Events do not tell what a value was before.`;
  }
}

const auditKey = queryKey(listQuery(audit));
/** So many of the latest changes tell who the user is. */
const maxLearnt = 500;

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
  const log = useStore(stores.cache, ({ collections }) => collections[auditKey]?.rows ?? none);
  useEffect(() => stores.audit.load(), [stores]);
  const own = useMemo(() => ownEvents(resource, params, newest, collection), [resource, params, newest, collection]);
  const seen = useStore(
    stores.cache,
    useShallow(() => stores.seenChanges.of(resource, params)),
  );
  const kept = useStore(stores.keptChanges, ({ lists }) => lists);
  const row = useStore(stores.cache, () => cachedRow(stores.view, resource, params));
  const all = useMemo(
    () =>
      row
        ? [...seen, ...changesSinceKept(resource, params, row, { lists: kept, seen, at: stores.seenChanges.beganAt })]
        : seen,
    [resource, params, row, kept, seen, stores],
  );
  const ahead = clockAhead(stores);
  const users = useMemo(() => usersOf(log.slice(0, maxLearnt), newest.events, ahead), [log, newest, ahead]);
  /** The latest first. */
  const entries = useMemo(
    () => historyOf({ resource, params, events: own.events, audit: log, seen: all, now: stores.now(), ahead, users }),
    [resource, params, own, log, all, stores, ahead, users],
  );
  return {
    entries,
    query,
    collection,
    /** From when on no event is missing, in ms since the epoch; 0 where none is at all. */
    since: own.since,
  };
}
