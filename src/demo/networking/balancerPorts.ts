import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import type { Call } from '../engine/handler.ts';
import { serversOf } from '../inventory.ts';
import { type BalancerTree, configFrom, newNode, nodeFrom, nodesIn, type Port, plainConfig } from './balancerBodies.ts';
import { logChange, treeIn } from './balancers.ts';

type Member = Port['nodes'][number];

/** The time before the first check of a new node, in seconds. */
const unchecked = 12;

/** Whether a node answers its health checks: while a server that runs has its address. */
function statusOf(cloud: Cloud, { node, since }: Member): 'unknown' | 'UP' | 'DOWN' {
  if (cloud.time < since + cloud.durationOf(unchecked)) return 'unknown';
  const host = node.address.replace(/:\d+$/, '');
  for (const { ipv4, status } of serversOf(cloud).values()) {
    if (ipv4.includes(host)) return status === 'running' ? 'UP' : 'DOWN';
  }
  return 'DOWN';
}

const shownNode = (member: Member, cloud: Cloud): Row => ({ ...member.node, status: statusOf(cloud, member) });

function shownConfig({ config, nodes }: Port, cloud: Cloud): Row {
  const states = nodes.map((member) => statusOf(cloud, member));
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return { ...config, nodes_status: { up: count('UP'), down: count('DOWN') } };
}

const configs = collection<Port>('nodebalancer-configs', {
  rows: (cloud, call) => treeIn(call, cloud).ports,
  idOf: ({ config }) => config.id,
  shown: shownConfig,
  remove: (port, call, cloud) => logConfig(call, cloud, 'delete', port),
  onRow: { edit: editConfig, rebuild },
});

function logConfig(call: Call, cloud: Cloud, change: string, { config }: Port): void {
  const tree = treeIn(call, cloud);
  cloud.touch(tree.balancer);
  logChange(call, cloud, `nodebalancer_config_${change}`, tree, `Port ${config.port}`);
}

const nodes = collection<Member>('nodebalancer-nodes', {
  rows: (cloud, call) => configs.find(call, cloud).nodes,
  idOf: ({ node }) => node.id,
  shown: shownNode,
  remove: (member, call, cloud) => logNode(call, cloud, 'delete', member),
  onRow: { edit: editNode },
});

function logNode(call: Call, cloud: Cloud, change: string, { node }: Member): void {
  const tree = treeIn(call, cloud);
  const { config } = configs.find(call, cloud);
  cloud.touch(tree.balancer);
  logChange(call, cloud, `nodebalancer_node_${change}`, tree, `${node.label} on port ${config.port}`);
}

const portsBeside = ({ ports }: BalancerTree, except?: Port) =>
  ports.filter((port) => port !== except).map(({ config }) => config.port);

function createConfig(call: Call, cloud: Cloud): Row {
  const tree = treeIn(call, cloud);
  const { id } = tree.balancer;
  const config = configFrom(plainConfig, call.body, portsBeside(tree));
  const port = { config: { ...config, id: cloud.nextId(), nodebalancer_id: id }, nodes: [] };
  tree.ports.push(port);
  logConfig(call, cloud, 'create', port);
  return shownConfig(port, cloud);
}

function editConfig(port: Port, call: Call, cloud: Cloud): Row {
  port.config = configFrom(port.config, call.body, portsBeside(treeIn(call, cloud), port));
  logConfig(call, cloud, 'update', port);
  return shownConfig(port, cloud);
}

/** Config Rebuild: nodes that are not named are deleted, named ones updated, others created. */
function rebuild(port: Port, call: Call, cloud: Cloud): Row {
  const config = configFrom(port.config, call.body, portsBeside(treeIn(call, cloud), port));
  port.nodes = nodesIn(cloud, { config, nodes: port.nodes }, call.body.nodes);
  port.config = config;
  logConfig(call, cloud, 'update', port);
  return shownConfig(port, cloud);
}

/** Configs of NodeBalancers (document 3, 4.2). */
export const nodebalancerConfigs = configs.handlers({ create: createConfig });

function createNode(call: Call, cloud: Cloud): Row {
  const port = configs.find(call, cloud);
  const member = newNode(cloud, port.config, call.body);
  port.nodes.push(member);
  logNode(call, cloud, 'create', member);
  return shownNode(member, cloud);
}

function editNode(member: Member, call: Call, cloud: Cloud): Row {
  const { address } = member.node;
  member.node = nodeFrom(member.node, call.body, configs.find(call, cloud).config);
  if (member.node.address !== address) member.since = cloud.time;
  logNode(call, cloud, 'update', member);
  return shownNode(member, cloud);
}

/** Nodes of NodeBalancer configs (document 3, 4.2). */
export const nodebalancerNodes = nodes.handlers({ create: createNode });
