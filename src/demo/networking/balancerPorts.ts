import type { Row } from '../../resources/resource.ts';
import { answers, type Call, idIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { notFound } from '../engine/refusal.ts';
import { serversOf } from '../inventory.ts';
import { configFrom, newNode, nodeFrom, nodesIn, plainConfig } from './balancerBodies.ts';
import type { BalancerNode, BalancerTree, Port } from './balancerRows.ts';
import { tell, treeIn } from './balancers.ts';

/** The config that a call is about, with its NodeBalancer. @throws 404 */
function portIn(call: Call, cloud: Cloud): { tree: BalancerTree; port: Port } {
  const tree = treeIn(call, cloud);
  const id = idIn(call, 'configId');
  const port = tree.ports.find(({ config }) => config.id === id);
  if (!port) throw notFound();
  return { tree, port };
}

type Member = Port['nodes'][number];

function nodeIn(call: Call, cloud: Cloud): { tree: BalancerTree; port: Port; member: Member } {
  const { tree, port } = portIn(call, cloud);
  const id = idIn(call, 'nodeId');
  const member = port.nodes.find(({ node }) => node.id === id);
  if (!member) throw notFound();
  return { tree, port, member };
}

/** How many seconds a new node is not yet checked. */
const unchecked = 12;

/** Whether a node answers its health checks: while a server that runs has its address. */
function statusOf(cloud: Cloud, { node, since }: Member): 'unknown' | 'UP' | 'DOWN' {
  if (cloud.time < since + cloud.lasting(unchecked)) return 'unknown';
  const host = node.address.replace(/:\d+$/, '');
  for (const { ipv4, status } of cloud.of(serversOf).values()) {
    if (ipv4.includes(host)) return status === 'running' ? 'UP' : 'DOWN';
  }
  return 'DOWN';
}

const drawnNode = (cloud: Cloud, member: Member) => ({ ...member.node, status: statusOf(cloud, member) });

function drawnConfig(cloud: Cloud, { config, nodes }: Port): Row {
  const states = nodes.map((member) => statusOf(cloud, member));
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return { ...config, nodes_status: { up: count('UP'), down: count('DOWN') } };
}

const portsBeside = ({ ports }: BalancerTree, except?: Port) =>
  ports.filter((port) => port !== except).map(({ config }) => config.port);

function createConfig(call: Call, cloud: Cloud): Row {
  const tree = treeIn(call, cloud);
  const { id } = tree.balancer;
  const config = configFrom(plainConfig, call.body, portsBeside(tree));
  const port = { config: { ...config, id: cloud.nextId(), nodebalancer_id: id }, nodes: [] };
  tree.ports.push(port);
  told(call, cloud, 'nodebalancer_config_create', tree, port);
  return drawnConfig(cloud, port);
}

function editConfig(call: Call, cloud: Cloud): Row {
  const { tree, port } = portIn(call, cloud);
  port.config = configFrom(port.config, call.body, portsBeside(tree, port));
  told(call, cloud, 'nodebalancer_config_update', tree, port);
  return drawnConfig(cloud, port);
}

function removeConfig(call: Call, cloud: Cloud): Row {
  const { tree, port } = portIn(call, cloud);
  tree.ports = tree.ports.filter((one) => one !== port);
  told(call, cloud, 'nodebalancer_config_delete', tree, port);
  return {};
}

/** Config Rebuild: nodes that are not named are deleted, named ones updated, others created. */
function rebuild(call: Call, cloud: Cloud): Row {
  const { tree, port } = portIn(call, cloud);
  const config = configFrom(port.config, call.body, portsBeside(tree, port));
  const nodes = nodesIn(cloud, { config, nodes: port.nodes }, call.body.nodes);
  Object.assign(port, { config, nodes });
  told(call, cloud, 'nodebalancer_config_update', tree, port);
  return drawnConfig(cloud, port);
}

function told(
  call: Call,
  cloud: Cloud,
  action: string,
  tree: BalancerTree,
  { config }: Port,
  node?: BalancerNode,
): void {
  cloud.touch(tree.balancer);
  tell(call, cloud, action, tree, `${node ? `${node.label} on port` : 'Port'} ${config.port}`);
}

/** Configs of NodeBalancers (document 3, 4.2). */
export const nodebalancerConfigs = answers('nodebalancerConfigs', {
  list: (call, cloud) => collection(treeIn(call, cloud).ports, call, [], (port) => drawnConfig(cloud, port)),
  view: (call, cloud) => drawnConfig(cloud, portIn(call, cloud).port),
  create: createConfig,
  edit: editConfig,
  delete: removeConfig,
  rebuild,
});

function createNode(call: Call, cloud: Cloud): Row {
  const { tree, port } = portIn(call, cloud);
  const member = newNode(cloud, port.config, call.body);
  port.nodes.push(member);
  told(call, cloud, 'nodebalancer_node_create', tree, port, member.node);
  return drawnNode(cloud, member);
}

function editNode(call: Call, cloud: Cloud): Row {
  const { tree, port, member } = nodeIn(call, cloud);
  const { address } = member.node;
  member.node = nodeFrom(member.node, call.body, port.config);
  if (member.node.address !== address) member.since = cloud.time;
  told(call, cloud, 'nodebalancer_node_update', tree, port, member.node);
  return drawnNode(cloud, member);
}

function removeNode(call: Call, cloud: Cloud): Row {
  const { tree, port, member } = nodeIn(call, cloud);
  port.nodes = port.nodes.filter((one) => one !== member);
  told(call, cloud, 'nodebalancer_node_delete', tree, port, member.node);
  return {};
}

/** Nodes of NodeBalancer configs (document 3, 4.2). */
export const nodebalancerNodes = answers('nodebalancerNodes', {
  list: (call, cloud) => collection(portIn(call, cloud).port.nodes, call, [], (member) => drawnNode(cloud, member)),
  view: (call, cloud) => drawnNode(cloud, nodeIn(call, cloud).member),
  create: createNode,
  edit: editNode,
  delete: removeNode,
});
