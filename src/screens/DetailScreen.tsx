import { Box } from 'ink';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { cut } from '../components/cells.ts';
import { Line } from '../components/Line.tsx';
import { type Theme, useTheme } from '../components/theme.ts';
import { resourceNamed } from '../resources/index.ts';
import { at, type Params, type Resource, type Row } from '../resources/resource.ts';
import { keyOf, type Question } from '../store/records.ts';
import { Card } from './Card.tsx';
import { JsonPane } from './JsonPane.tsx';
import { ListPane } from './list/ListPane.tsx';
import { ownScreens } from './own/index.ts';
import { rowAt, viewParams } from './subjects.ts';
import { type ShownTab, tabsOf } from './tabs.ts';
import { useAnswer, useDeck } from './useDeck.ts';
import { useDetailKeys } from './useDetailKeys.ts';

interface DetailScreenProps {
  resource: Resource;
  params: Params;
  tab: string;
  width: number;
  height: number;
}

/** One row of a resource: its tabs, and the content of the one chosen. */
export function DetailScreen({ resource, params, tab, width, height }: DetailScreenProps) {
  const deck = useDeck();
  const theme = useTheme();
  const answer = useAnswer(
    resource.view ? { resource: resource.name, operation: 'view', params: viewParams(resource, params) } : undefined,
  );
  const row = useStore(deck.records, () => rowAt(deck, resource, params));
  const tabs = tabsOf(resource);
  const current = tabs.find(({ name }) => name === tab) ?? tabs[0];
  const counts = useTabCounts(resource, tabs, params);
  useDetailKeys({ resource, params, tabs, current, row });
  if (!current) return null;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={tabLine(theme, tabs, current, counts, width)} />
      {row ? (
        <TabContent
          key={current.name}
          shown={current}
          resource={resource}
          params={params}
          row={row}
          width={width}
          height={height - 1}
        />
      ) : (
        <Line text={` ${answer?.error?.message ?? `Reading ${resource.one} ${params[resource.param]} …`}`} />
      )}
    </Box>
  );
}

interface TabContentProps {
  shown: ShownTab;
  resource: Resource;
  params: Params;
  row: Row;
  width: number;
  height: number;
}

function TabContent({ shown: { name, tab }, resource, params, row, width, height }: TabContentProps) {
  if (tab && 'own' in tab) {
    const Own = ownScreens[tab.own];
    if (!Own) throw new Error(`there is no screen ${tab.own}`);
    return <Own resource={resource} params={params} row={row} width={width} height={height} />;
  }
  if (tab) {
    const viewKey = `${tab.list}:${resource.name}:${JSON.stringify(params)}`;
    const rows = resourceNamed(tab.list);
    return (
      <ListPane
        question={tabQuestion(resource, tab, params)}
        resource={rows}
        viewKey={viewKey}
        width={width}
        height={height}
      />
    );
  }
  if (name === 'events') {
    const filter = (event: Row) =>
      at(event, 'entity.type') === resource.entity && String(at(event, 'entity.id')) === params[resource.param];
    const question = { resource: 'events', operation: 'list', params: {} };
    return (
      <ListPane
        question={question}
        resource={resourceNamed('events')}
        viewKey={`events:${resource.name}:${JSON.stringify(params)}`}
        width={width}
        height={height}
        only={filter}
      />
    );
  }
  if (name === 'json') return <JsonPane value={row} width={width} height={height} />;
  return (
    <Box paddingLeft={1} paddingTop={1}>
      <Card resource={resource} row={row} width={width - 2} height={height - 1} />
    </Box>
  );
}

const tabQuestion = (resource: Resource, tab: { list: string; operation?: string }, params: Params): Question =>
  tab.operation
    ? { resource: resource.name, operation: tab.operation, params }
    : { resource: tab.list, operation: 'list', params };

/** How many rows each tab lists, where that is loaded; nothing is asked for that is not looked at. */
function useTabCounts(resource: Resource, tabs: readonly ShownTab[], params: Params): readonly (number | undefined)[] {
  return useStore(
    useDeck().records,
    useShallow(({ collections }) =>
      tabs.map(({ tab }) =>
        tab && 'list' in tab ? collections[keyOf(tabQuestion(resource, tab, params))]?.rows.length : undefined,
      ),
    ),
  );
}

/** The tabs with their counts, the present one marked, as many as fit. */
function tabLine(
  theme: Theme,
  tabs: readonly ShownTab[],
  current: ShownTab,
  counts: readonly (number | undefined)[],
  width: number,
): string {
  const written = tabs.map((tab, index) => {
    const count = counts[index];
    const text = ` ${tab.title}${count === undefined ? '' : ` ${count}`} `;
    return { text, paintedText: tab === current ? theme.paint('cursor', text) : theme.paint('dim', text) };
  });
  const full = written.reduce((sum, { text }) => sum + text.length, 1);
  if (full <= width) return ` ${written.map(({ paintedText }) => paintedText).join('')}`;
  const index = tabs.indexOf(current);
  return cut(` ${tabs.map(({ title }, nth) => (nth === index ? `[${title}]` : title)).join(' ')}`, width);
}
