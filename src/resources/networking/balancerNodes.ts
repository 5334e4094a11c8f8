import { listed, textIn } from '../../text/words.ts';
import { addressesOf } from '../ipAddress.ts';
import { type DescribedAction, type Resource, resource, statusColumn } from '../resource.ts';
import type { CacheView, Draft, Row } from '../row.ts';
import {
  type BalancerNode,
  hostOf,
  isNodeAddress,
  nodeModes,
  portOf,
  privateAddressOf,
  remaining,
  withPort,
} from './nodeText.ts';

const list = '/v4/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes';
const body = ['label!', 'address!', 'mode', 'weight'];

function serverOf({ address }: Row, view: CacheView): Row | undefined {
  const host = hostOf(address);
  return view.rows('servers').find((server) => [server.ipv4].flat().includes(host));
}

const wordsFor: Readonly<Record<string, readonly [key: string, help: string, on: string]>> = {
  accept: ['a', 'Accept traffic', 'Accept traffic on {}'],
  reject: ['x', 'Reject traffic', 'Reject traffic on {}'],
  drain: ['r', 'Drain', 'Drain {}'],
  backup: ['b', 'Use as backup', 'Use {} as backup'],
};

/** The lists that are counted for the nodes that remain. */
const beside = ['nodebalancer-configs', 'nodebalancer-nodes'] as const;

const taken = (nodes: readonly BalancerNode[], mode: string, view: CacheView) =>
  `${nodesNamed(nodes, view)} ${nodes.length === 1 ? loses[mode] : losesOfMany(mode)}. ${remaining(nodes, view)}`.trim();

/** A step of a plan may know no more of a node than its mode. */
const nodeName = ({ label, address }: BalancerNode) =>
  textIn(address) ? `${label} (${address})` : (textIn(label) ?? 'It');

/** Of several nodes the port tells apart those of one server. */
const nodesNamed = (nodes: readonly BalancerNode[], view: CacheView): string => {
  const ports = nodes.map(({ config_id }) => nodes.length > 1 && view.row('nodebalancer-configs', config_id)?.port);
  return listed(
    nodes.map((node, nth) => (ports[nth] ? `${node.label} at port ${ports[nth]}` : nodeName(node))),
    4,
  );
};

/** The effect of each mode on a node. */
const loses: Readonly<Record<string, string>> = {
  reject: 'gets no more traffic, and its connections break',
  drain: 'gets no new connections; pinned ones stay until they end',
  backup: 'gets traffic only when all accepting nodes are down',
};
const losesOfMany = (mode: string) => loses[mode]?.replace('gets', 'get').replace('its', 'their');

const editWarning = (node: BalancerNode, view: CacheView, { mode }: Draft): string | undefined =>
  typeof mode === 'string' && mode !== node.mode && mode in loses ? taken([node], mode, view) : undefined;

const modeActions = Object.entries(wordsFor).map(
  ([mode, [key, help, on]]): DescribedAction<BalancerNode> => ({
    name: mode,
    key,
    help,
    on,
    method: 'PUT',
    send: () => ({ mode }),
    refuse: (node) => (node.mode === mode ? `${node.label} is already in mode ${mode}` : undefined),
    ...(mode in loses
      ? {
          reads: beside,
          disrupts: 'for a while' as const,
          ask: {
            warning: (node, view) => taken([node], mode, view),
            together: (nodes, view) => taken(nodes, mode, view),
          },
        }
      : { ask: false }),
    inverse: ({ before }) =>
      typeof before?.mode === 'string' && before.mode in wordsFor
        ? { action: before.mode }
        : 'The mode that it had is not known.',
    invalidates: ['nodebalancer-configs'],
  }),
);

