import { Box } from 'ink';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { progressBar } from '../components/chart.ts';
import { formatValue } from '../components/format.ts';
import { Line, Lines } from '../components/Line.tsx';
import { saidLines } from '../components/spans.ts';
import { type Theme, useTheme } from '../components/theme.ts';
import type { Gauge } from '../resources/description.ts';
import { resourceNamed } from '../resources/index.ts';
import { belowOne } from '../resources/relations.ts';
import type { Params, Resource, Row, Tab } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { type Answer, type Collection, listQuery, type Query, queryKey, viewQuery } from '../store/cache.ts';
import { cachedRow } from '../store/changes/change.ts';
import { uidOf } from '../store/history/auditLog.ts';
import { tabKey } from '../store/navigation.ts';
import { cut } from '../text/cells.ts';
import { keysOfRows, ticketOf } from './choices.ts';
import { customScreens } from './custom/index.ts';
import { failureText } from './freshness.ts';
import { HistoryTab } from './history/HistoryTab.tsx';
import { useKeys } from './keyboard.tsx';
import { ListPane } from './list/ListPane.tsx';
import { useSupportedParts } from './list/useSections.ts';
import { Overview } from './overview/Overview.tsx';
import { Preview, previewIn } from './Preview.tsx';
import { previewFrom, SidePanel, widthBeside } from './page/Pane.tsx';
import { JsonPane } from './page/TextPane.tsx';
import { leadsOn, placeAbout, type ShownTab, tabQuery, tabsOf } from './places.ts';
import { useRegion } from './terminal/mouse.tsx';
import { takesBack } from './undo/outlook.ts';
import { backWords, useLabelled } from './useReads.ts';
import { type CustomProps, type Size, useAnswer, useCollection, useQueries, useStores } from './useStores.ts';

interface DetailScreenProps extends Omit<CustomProps, 'row'> {
  tab: string;
}

/** One row of a resource: its tabs and the content of the current one. */
export function DetailScreen({ resource: described, params, tab, width, height }: DetailScreenProps) {
  const resource = useSupportedParts(described);
  const stores = useStores();
  const theme = useTheme();
  // A row that no operation reads alone is in its list.
  const query = resource.view ? viewQuery(resource, params) : resource.list && listQuery(resource, params);
  const labelled = useLabelled(resource, params);
  const [key = ''] = useQueries(query && labelled === undefined ? [query] : []);
  const row = useStore(stores.cache, () => cachedRow(stores.view, resource, params));
  const tabs = tabsOf(resource);
  const current = tabs.find(({ name }) => name === tab) ?? tabs[0];
  const counts = useTabCounts(resource, tabs, params);
  const show = useDetailKeys({ resource, params, tabs, current, row });
  const line = tabLine(theme, { tabs, current, counts }, width);
  const region = useRegion('detail', { onClick: ({ column }) => show(line.at(column)) });
  const wasThere = useRef(false);
  if (row) wasThere.current = true;
  const absence = useStore(stores.cache, ({ answers, collections }) =>
    row ? '' : (labelled ?? absenceText(resource, params, answers[key] ?? collections[key], wasThere.current)),
  );
  if (!current) return null;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Box ref={region} height={1} flexShrink={0}>
        <Line text={line.text} />
      </Box>
      {row ? (
        <TabContent key={current.name} shown={current} {...{ resource, params, row, width }} height={height - 1} />
      ) : (
        <Lines of={saidLines(theme, absence, width - 2, 'plain')} />
      )}
    </Box>
  );
}

/** Tells why there is no row to show: it is being read, failed to be read, or does not exist. */
function absenceText(
  { one, param }: Resource,
  params: Params,
  answer: Answer | Collection | undefined,
  wasThere: boolean,
): string {
  const isRead = answer?.loadedAt !== undefined && !answer.loading && !('body' in answer && answer.body !== undefined);
  if (isRead || answer?.error?.isGone)
    return wasThere
      ? `This ${one} is gone; ${backWords()}`
      : `There is no ${[one, params[param]].filter(Boolean).join(' with the id ')}; ${backWords()}`;
  if (answer?.error) return failureText(answer.error);
  return `Reading ${[one, params[param]].filter(Boolean).join(' ')} …`;
}

