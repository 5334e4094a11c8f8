import { useMemo } from 'react';
import { useStore } from 'zustand';
import { painted, type Span, wrapSpans } from '../../components/spans.ts';
import { marksOf, type Role, type Theme, useTheme } from '../../components/theme.ts';
import { type AuditRow, allAccounts, isOwn, outcomeTitle } from '../../resources/account/audit.ts';
import { idOf, paramsOf } from '../../resources/identity.ts';
import { actionsOf, knownResource, resourceNamed } from '../../resources/index.ts';
import type { CacheView, Column, Params, Resource, Row } from '../../resources/resource.ts';
import { listQuery, queryKey } from '../../store/cache.ts';
import type { PendingChange } from '../../store/changes/pendingChanges.ts';
import { jobOf, withJobs } from '../../store/changes/whoDidIt.ts';
import { type Event, percentOf } from '../../store/events.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { clockAhead, nearMs } from '../../store/history/causes.ts';
import { changedLabel, valueChanges } from '../../store/history/valueChanges.ts';
import { changedLists, countOf, countsText, type ListChanges } from '../../store/kept/keptChanges.ts';
import { whereWords } from '../../store/plans/names.ts';
import { rowIn } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped } from '../../text/numbers.ts';
import { momentWords, timeOf } from '../../text/times.ts';
import { changeSpans } from '../history/changeSpans.ts';
import { ListPane } from '../list/ListPane.tsx';
import { listTitle, type ShownSection } from '../list/listTitle.ts';
import { useSections } from '../list/useSections.ts';
import { previewIn } from '../Preview.tsx';
import { Page } from '../page/Page.tsx';
import { itemLines } from '../page/usePage.ts';
import { placeOfNotice, placeOfRow } from '../places.ts';
import { useCancelling, useProgress } from '../transfers/useProgress.ts';
import { takesBack } from '../undo/outlook.ts';
import { type ListProps, type Size, useCollection, useEvents, useStores, useView } from '../useStores.ts';
import { changeEntry, type EntryRoom, type JournalEntry, messageEntry, planEntry, transferEntry } from './entries.ts';

/** All that happened, in tabs: sent from here, under way, said, and changed meanwhile. */
export function JournalScreen({ resource, params, view, width, height }: ListProps) {
  const stores = useStores();
  const theme = useTheme();
  const shown = useSections(useOwnSections(resource), params, view);
  const counts: Readonly<Record<string, number>> = {
    Running: useProgress(({ running }) => running),
    Messages: useStore(stores.notices, ({ notices }) => notices.length),
    'Changed meanwhile': useStore(stores.keptChanges, ({ lists }) =>
      changedLists(lists).reduce((sum, list) => sum + countOf(list), 0),
    ),
  };
  const sections = shown.sections?.map((one) => ({ ...one, count: counts[one.title] ?? one.count })) ?? [];
  const tab = tabs[sections.find(({ isShown }) => isShown)?.title ?? ''];
  if (tab) {
    // A page has no rows that are counted in its title.
    const named = sections.map((one): ShownSection => {
      return one.isShown ? { title: `${one.title} ${grouped(one.count ?? 0)}`, isShown: true } : one;
    });
    const head = listTitle(theme, { resource, shown: 0, view: { filter: '' }, sections: named, width });
    return <EntryPage key={tab.none} {...tab} head={head} width={width} height={height} />;
  }
  return (
    <ListPane
      key={shown.viewKey}
      {...shown}
      sections={sections}
      width={width}
      height={height}
      preview={previewIn(resource, params, height)}
    />
  );
}

/** The journal without the lines of other accounts, where there are none, and with the jobs that changes have begun. */
function useOwnSections(resource: Resource): Resource {
  const stores = useStores();
  const rows = useCollection(listQuery(resource))?.rows;
  const isAlone = useMemo(() => rows?.every((row) => isOwn(row as AuditRow)) ?? true, [rows]);
  const events = useEvents();
  return useMemo(() => {
    const sections = resource.sections?.filter(({ title }) => title !== allAccounts || !isAlone);
    const columns = resource.columns.map((column) =>
      column.title === outcomeTitle ? { ...column, value: outcomeNow(stores, events, column) } : column,
    );
    return { ...resource, sections, columns };
  }, [resource, isAlone, stores, events]);
}

