import { useEffect, useMemo } from 'react';
import { formatValue } from '../../components/format.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { checkWords, healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import { isDown } from '../../resources/networking/nodeText.ts';
import type { CacheView, Column, Params, Resource, Row } from '../../resources/resource.ts';
import type { Collection } from '../../store/cache.ts';
import { listQuery, listsBelow } from '../../store/queries.ts';
import { changesNothing } from '../../store/session.ts';
import { widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { ListPane } from '../list/ListPane.tsx';
import { type Branches, listTree } from '../list/listTree.ts';
import { Preview } from '../Preview.tsx';
import { type CustomProps, useCollections, useStores, useView } from '../useStores.ts';

const nodeResource = resourceNamed('nodebalancer-nodes');
const configResource = resourceNamed('nodebalancer-configs');

/** The nodes; a config says whether it has some. */
const nodes: Resource = {
  ...nodeResource,
  many: 'Ports and nodes',
  reads: [...(nodeResource.reads ?? []), nodeResource.name],
};
const configs: Resource = { ...configResource, empty: 'It has no configs, so it serves nothing.' };

/** The line of a config: its port and protocol, its health, and how it spreads traffic. */
const configColumns: readonly Column[] = [
  { title: 'Config', value: ({ port, protocol }) => `port ${port} ${protocol}`, keep: 1 },
  { title: 'Up/down', value: (config) => healthWords(healthOf(config)), format: 'health', keep: 1 },
  { title: 'Details', value: detailsOf, format: 'dim', keep: 1, width: 120 },
];

export function detailsOf(config: Row, view: CacheView): string {
  const of = [nodes.name, { configId: String(config.id) }] as const;
  if (view.isRead(...of) && view.rows(...of).length === 0) return 'no nodes yet, so it serves nothing';
  const sticks = config.stickiness === 'none' ? [] : [`stickiness ${config.stickiness}`];
  return [config.algorithm, ...sticks, `check ${checkWords(config)}`].join(', ');
}

/** The configs of a NodeBalancer by port, each with its nodes and the health of both. */
export function BalancerTree({ resource, row, params, width, height }: CustomProps) {
  const { api } = useStores();
  const theme = useTheme();
  const { branches, isWhole } = useBranches(params);
  const viewKey = `${nodes.name}:tree:${JSON.stringify(params)}`;
  const [listView, setView] = useView(viewKey);
  // It opens at the first node that is down, which is looked for most often. Once all nodes are read it stays.
  const start = branches.rows.flatMap(branches.under).find(isDown) ?? (isWhole ? branches.rows[0] : undefined);
  const startId = start && listTree({ resource: nodes, params }, branches).id(start);
  const isUnset = listView.cursor === undefined;
  useEffect(() => {
    if (isUnset && startId !== undefined) setView({ cursor: startId });
  }, [isUnset, startId, setView]);
  return (
    <ListPane
      query={listQuery(configs, params)}
      resource={nodes}
      branches={branches}
      waits="Its nodes are being read."
      viewKey={viewKey}
      // All nodes share what the balancer does.
      preview={(_, room) => <Preview {...{ resource, row, params, height }} width={room} />}
      above={() => treeSummary(theme, branches.rows, width, changesNothing(api))}
      width={width}
      height={height}
    />
  );
}

/** The configs of a NodeBalancer and the nodes of each, read while the component is mounted. */
function useBranches(params: Params): { branches: Branches; isWhole: boolean } {
  const [listed] = useCollections([listQuery(configs, params)]);
  const rows = useMemo(
    () => (listed?.rows ?? []).toSorted((one, other) => Number(one.port) - Number(other.port)),
    [listed?.rows],
  );
  const lists = useCollections(listsBelow(nodes, configs, rows, params));
  const branches = useMemo(() => branchesOf(rows, lists, params), [rows, lists, params]);
  return { branches, isWhole: lists.every((list) => list?.loadedAt !== undefined || list?.error !== undefined) };
}

/** @param lists the nodes of each config, in the same order */
function branchesOf(rows: readonly Row[], lists: readonly (Collection | undefined)[], params: Params): Branches {
  const nodesOf = new Map(rows.map((config, index) => [config, lists[index]?.rows ?? []]));
  return { resource: configs, params, rows, under: (config) => nodesOf.get(config) ?? [], columns: configColumns };
}

/** The number and health of all configs together, and what `n` creates unless read-only. */
export function treeSummary(theme: Theme, rows: readonly Row[], width: number, readOnly: boolean): string {
  const health = rows.map(healthOf);
  const sum = (side: 'up' | 'down') => health.reduce((total, one) => total + one[side], 0);
  const { text, role } = formatValue(healthWords({ up: sum('up'), down: sum('down') }), 'health', theme);
  const ports = counted(rows.length, 'port');
  const room = Math.max(0, width - widthOf(`${ports}  ${text}`) - 3);
  const adds = `${keyLabel('list.create', 'n')} adds a node`;
  // The first that fits is shown.
  const hints = [`${adds}, Configs adds a port`, adds];
  const hint = readOnly || rows.length === 0 ? '' : (hints.find((text) => widthOf(text) <= room) ?? '');
  return ` ${[theme.paint('dim', ports), theme.paint(role, text), theme.paint('dim', hint)].join('  ')}`;
}
