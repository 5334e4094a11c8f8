import { counted } from '../../text/words.ts';
import { isPrivateAddress } from '../ipAddress.ts';
import { type CacheView, type Dated, type Labelled, type Row, textsOf } from '../row.ts';
import { ownedWords } from '../wording.ts';

/** Whether the checks of a node fail, so that it gets no traffic (document 3, 2.5). */
export const isDown = ({ status }: Row): boolean => String(status).toUpperCase() === 'DOWN';

/** Whether a node answers its health checks. */
export const isUp = ({ status }: Row): boolean => String(status).toUpperCase() === 'UP';

/** The condition of a step of a plan that the nodes of its row answer again. */
export const nodesUp = 'nodes up';

/** The modes of a node with what they mean (document 3, 2.5). */
export const nodeModes: Readonly<Record<string, string>> = {
  accept: 'takes traffic',
  reject: 'gets no traffic',
  drain: 'gets no new traffic, keeps pinned connections',
  backup: 'gets traffic only when all accepting nodes are down',
};

/** Whether a text is a private IPv4 address, with a port or without. */
export function isNodeAddress(text: string): boolean {
  const [address = '', port, ...rest] = text.split(':');
  if (rest.length > 0 || !isPrivateAddress(address)) return false;
  return port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65535);
}

/** The address of a node without its port. */
export const hostOf = (address: unknown): string => String(address ?? '').replace(/:\d+$/, '');

/** The port in the address of a node; undefined where there is none. */
export const portOf = (address: unknown): string | undefined => /:(\d+)$/.exec(String(address ?? ''))?.[1];

/** An address with this port appended, unless it has one. */
export const withPort = (address: unknown, port: unknown): string =>
  port && portOf(address) === undefined ? `${address}:${port}` : String(address);

/** The private address of a server, which it needs to be a node. */
export const privateAddressOf = ({ ipv4 }: Row): string | undefined => textsOf(ipv4).find(isPrivateAddress);

/** Says why a node written as `label address:port mode weight` is wrong, the last two as needed; undefined when it is right. */
export function wrongNode(text: string): string | undefined {
  const [label = '', address = '', ...rest] = text.trim().split(/\s+/);
  const { mode, weight, unknown } = restOf(rest);
  if (label.length < 3 || label.length > 32) return `must begin with a label of 3–32 characters; it has ${label}`;
  if (!isNodeAddress(address)) return `must have a private address and port after ${label}, e.g. 192.168.128.10:80`;
  if (unknown !== undefined) return `must end with a mode and a weight, if any; ${label} has ${unknown}`;
  if (mode !== undefined && !(mode in nodeModes)) return `must have a mode of ${Object.keys(nodeModes).join(', ')}`;
  return weight !== undefined && (weight < 1 || weight > 255)
    ? `must have weights of 1–255; ${label} has ${weight}`
    : undefined;
}

/** A node as it is sent, from a text that `wrongNode` accepts. */
export function nodeFrom(text: string): Row {
  const [label, address, ...rest] = text.trim().split(/\s+/);
  const { mode, weight } = restOf(rest);
  return { label, address, ...(mode && { mode }), ...(weight && { weight }) };
}

function restOf(words: readonly string[]): { mode?: string; weight?: number; unknown?: string } {
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const others = words.filter((word) => !/^\d+$/.test(word));
  const unknown = numbers[1] ?? others[1];
  return {
    ...(others[0] !== undefined && { mode: others[0] }),
    ...(numbers[0] !== undefined && { weight: Number(numbers[0]) }),
    ...(unknown !== undefined && { unknown }),
  };
}

/** A back end of a NodeBalancer (document 3, 2.5). */
export type BalancerNode = Labelled & { address: string; status?: string; mode: string; weight: number };

/** A NodeBalancer (document 3, 2.3). */
export type NodeBalancer = Labelled &
  Dated & {
    region: string;
    ipv4: string;
    ipv6: string | null;
    hostname: string;
    client_conn_throttle: number;
    /** In MB this month. */
    transfer: { in: number | null; out: number | null; total: number | null };
    tags: readonly string[];
  };

/** Counts the nodes that a port keeps without these: `Port 80: 4 of 5 healthy nodes remain.` Empty where its nodes are not loaded. */
export const remaining = (nodes: readonly BalancerNode[], view: CacheView): string =>
  [...Map.groupBy(nodes, ({ config_id }) => config_id)]
    .map(([config, taken]) => leftOf(config, taken, view))
    .filter(Boolean)
    .join(' ');

function leftOf(config: unknown, taken: readonly BalancerNode[], view: CacheView): string {
  if (config === undefined || config === null) return '';
  const all = view.rows('nodebalancer-nodes', { configId: String(config) });
  if (all.length === 0) return '';
  const ids = new Set(taken.map(({ id }) => id));
  const up = all.filter((node) => isUp(node) && node.mode === 'accept');
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