function TabContent({ shown: { name, tab }, ...page }: CustomProps & { shown: ShownTab }) {
  const { resource, params, row, ...size } = page;
  if (tab && 'screen' in tab) {
    const Custom = customScreens[tab.screen];
    if (!tab.tells || size.width < previewFrom) return <Custom {...page} />;
    const width = widthBeside(size.width);
    return (
      <Box {...size}>
        <Box width={width} flexShrink={0}>
          <Custom {...page} width={width} />
        </Box>
        <SidePanel width={size.width - width} height={size.height}>
          {(room) => <Preview {...page} tells={tab.tells} width={room} />}
        </SidePanel>
      </Box>
    );
  }
  if (tab && 'answer' in tab)
    return <AnswerTab query={{ resource: resource.name, operation: tab.answer, params }} {...size} />;
  if (tab) return <ListTab tab={tab} {...page} />;
  if (name === 'history') return <HistoryTab resource={resource} params={params} {...size} />;
  if (name === 'json') return <JsonPane value={row} {...size} />;
  return <Overview {...page} />;
}

/** The rows under this one, below a gauge of how much of it they use. */
function ListTab({ tab, resource, params, row, width, height }: CustomProps & { tab: ListedTab }) {
  const stores = useStores();
  const theme = useTheme();
  const query = tabQuery(resource, tab, params);
  useCollection(query);
  const gauge = tab.gauge?.(row, stores.view);
  const listed = belowOne(resourceNamed(tab.list));
  // A list tells all of a row that no operation reads alone; beside it stands what it belongs to.
  const parent = (_: Row, room: number) => <Preview {...{ resource, params, row, height }} width={room} />;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {gauge ? <Line text={` ${gaugeLine(theme, gauge, width - 2)}`} /> : null}
      <ListPane
        query={query}
        resource={listed}
        viewKey={tabKey(tab.list, resource.name, params)}
        preview={listed.view ? previewIn(listed, params, height) : parent}
        width={width}
        height={gauge ? height - 1 : height}
      />
    </Box>
  );
}

/** A share as a bar and in words: `███░░  60 GiB of 100 GiB allocated, 40 GiB left`. */
function gaugeLine(theme: Theme, { used, of, format: as, says }: Gauge, width: number): string {
  const formatted = (amount: number) => formatValue(amount, as, theme).text;
  const rest = used > of ? `${formatted(used - of)} too much` : `${formatted(of - used)} left`;
  const words = cut(`  ${formatted(used)} of ${formatted(of)} ${says}, ${rest}`, width - 10);
  const bar = progressBar(of > 0 ? (used / of) * 100 : undefined, Math.min(40, width - words.length), theme.glyphs);
  return `${theme.paint(used > of ? 'bad' : 'good', bar)}${words}`;
}

type ListedTab = Extract<Tab, { list: string }>;

function AnswerTab({ query, width, height }: Size & { query: Query }) {
  const theme = useTheme();
  const answer = useAnswer(query);
  if (answer?.body !== undefined) return <JsonPane value={answer.body} width={width} height={height} />;
  return <Lines of={saidLines(theme, answer?.error ? failureText(answer.error) : 'Reading …', width - 2, 'plain')} />;
}

/** The number of rows of each tab that is loaded already; nothing is requested for a count. */
const useTabCounts = (resource: Resource, tabs: readonly ShownTab[], params: Params): readonly (number | undefined)[] =>
  useStore(
    useStores().cache,
    useShallow(({ collections }) =>
      tabs.map(({ tab }) =>
        tab && 'list' in tab ? countOf(collections[queryKey(tabQuery(resource, tab, params))]) : undefined,
      ),
    ),
  );

const countOf = (collection: Collection | undefined) =>
  collection?.loadedAt === undefined ? undefined : collection.rows.length;

interface CountedTabs {
  tabs: readonly ShownTab[];
  current: ShownTab | undefined;
  counts: readonly (number | undefined)[];
}

