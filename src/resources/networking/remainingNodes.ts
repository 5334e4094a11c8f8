import { counted } from '../../text/words.ts';
import type { CacheView, Row } from '../resource.ts';
import { ownedWords } from '../wording.ts';
import { type BalancerNode, isUp } from './nodeText.ts';

const serves = (node: Row) => isUp(node) && node.mode === 'accept';

/** Counts the nodes that a port keeps without these: `Port 80: 4 of 5 healthy nodes remain.` Empty where its nodes are not loaded. */
export function remaining(nodes: readonly BalancerNode[], view: CacheView): string {
  return [...Map.groupBy(nodes, ({ config_id }) => config_id)]
    .map(([config, taken]) => leftOf(config, taken, view))
    .filter(Boolean)
    .join(' ');
}

function leftOf(config: unknown, taken: readonly BalancerNode[], view: CacheView): string {
  if (config === undefined || config === null) return '';
  const all = view.rows('nodebalancer-nodes', { configId: String(config) });
  if (all.length === 0) return '';
  const ids = new Set(taken.map(({ id }) => id));
  const up = all.filter(serves);
  const left = up.filter(({ id }) => !ids.has(id as number));
  const port = view.row('nodebalancer-configs', config)?.port;
  const where = port === undefined ? 'Its port' : `Port ${port}`;
  const backups = all.filter((node) => isUp(node) && node.mode === 'backup' && !ids.has(node.id as number));
  const beside = backups.length > 0 ? `, besides ${counted(backups.length, 'backup')}` : '';
  if (left.length > 0)
    return `${where}: ${left.length} of ${up.length} healthy nodes ${left.length === 1 ? 'remains' : 'remain'}${beside}.`;
  if (backups.length > 0)
    return `${where}: none of ${up.length} healthy nodes remains; its backups take over (${backups.length} up).`;
  return `${where}: none of ${up.length} healthy nodes remains; the port stops answering.`;
}

/** The resources whose rows go along with a NodeBalancer. */
export const ownedNames = ['nodebalancer-configs', 'nodebalancer-nodes'] as const;

/** The rows that go along with a NodeBalancer: `2 configs and 5 nodes`. */
export function ownedText({ id }: Row, view: CacheView): string {
  const count = (name: string) => view.rows(name, { nodeBalancerId: String(id) }).length;
  return `${ownedWords(count('nodebalancer-configs'), 'config')} and ${ownedWords(count('nodebalancer-nodes'), 'node')}`;
}
