import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/catalogue.ts';
import { timesBetween } from '../compute/statistics.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { type Entity, entityOf } from '../engine/eventLog.ts';
import { type Call, collection, logEvent, needUniqueLabel, needUnrestricted } from '../engine/handler.ts';
import { noise } from '../engine/random.ts';
import { day, hour, minute, parseTimestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';
import {
  type Balancer,
  type BalancerTree,
  configFrom,
  configsIn,
  newNode,
  nodeFrom,
  nodesIn,
  type Port,
  plainConfig,
} from './balancerBodies.ts';
import { balancerMade, balancersOf } from './balancers.seed.ts';

const { find: treeIn, handlers } = collection<BalancerTree>('nodebalancers', {
  rows: balancersOf,
  filters: ['ipv4', 'label', 'region', 'tags'],
  shown: ({ balancer }) => balancer,
  remove: (tree, call, cloud) => logChange(call, cloud, 'delete', tree),
  onRow: { edit },
});

/** A NodeBalancer as an event names it. */
export const balancerEntity = ({ balancer }: BalancerTree): Entity =>
  entityOf('nodebalancers', 'nodebalancer', balancer);

/** Notes and logs a change of a NodeBalancer or of something below it. */
function logChange(call: Call, cloud: Cloud, change: string, tree: BalancerTree, message = ''): void {
  cloud.touch(tree.balancer);
  logEvent(call, cloud, `nodebalancer_${change}`, balancerEntity(tree), { message });
}

/** The NodeBalancers without what is below them. */
const balancersIn = (cloud: Cloud): Balancer[] => [...balancersOf(cloud).values()].map(({ balancer }) => balancer);

/** NodeBalancer Create (document 3, 4.2); it needs the grant add_nodebalancers. */
function create(call: Call, cloud: Cloud): Balancer {
  needUnrestricted(call);
  const { body } = call;
  const region = regions.find(({ id }) => id === body.region);
  if (!region?.capabilities.includes('NodeBalancers')) throw invalid('region', 'region is not valid');
  const id = cloud.nextId();
  const label = String(body.label ?? `balancer${id}`);
  needUniqueLabel(balancersIn(cloud), label);
  const ports = configsIn(cloud, id, body.configs);
  const balancer = balancerMade(cloud, id, label, region.id);
  if (typeof body.client_conn_throttle === 'number') balancer.client_conn_throttle = body.client_conn_throttle;
  const tree = { balancer, ports };
  balancersOf(cloud).set(id, tree);
  logChange(call, cloud, 'create', tree);
  return balancer;
}

/** The transfer report with what a body says of it. @throws 400 */
function transferAfter(before: Balancer['transfer'], said: object): Balancer['transfer'] {
  const isRight = ([name, value]: readonly [string, unknown]) =>
    name in before && (value === null || typeof value === 'number');
  if (!Object.entries(said).every(isRight)) throw invalid('transfer', 'transfer is not valid');
  return { ...before, ...said };
}

function edit(tree: BalancerTree, call: Call, cloud: Cloud): Balancer {
  const { balancer } = tree;
  const { label, client_conn_throttle, tags, transfer } = call.body;
  if (Array.isArray(tags)) needUnrestricted(call);
  if (typeof label === 'string') {
    needUniqueLabel(balancersIn(cloud), label, balancer);
    balancer.label = label;
  }
  if (typeof client_conn_throttle === 'number') balancer.client_conn_throttle = client_conn_throttle;
  if (tags !== undefined) balancer.tags = Array.isArray(tags) ? tags.map(String) : [];
  if (transfer) balancer.transfer = transferAfter(balancer.transfer, transfer);
  logChange(call, cloud, 'update', tree);
  return balancer;
}

/** NodeBalancers (document 3, 4.2). */
export const nodebalancers = handlers({
  create,
  stats: { handler: (call, cloud) => balancerStatistics(cloud, treeIn(call, cloud)), rateLimit: 100 },
});

const step = 5 * minute;

/**
 * The statistics of a NodeBalancer: connections and traffic of the past 24 hours as five-minute averages.
 * @throws 400 where there are none yet
 */
function balancerStatistics(cloud: Cloud, { balancer, ports }: BalancerTree): Row {
  const first = Math.max(cloud.time - day, parseTimestamp(balancer.created) + step);
  const times = timesBetween(first, cloud.time, step);
  if (times.length === 0) throw badRequest('Stats are unavailable at this time.');
  const nodes = ports.reduce((sum, port) => sum + port.nodes.length, 0);
  const key = cloud.options.seed * 31 + balancer.id;
  const connections = (time: number) => nodes * 9 * busyness(key, time);
  const points = (reading: (time: number) => number) =>
    times.map((time) => [time, Math.round(reading(time) * 100) / 100] as const);
  return {
    title: `${balancer.label} - day (5 min avg)`,
    data: {
      connections: points(connections),
      traffic: {
        in: points((time) => connections(time) * 9_500 * (0.9 + 0.2 * noise(key, 3, time / step))),
        out: points((time) => connections(time) * 84_000 * (0.9 + 0.2 * noise(key, 4, time / step))),
      },
    },
  };
}

/** From 0.1 to about 1.3: the hour of the day, and crowds that come at once. */
function busyness(key: number, time: number): number {
  const hours = (time % day) / hour;
  const curve = 0.5 - 0.5 * Math.cos(((hours - 4) / 24) * 2 * Math.PI);
  const crowd = noise(key, 1, Math.floor(time / (20 * minute))) > 0.96 ? 0.4 : 0;
  return 0.1 + 0.75 * curve * (0.85 + 0.3 * noise(key, 2, time / step)) + crowd;
}

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

/** Logs a change of a config, and answers it as it is then. */
function logConfig(call: Call, cloud: Cloud, change: string, port: Port): Row {
  logChange(call, cloud, `config_${change}`, treeIn(call, cloud), `Port ${port.config.port}`);
  return shownConfig(port, cloud);
}

const nodes = collection<Member>('nodebalancer-nodes', {
  rows: (cloud, call) => configs.find(call, cloud).nodes,
  idOf: ({ node }) => node.id,
  shown: shownNode,
  remove: (member, call, cloud) => logNode(call, cloud, 'delete', member),
  onRow: { edit: editNode },
});

/** The same for a node. */
function logNode(call: Call, cloud: Cloud, change: string, member: Member): Row {
  const { config } = configs.find(call, cloud);
  logChange(call, cloud, `node_${change}`, treeIn(call, cloud), `${member.node.label} on port ${config.port}`);
  return shownNode(member, cloud);
}

const portsBeside = ({ ports }: BalancerTree, except?: Port) =>
  ports.filter((port) => port !== except).map(({ config }) => config.port);

function createConfig(call: Call, cloud: Cloud): Row {
  const tree = treeIn(call, cloud);
  const { id } = tree.balancer;
  const config = configFrom(plainConfig, call.body, portsBeside(tree));
  const port = { config: { ...config, id: cloud.nextId(), nodebalancer_id: id }, nodes: [] };
  tree.ports.push(port);
  return logConfig(call, cloud, 'create', port);
}

function editConfig(port: Port, call: Call, cloud: Cloud): Row {
  port.config = configFrom(port.config, call.body, portsBeside(treeIn(call, cloud), port));
  return logConfig(call, cloud, 'update', port);
}

/** Config Rebuild: nodes that are not named are deleted, named ones updated, others created. */
function rebuild(port: Port, call: Call, cloud: Cloud): Row {
  const config = configFrom(port.config, call.body, portsBeside(treeIn(call, cloud), port));
  port.nodes = nodesIn(cloud, { config, nodes: port.nodes }, call.body.nodes);
  return editConfig(port, call, cloud);
}

/** Configs of NodeBalancers (document 3, 4.2). */
export const nodebalancerConfigs = configs.handlers({ create: createConfig });

function createNode(call: Call, cloud: Cloud): Row {
  const port = configs.find(call, cloud);
  const member = newNode(cloud, port.config, call.body);
  port.nodes.push(member);
  return logNode(call, cloud, 'create', member);
}

function editNode(member: Member, call: Call, cloud: Cloud): Row {
  const { address } = member.node;
  member.node = nodeFrom(member.node, call.body, configs.find(call, cloud).config);
  if (member.node.address !== address) member.since = cloud.time;
  return logNode(call, cloud, 'update', member);
}

/** Nodes of NodeBalancer configs (document 3, 4.2). */
export const nodebalancerNodes = nodes.handlers({ create: createNode });