/** The outcome of a change; under way as long as the job goes on that it has begun. */
const outcomeNow =
  (stores: Stores, events: readonly Event[], column: Column) =>
  (row: Row, view: CacheView): unknown => {
    const resource = knownResource(row.resource);
    const action = resource && actionsOf(resource).find(({ name }) => name === row.action);
    const job = action && jobOf(events, { resource, action }, row.params as Params);
    const isOwn = job && timeOf(job.created) - clockAhead(stores) > timeOf(row.at) - nearMs;
    if (!isOwn || row.outcome !== 'done' || row.isTakenBack) return valueIn(row, column, view);
    const percent = percentOf(job);
    return `under way${percent === undefined ? '' : ` ${Math.round(percent)}%`}`;
  };

/** A tab of entries, and what is said where there are none. */
interface Tab {
  useEntries: (room: EntryRoom) => readonly JournalEntry[];
  none: string;
}

const tabs: Readonly<Record<string, Tab>> = {
  Running: { useEntries: useRunning, none: 'Nothing has been changed or transferred in this session so far.' },
  Messages: { useEntries: useMessages, none: 'There are no messages yet.' },
  'Changed meanwhile': {
    useEntries: useChanged,
    none: 'Nothing has changed in the lists opened so far; others are compared once they are opened.',
  },
};

/** Changes and transfers of this session: those under way, then those that have ended under a heading, the newest first. */
function useRunning(given: EntryRoom): readonly JournalEntry[] {
  const stores = useStores();
  const events = useEvents();
  const changes = useStore(stores.changes, (state) => state.changes);
  const transfers = useStore(stores.transfers, (state) => state.transfers);
  const plans = useStore(stores.plans);
  const { open } = stores.navigation;
  const cancel = useCancelling('journal.open', 'enter');
  const whereIs = ({ resource, results: [only, ...others] }: PendingChange) =>
    only && others.length === 0 ? placeIn(resource, only.params, stores.view) : '';
  const names = [...changes.map((one) => `${one.title} ${whereIs(one)}`), ...transfers.map(({ what }) => what)];
  const room = { ...given, longest: Math.max(0, ...names.map((name) => widthOf(clean(name.trim())))) };
  const entries = [
    ...(plans.run ? [planEntry(room, plans, open)] : []),
    // A change that a file goes along with is shown as a transfer.
    ...changes
      .filter(({ action }) => !action.multipart)
      .map((change) => changeEntry(room, withJobs(events)(change), open, whereIs(change))),
    ...transfers.map((transfer) => transferEntry(room, transfer, () => cancel(transfer))),
  ];
  const newest = entries.sort((one, other) => Number(other.isRunning) - Number(one.isRunning) || other.at - one.at);
  const firstEnded = newest.findIndex(({ isRunning }) => !isRunning);
  const heading = { at: 0, lines: [...(firstEnded > 0 ? [''] : []), ` ${room.theme.paint('title', 'Ended')}`] };
  return firstEnded < 0 ? newest : newest.toSpliced(firstEnded, 0, heading);
}

/** The notices of this session, the newest first. */
function useMessages(room: EntryRoom): readonly JournalEntry[] {
  const { notices, navigation } = useStores();
  const all = useStore(notices, (state) => state.notices);
  return all.toReversed().map((notice) => {
    const { about } = notice;
    const open = about ? () => navigation.go(placeOfNotice(about)) : 'This message is about no object.';
    return messageEntry(room, notice, open);
  });
}

/** All that changed in lists since an earlier session. */
function useChanged(room: EntryRoom): readonly JournalEntry[] {
  const stores = useStores();
  return changedEntries(room, stores, changedLists(useStore(stores.keptChanges, (state) => state.lists)));
}

/** Entries under the title with the tabs, with keys for the one under the cursor. */
function EntryPage({ head, useEntries, none, ...size }: Tab & Size & { head: string }) {
  const stores = useStores();
  const theme = useTheme();
  const entries = useEntries({ theme, width: size.width, now: stores.now() });
  const [view, setView] = useView(`journal:${none}`);
  return (
    <Page
      layer="journal"
      head={[head]}
      lines={entries.flatMap(({ id, lines }) => (id === undefined ? lines : itemLines(theme, id, lines)))}
      none={none}
      cursor={view.cursor}
      setCursor={(cursor) => setView({ cursor })}
      keys={(current) => {
        const entry = entries.find(({ id }) => id === current);
        const { open = 'There is nothing to open.', sent = [] } = entry ?? {};
        const waits = 'It is under way: what is done of it is taken back once it has ended.';
        return { open, takeBack: () => (entry?.isRunning && sent.length === 0 ? waits : takesBack(stores, sent)) };
      }}
      {...size}
    />
  );
}

/** More rows of a list are counted only: its filter finds them. */
const maxRows = 500;

