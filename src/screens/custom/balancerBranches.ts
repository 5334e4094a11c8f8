import { formatValue } from '../../components/format.ts';
import { pointerOf, type Theme } from '../../components/theme.ts';
import { checkWords, healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import { isDown } from '../../resources/networking/nodeText.ts';
import type { Params, Row } from '../../resources/resource.ts';
import type { Collection } from '../../store/cache.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';

/** One line of the tree of a NodeBalancer: a config, or one of its nodes. */
export interface Branch {
  kind: 'config' | 'node';
  resource: 'nodebalancer-configs' | 'nodebalancer-nodes';
  key: string;
  row: Row;
  params: Params;
  /** The parameters of the config, or of the config of the node. */
  configParams: Params;
  /** A config whose nodes are loaded, and there are none. */
  isEmpty?: boolean;
}

/**
 * The configs of a NodeBalancer, each followed by its nodes.
 * @param nodes the nodes of each config, in the same order; undefined until loaded
 */
export function branchesOf(
  configs: readonly Row[],
  nodes: readonly (Collection | undefined)[],
  params: Params,
): readonly Branch[] {
  return configs.flatMap((config, index): readonly Branch[] => {
    const configParams = { ...params, configId: String(config.id) };
    const ownNodes = (nodes[index]?.rows ?? []).map(
      (node): Branch => ({
        kind: 'node',
        resource: 'nodebalancer-nodes',
        key: String(node.id),
        row: node,
        params: { ...configParams, nodeId: String(node.id) },
        configParams,
      }),
    );
    const branch: Branch = {
      kind: 'config',
      resource: 'nodebalancer-configs',
      key: `config ${config.id}`,
      row: config,
      params: configParams,
      configParams,
      isEmpty: nodes[index]?.loadedAt !== undefined && ownNodes.length === 0,
    };
    return [branch, ...ownNodes];
  });
}

/** Whether a line is a node to which no traffic goes because its checks fail. */
export const isDownNode = ({ kind, row }: Branch): boolean => kind === 'node' && isDown(row);

/** The title of the tree with the health of all configs together, and what `n` creates unless read-only. */
export function treeHeader(theme: Theme, branches: readonly Branch[], width: number, readOnly: boolean): string {
  const configs = branches.filter(({ kind }) => kind === 'config').map(({ row }) => healthOf(row));
  const sum = (side: 'up' | 'down') => configs.reduce((total, health) => total + health[side], 0);
  const { text, role = 'plain' } = formatValue(healthWords({ up: sum('up'), down: sum('down') }), 'health', {
    now: 0,
    glyphs: theme.glyphs,
  });
  const ports = counted(configs.length, 'port');
  const room = Math.max(0, width - widthOf(`Ports and nodes  ${ports}  ${text}`) - 5);
  const adds = `${keyLabel('list.create', 'n')} adds a node`;
  // The first that fits is shown.
  const hints = [`${adds}, Configs adds a port`, adds];
  const hint = readOnly || configs.length === 0 ? '' : (hints.find((text) => widthOf(text) <= room) ?? '');
  const parts = [theme.paint('dim', ports), theme.paint(role, text), theme.paint('dim', hint)];
  return ` ${theme.paint('title', 'Ports and nodes')}  ${parts.join('  ')}`;
}

/** A config as one line: port, protocol, health, algorithm, stickiness and check. */
export function configLine(theme: Theme, { row, isEmpty }: Branch, isCursor: boolean, width: number): string {
  const pointer = pointerOf(theme, isCursor);
  const name = `port ${row.port} ${row.protocol}`;
  const { text, role = 'plain' } = formatValue(healthWords(healthOf(row)), 'health', { now: 0, glyphs: theme.glyphs });
  const details = isEmpty
    ? 'no nodes yet, so it serves nothing'
    : [row.algorithm, `stickiness ${row.stickiness}`, `check ${checkWords(row)}`].join(', ');
  const rest = cut(details, Math.max(0, width - name.length - text.length - 7));
  return `${pointer}  ${theme.paint(isCursor ? 'cursor' : 'title', name)}  ${theme.paint(role, text)}  ${theme.paint('dim', rest)}`;
}
