import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Theme, useTheme } from '../../components/theme.ts';
import { type AuditRow, allAccounts, isOwn } from '../../resources/account/audit.ts';
import type { Resource } from '../../resources/resource.ts';
import { withJobs } from '../../store/changes/whoDidIt.ts';
import { changedLists, countOf } from '../../store/kept/listChanges.ts';
import type { Overlay } from '../../store/overlay.ts';
import { grouped } from '../../text/numbers.ts';
import { ListPane } from '../list/ListPane.tsx';
import { listTitle, type ShownSection } from '../list/listTitle.ts';
import { useSections } from '../list/useSections.ts';
import { previewIn } from '../Preview.tsx';
import { Page } from '../page/Page.tsx';
import { placeOfNotice } from '../places.ts';
import type { ListProps, Size } from '../props.ts';
import { useCancelling, useProgress } from '../transfers/useProgress.ts';
import { takesBack } from '../undo/takesBack.ts';
import { useCollection, useStores, useView } from '../useStores.ts';
import { changedEntries } from './changedEntries.ts';
import { changeEntry, type JournalEntry, messageEntry, pageLines, planEntry, transferEntry } from './entries.ts';

/** All that happened, in tabs: sent from here, under way, said, and changed meanwhile. */
export function JournalScreen({ resource, params, view, width, height }: ListProps) {
  const stores = useStores();
  const theme = useTheme();
  const shown = useSections(useOwnSections(resource), params, view);
  const counts: Readonly<Record<string, number>> = {
    Running: useProgress().count,
    Messages: useStore(stores.notices, ({ notices }) => notices.length),
    'Changed meanwhile': useStore(stores.keptChanges, ({ lists }) =>
      changedLists(lists).reduce((sum, list) => sum + countOf(list), 0),
    ),
  };
  const sections = shown.sections?.map((one) => ({ ...one, count: counts[one.title] ?? one.count })) ?? [];
  const Tab = tabs[sections.find(({ isShown }) => isShown)?.title ?? ''];
  if (Tab) {
    // A page has no rows that are counted in its title.
    const named = sections.map((one): ShownSection => {
      return one.isShown ? { title: `${one.title} ${grouped(one.count ?? 0)}`, isShown: true } : one;
    });
    const plain = { marks: [], filter: '' };
    const title = { resource, collection: undefined, shown: 0, view: plain, sort: undefined, sections: named, width };
    return <Tab theme={theme} head={listTitle(theme, title)} width={width} height={height} />;
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

/** The journal without the lines of other accounts, where there are none. */
function useOwnSections(resource: Resource): Resource {
  const rows = useCollection({ resource: resource.name, operation: 'list', params: {} })?.rows;
  const isAlone = useMemo(() => rows?.every((row) => isOwn(row as AuditRow)) ?? true, [rows]);
  return useMemo(() => {
    const sections = resource.sections?.filter(({ title }) => title !== allAccounts || !isAlone);
    return { ...resource, sections };
  }, [resource, isAlone]);
}

interface TabProps extends Size {
  theme: Theme;
  /** The title with the tabs. */
  head: string;
}

const tabs: Readonly<Record<string, (props: TabProps) => React.ReactNode>> = {
  Running: RunningTab,
  Messages: MessagesTab,
  'Changed meanwhile': ChangedTab,
};

/** Changes and transfers of this session: those under way, then those that are over, the newest first. */
function RunningTab(props: TabProps) {
  const stores = useStores();
  const { navigation } = stores;
  const events = useStore(stores.events, (state) => state.events);
  const changes = useStore(stores.changes, (state) => state.changes);
  const transfers = useStore(stores.transfers, (state) => state.transfers);
  const plans = useStore(stores.plans);
  const open = (overlay: Overlay) => navigation.open(overlay);
  const cancel = useCancelling('journal.open', 'enter');
  const entries = [
    ...(plans.run ? [planEntry(props, plans, open)] : []),
    // A change that a file goes along with is shown as a transfer.
    ...changes
      .filter(({ action }) => !action.multipart)
      .map((change) => changeEntry(props, stores.now(), withJobs(change, events), open)),
    ...transfers.map((transfer) => transferEntry(props, stores.now(), transfer, () => cancel(transfer))),
  ];
  const newest = entries.sort((one, other) => Number(other.isRunning) - Number(one.isRunning) || other.at - one.at);
  return (
    <EntryPage {...props} entries={newest} none="Nothing has been changed or transferred in this session so far." />
  );
}

/** The notices of this session, the newest first. */
function MessagesTab(props: TabProps) {
  const { notices, navigation, now } = useStores();
  const all = useStore(notices, (state) => state.notices);
  const entries = all.toReversed().map((notice): JournalEntry => {
    const { about } = notice;
    const open = about ? () => navigation.go(placeOfNotice(about)) : 'This message is about no object.';
    return messageEntry(props, now(), notice, open);
  });
  return <EntryPage {...props} entries={entries} none="There are no messages yet." />;
}

/** All that changed in lists since an earlier session. */
function ChangedTab(props: TabProps) {
  const stores = useStores();
  const lists = changedLists(useStore(stores.keptChanges, (state) => state.lists));
  const entries = changedEntries(props, stores, lists);
  const none = 'Nothing has changed in the lists that were kept and that were read again so far.';
  return <EntryPage {...props} entries={entries} none={none} />;
}

interface EntryPageProps extends TabProps {
  entries: readonly JournalEntry[];
  none: string;
}

/** Entries under the title, with keys for the one under the cursor. */
function EntryPage({ theme, head, entries, none, width, height }: EntryPageProps) {
  const stores = useStores();
  const [view, setView] = useView(`journal:${none}`);
  return (
    <Page
      layer="journal"
      head={[head]}
      lines={pageLines(theme, entries)}
      none={none}
      cursor={view.cursor}
      setCursor={(cursor) => setView({ cursor })}
      keys={(current) => {
        const { open = 'There is nothing to open.', sent = [] } = entries.find(({ id }) => id === current) ?? {};
        return { open, takeBack: () => takesBack(stores, sent) };
      }}
      width={width}
      height={height}
    />
  );
}