/** All that changed since an earlier session, list by list: what came, what went, and what of a row is different. */
export const changedEntries = (
  room: EntryRoom,
  { cache, navigation, view }: Stores,
  lists: readonly ListChanges[],
): readonly JournalEntry[] =>
  lists.flatMap((list, nth) => {
    const { query, since: at } = list;
    const rows = cache.getState().collections[queryKey(query)]?.rows ?? [];
    const resource = resourceNamed(list.resource);
    const open = (row: Row) => () => navigation.go(placeOfRow(resource, paramsOf(resource, row, query.params)));
    const heading = { at, lines: [...(nth > 0 ? [''] : []), headLine(room, list, view)] };
    return [heading, ...changedRows(room, list, rows, queryKey(query), open)];
  });

/** The rows that one with these parameters lies in: `at port 443 of NodeBalancer web-lb`. */
const placeIn = (resource: Resource, params: Params, view: CacheView): string =>
  clean(whereWords({ params }, resource, { view, steps: [] }));

/** Its rows and where they lie, such as `Nodes at port 443 of NodeBalancer web-lb`. */
function headLine({ theme, width, now }: EntryRoom, list: ListChanges, view: CacheView): string {
  const resource = resourceNamed(list.resource);
  const where = placeIn(resource, list.query.params, view);
  const many = cut(where === '' ? resource.many : `${resource.many} ${where}`, Math.ceil(width / 2));
  const says = `${countsText(list)} since ${momentWords(list.since, now)}`;
  const way = `   ${keyLabel('list.filter', '/')} is:changed there`;
  const more = widthOf(` ${many}  ${says}${way}`) <= width && list.came.size + list.changed.size > 0 ? way : '';
  return ` ${theme.paint('title', many)}  ${cut(says, width - widthOf(many) - 3)}${theme.paint('dim', more)}`;
}

/** The rows of a list that came, went or changed, each with the values that changed. */
function changedRows(
  { theme, width }: EntryRoom,
  list: ListChanges,
  rows: readonly Row[],
  key: string,
  open: (row: Row) => () => void,
): readonly JournalEntry[] {
  const resource = resourceNamed(list.resource);
  const { one } = resource;
  const entry = (sign: string, role: Role, row: Row, spans: readonly Span[], isGone = false): JournalEntry => ({
    id: `${key} ${idOf(resource, row)}`,
    at: list.since,
    lines: rowText(theme, sign, role, clean(resource.label(row)), spans, width - 2),
    open: isGone ? `This ${one} is there no more.` : resource.view ? open(row) : `A ${one} has no page of its own.`,
  });
  const said = (word: string): readonly Span[] => [{ text: word, role: 'dim' }];
  const all: readonly (() => JournalEntry)[] = [
    ...rows
      .filter((row) => list.came.has(idOf(resource, row)))
      .map((row) => () => entry('+', 'good', row, said('new'))),
    ...list.gone.map((row) => () => entry('−', 'bad', row, said('gone'), true)),
    ...[...list.changed].flatMap(([id, before]) => {
      const after = rowIn(resource, rows, id);
      const { changed } = marksOf(theme);
      return after ? [() => entry(changed, 'warn', after, spansOf(resource, before, after, theme))] : [];
    }),
  ];
  const shown = all.slice(0, maxRows).map((draw) => draw());
  const more = theme.paint('dim', `   and ${all.length - maxRows} more`);
  return all.length > maxRows ? [...shown, { at: list.since, lines: [more] }] : shown;
}

const labelWidth = 24;
/** Of one row; its history tells all. */
const maxLines = 4;

/** The lines of a row: what is said of it wraps beside its label. */
function rowText(
  theme: Theme,
  sign: string,
  role: Role,
  label: string,
  spans: readonly Span[],
  width: number,
): readonly string[] {
  const name = cell(label, Math.min(labelWidth, Math.max(8, Math.floor(width / 3))));
  const indent = widthOf(name) + 4;
  const lines = wrapSpans(spans, Math.max(8, width - indent));
  return lines.slice(0, maxLines).map((line, index) => {
    const isCut = index === maxLines - 1 && lines.length > maxLines;
    const lead = index === 0 ? ` ${theme.paint(role, sign)} ${name} ` : ' '.repeat(indent);
    return `${lead}${painted(theme, isCut ? [...line, { text: '…' }] : line)}`;
  });
}

/** The values that changed in a row: `status running → offline; label a → b`. */
const spansOf = (resource: Resource, before: Row, after: Row, theme: Theme): readonly Span[] =>
  valueChanges(resource, before, after).flatMap((change, index) => [
    { text: `${index > 0 ? '; ' : ''}${clean(changedLabel(resource, change))} `, role: 'dim' as const },
    ...changeSpans(resource, change, theme),
  ]);
