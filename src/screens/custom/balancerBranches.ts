import { formatValue } from '../../components/format.ts';
import { pointerOf, type Theme } from '../../components/theme.ts';
import { checkWords, healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import type { Params, Row } from '../../resources/resource.ts';
import type { Collection } from '../../store/cache.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { counted } from '../../text/words.ts';

/** One line of the tree of a NodeBalancer: a config, or a node below it. */
export interface Branch {
  kind: 'config' | 'node';
  resource: 'nodebalancer-configs' | 'nodebalancer-nodes';
  key: string;
  row: Row;
  params: Params;
  /** The parameters of the config that it is or lies under. */
  configParams: Params;
  /** A config that has no nodes. */
  isEmpty?: boolean;
}

/**
 * The configs of a NodeBalancer, each followed by its nodes.
 * @param nodes those of each config, in the same order, as far as they are loaded
 */
export function branchesOf(
  configs: readonly Row[],
  nodes: readonly (Collection | undefined)[],
  params: Params,
): readonly Branch[] {
  return configs.flatMap((config, place): readonly Branch[] => {
    const configParams = { ...params, configId: String(config.id) };
    const below = (nodes[place]?.rows ?? []).map(
      (node): Branch => ({
        kind: 'node',
        resource: 'nodebalancer-nodes',
        key: String(node.id),
        row: node,
        params: { ...configParams, nodeId: String(node.id) },
        configParams,
      }),
    );
    const own: Branch = {
      kind: 'config',
      resource: 'nodebalancer-configs',
      key: `config ${config.id}`,
      row: config,
      params: configParams,
      configParams,
      isEmpty: nodes[place]?.loadedAt !== undefined && below.length === 0,
    };
    return [own, ...below];
  });
}

/** The longest comes first; none is told in part. */
const ways = ['n adds a node, Configs adds a port', 'n adds a node'];

/** The health of all configs together, as the title of the tree; where something can be made, what `n` makes here. */
export function treeHeader(theme: Theme, branches: readonly Branch[], width: number, readOnly: boolean): string {
  const configs = branches.filter(({ kind }) => kind === 'config').map(({ row }) => healthOf(row));
  const sum = (side: 'up' | 'down') => configs.reduce((total, health) => total + health[side], 0);
  const { text, role = 'plain' } = formatValue(healthWords({ up: sum('up'), down: sum('down') }), 'health', {
    now: 0,
    glyphs: theme.glyphs,
  });
  const ports = counted(configs.length, 'port');
  const room = Math.max(0, width - widthOf(`Ports and nodes  ${ports}  ${text}`) - 5);
  const way = readOnly || configs.length === 0 ? '' : (ways.find((way) => widthOf(way) <= room) ?? '');
  const says = [theme.paint('dim', ports), theme.paint(role, text), theme.paint('dim', way)];
  return ` ${theme.paint('title', 'Ports and nodes')}  ${says.join('  ')}`;
}

/** A config as one line: port, protocol, health, and how it spreads and checks. */
export function configLine(theme: Theme, { row, isEmpty }: Branch, isCursor: boolean, width: number): string {
  const pointer = pointerOf(theme, isCursor);
  const name = `port ${row.port} ${row.protocol}`;
  const { text, role = 'plain' } = formatValue(healthWords(healthOf(row)), 'health', { now: 0, glyphs: theme.glyphs });
  const how = isEmpty
    ? 'no nodes yet, so it serves nothing'
    : [row.algorithm, `stickiness ${row.stickiness}`, `check ${checkWords(row)}`].join(', ');
  const rest = cut(how, Math.max(0, width - name.length - text.length - 7));
  return `${pointer}  ${theme.paint(isCursor ? 'cursor' : 'title', name)}  ${theme.paint(role, text)}  ${theme.paint('dim', rest)}`;
}