/** The texts of the tabs, with the counts of all where they fit, else with that of the current one; at worst those up to it. */
function tabLabels({ tabs, current, counts }: CountedTabs, width: number) {
  const isCounted: readonly ((tab: ShownTab) => boolean)[] = [() => true, (tab) => tab === current];
  for (const hasCount of isCounted) {
    const labels = tabs.map((tab, index) => {
      const count = hasCount(tab) ? counts[index] : undefined;
      return ` ${tab.title}${count === undefined ? '' : ` ${count}`} `;
    });
    if (labels.reduce((sum, text) => sum + text.length, 1) <= width) return { labels, from: 0, isFull: true };
  }
  const labels = tabs.map((tab) => (tab === current ? `[${tab.title}]` : tab.title));
  const shown = current ? tabs.indexOf(current) : 0;
  // The last cell is that of the sign that more follow.
  const isSeen = (from: number) => lead(from) + labels.slice(from, shown + 1).join(' ').length < width;
  /** The index of the first one that is shown. */
  const from = labels.findIndex((_, index) => index >= shown || isSeen(index));
  return { labels, from: Math.max(0, from), isFull: false };
}

const before = ' … ';

/** The cells before the first label that is shown. */
const lead = (from: number): number => (from > 0 ? before.length : 1);

/** The tabs with their counts, the current one highlighted, without counts where they do not fit; and the tab at a cell. */
function tabLine(theme: Theme, counted: CountedTabs, width: number) {
  const { tabs, current } = counted;
  const { labels, from, isFull } = tabLabels(counted, width);
  const start = lead(from);
  const line = isFull ? ` ${labels.join('')}` : cut(`${from > 0 ? before : ' '}${labels.slice(from).join(' ')}`, width);
  const name = (current && labels[tabs.indexOf(current)]) ?? '';
  const [head = '', rest = ''] = name === '' ? [line] : line.split(name, 2);
  return {
    text: theme.paint('dim', head) + theme.paint('cursor', name) + theme.paint('dim', rest),
    at: (cell: number): ShownTab | undefined => {
      let end = start;
      return tabs.slice(from).find((_, index) => {
        end += (labels[from + index]?.length ?? 0) + (isFull ? 0 : 1);
        return cell >= start && cell < end;
      });
    },
  };
}

interface DetailKeys {
  resource: Resource;
  params: Params;
  tabs: readonly ShownTab[];
  current: ShownTab | undefined;
  row: Row | undefined;
}

/** The keys of a detail; a list in one of its tabs takes keys before it. Returns the function that shows a tab. */
function useDetailKeys({ resource, params, tabs, current, row }: DetailKeys): (tab: ShownTab | undefined) => void {
  const stores = useStores();
  const { navigation } = stores;
  const show = (tab: ShownTab | undefined) =>
    tab && navigation.replace({ screen: 'detail', resource: resource.name, params, tab: tab.name });
  const shown = tabs.findIndex((tab) => tab === current || tab.name === current?.name);
  const step = (by: number) =>
    tabs.length > 1 ? () => show(tabs[(shown + by + tabs.length) % tabs.length]) : 'There is only this tab.';
  /** Shows the tab of a key, unless there is none or it is shown. */
  const nth = (key: string) => {
    const index = Number(key) - 1;
    if (!tabs[index]) return `There ${tabs.length === 1 ? 'is only 1 tab' : `are only ${tabs.length} tabs`}.`;
    show(tabs[index]);
    return index === shown ? `This is tab ${key}.` : undefined;
  };
  const targets = row ? [{ row, params }] : [];
  const about = row && placeAbout(stores, resource, row);
  const json = tabs.find(({ name }) => name === 'json');
  const history = tabs.find(({ name }) => name === 'history');
  const unread = `This ${resource.one} is not read.`;
  const handlers = {
    nextTab: step(1),
    previousTab: step(-1),
    nthTab: nth,
    json: json && (json === tabs[shown] ? 'This is the JSON.' : () => show(json)),
    moments: history
      ? history === tabs[shown]
        ? 'This is the history.'
        : () => show(history)
      : `There is no history of ${plural(resource)}.`,
    jump: typeof about === 'object' ? () => navigation.go(about) : leadsOn(resource) ? (about ?? unread) : undefined,
    ...keysOfRows(stores, { resource, targets, params }, row && { resource, params }, unread),
    ticket: ticketOf(stores, { resource, targets, params }),
  };
  useKeys('sent', resource.takenBack && row ? { takeBack: () => takesBack(stores, [uidOf(row)]) } : {});
  useKeys('detail', handlers, { subject: { resource, targets, params } });
  return show;
}