/** The nodes of a NodeBalancer config (document 3, 2.5 and 4.2). */
export const nodebalancerNodes: Resource = resource<BalancerNode>()({
  name: 'nodebalancer-nodes',
  one: 'node',
  many: 'Nodes',
  area: 'Networking',
  aliases: ['nodebalancernodes'],
  path: list,
  scope: 'nodebalancers',
  under: 'nodebalancer-configs',
  within: 'at {}',
  events: ['nodebalancer_node_', 'nodebalancer_config_'],
  reads: ['servers'],
  relations: [{ to: 'servers', by: ({ address }) => [hostOf(address)], theirs: addressesOf }],
  sort: 'Label',
  empty: 'A node is a server that receives the traffic of this port at its private address.',
  fields: {
    label: {
      min: 3,
      max: 32,
      pattern: { test: /^[A-Za-z0-9_.-]+$/, says: 'letters, digits, - . and _' },
      unique: true,
    },
    address: {
      check: (entry) =>
        isNodeAddress(entry) ? undefined : 'must be a private address, e.g. 192.168.128.10 or 192.168.128.10:80',
      to: 'servers',
      offers: (server, _draft, view, _node, params) => {
        const region = view.row('nodebalancers', params?.nodeBalancerId)?.region;
        return privateAddressOf(server) !== undefined && (region === undefined || server.region === region);
      },
      picks: (server, draft) => withPort(privateAddressOf(server), portOf(draft.address) ?? draft.port ?? '80'),
      help: 'The private address of a server in the region of the NodeBalancer.',
      unique: true,
    },
    port: {
      kind: 'integer',
      min: 1,
      max: 65535,
      local: true,
      shown: ({ address }, node) => !node && portOf(address) === undefined,
      help: 'The port that the node listens on; it can also follow the address after a colon.',
    },
    mode: { optionHelp: nodeModes, fallback: 'accept' },
    weight: {
      kind: 'integer',
      min: 1,
      max: 255,
      help: 'Higher gets more traffic, as far as requests are not pinned to a node.',
    },
  },
  columns: [
    { ...statusColumn, words: ['UP', 'DOWN', 'unknown'] },
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Address', value: 'address', keep: 1 },
    { title: 'Mode', value: 'mode', keep: 1 },
    { title: 'Weight', value: 'weight', format: 'number' },
    { title: 'Server', value: (node, view) => serverOf(node, view)?.label },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
  ],
  view: { scope: 'nodebalancers:read_write' },
  create: {
    shownBy: { events: ['nodebalancer_node_create'], names: ['label', 'address'] },
    body: ['label!', 'address!', 'port!', 'mode', 'weight'],
    send: (sent, { port }) => ({ ...sent, address: withPort(sent.address, port) }),
    reads: ['nodebalancers', 'nodebalancer-configs', 'nodebalancer-nodes'],
    start: (_node, view, { configId = '' }) => {
      const beside = view.rows('nodebalancer-nodes', { configId }).at(-1);
      const port = portOf(beside?.address) ?? view.row('nodebalancer-configs', configId)?.port;
      return port === undefined ? {} : { port: String(port) };
    },
    invalidates: ['nodebalancer-configs'],
  },
  edit: {
    disrupts: 'for a while',
    body,
    reads: beside,
    ask: { when: 'it takes traffic away', warning: editWarning },
    invalidates: ['nodebalancer-configs'],
  },
  remove: {
    disrupts: 'from then on',
    ask: {
      warning: (node, view) =>
        `Takes the node ${nodeName(node)} out of the NodeBalancer; its connections break. ${remaining([node], view)} The server is not touched.`,
      together: (nodes, view) =>
        `Takes ${nodesNamed(nodes, view)} out of the NodeBalancer; their connections break. ${remaining(nodes, view)} The servers are not touched.`,
    },
    inverse: () => ({ action: 'create', differs: ['it gets another id', 'its health is checked anew'] }),
    reads: beside,
    invalidates: ['nodebalancer-configs'],
  },
  actions: modeActions,
  copies: { address: (node) => node.address, host: (node) => hostOf(node.address) },
});
