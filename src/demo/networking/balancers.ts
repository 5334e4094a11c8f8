import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/regions.seed.ts';
import { addressOf } from '../engine/address.ts';
import { answers, type Call, idIn, needUnrestricted, userIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import type { Entity } from '../engine/eventLog.ts';
import { invalid, notFound } from '../engine/refusal.ts';
import { touch } from '../inventory.ts';
import { configsIn } from './balancerBodies.ts';
import { balancerMade, seedBalancers } from './balancerSeed.ts';
import { balancerStatistics } from './balancerStatistics.ts';

/** A NodeBalancer as it is answered (document 3, 2.3). */
export interface Balancer {
  id: number;
  label: string;
  region: string;
  hostname: string;
  ipv4: string;
  ipv6: string | null;
  client_conn_throttle: number;
  tags: readonly string[];
  transfer: { in: number | null; out: number | null; total: number | null };
  created: string;
  updated: string;
}

/** A config of a NodeBalancer (document 3, 2.4); certificate and key are kept out of every answer. */
export interface BalancerConfig {
  id: number;
  nodebalancer_id: number;
  port: number;
  protocol: string;
  algorithm: string;
  stickiness: string;
  check: string;
  check_attempts: number;
  check_body: string;
  check_interval: number;
  check_passive: boolean;
  check_path: string;
  check_timeout: number;
  cipher_suite: string;
  proxy_protocol: string;
  ssl_cert: string | null;
  ssl_key: string | null;
  ssl_commonname: string;
  ssl_fingerprint: string;
}

/** A node of a config (document 3, 2.5). */
export interface BalancerNode {
  id: number;
  nodebalancer_id: number;
  config_id: number;
  label: string;
  address: string;
  mode: string;
  weight: number;
}

/** A config with its nodes. */
export interface Port {
  config: BalancerConfig;
  nodes: { node: BalancerNode; since: number }[];
}

/** A NodeBalancer with everything below it. */
export interface Holding {
  balancer: Balancer;
  ports: Port[];
}

/** The NodeBalancers by id, oldest first. */
export const balancersOf = (cloud: Cloud): Map<number, Holding> => seedBalancers(cloud);

/** The NodeBalancer that a call is about. @throws 404 */
export function holdingIn(call: Call, cloud: Cloud): Holding {
  const holding = cloud.of(balancersOf).get(idIn(call, 'nodeBalancerId'));
  if (!holding) throw notFound();
  return holding;
}

/** A NodeBalancer as an event names it. */
export const balancerEntity = ({ balancer: { id, label } }: Holding): Entity => ({
  id,
  label,
  type: 'nodebalancer',
  url: addressOf('nodebalancers', id) ?? null,
});

/** Tells what was done to a NodeBalancer or something below it. */
export function tell(call: Call, cloud: Cloud, action: string, holding: Holding, message = ''): void {
  cloud.log.note({ action, entity: balancerEntity(holding), username: userIn(call).name, message });
}

function needFreeLabel(cloud: Cloud, label: unknown, except?: Holding): void {
  const taken = [...cloud.of(balancersOf).values()].some(
    (holding) => holding.balancer.label === label && holding !== except,
  );
  if (taken) throw invalid('label', 'Label must be unique');
}

/** NodeBalancer Create (document 3, 4.2); it needs the grant add_nodebalancers. */
function create(call: Call, cloud: Cloud): Balancer {
  needUnrestricted(call);
  const { body } = call;
  const region = regions.find(({ id }) => id === body.region);
  if (!region?.capabilities.includes('NodeBalancers')) throw invalid('region', 'region is not valid');
  const id = cloud.nextId();
  const label = String(body.label ?? `balancer${id}`);
  needFreeLabel(cloud, label);
  const ports = configsIn(cloud, id, body.configs);
  const balancer = balancerMade(cloud, id, label, region.id);
  if (typeof body.client_conn_throttle === 'number') balancer.client_conn_throttle = body.client_conn_throttle;
  const holding = { balancer, ports };
  cloud.of(balancersOf).set(id, holding);
  tell(call, cloud, 'nodebalancer_create', holding);
  return balancer;
}

/** The transfer report with what a body says of it. @throws 400 */
function transferAfter(before: Balancer['transfer'], said: object): Balancer['transfer'] {
  const isRight = ([name, value]: readonly [string, unknown]) =>
    name in before && (value === null || typeof value === 'number');
  if (!Object.entries(said).every(isRight)) throw invalid('transfer', 'transfer is not valid');
  return { ...before, ...said };
}

function edit(call: Call, cloud: Cloud): Balancer {
  const holding = holdingIn(call, cloud);
  const { balancer } = holding;
  const { label, client_conn_throttle, tags, transfer } = call.body;
  if (Array.isArray(tags)) needUnrestricted(call);
  if (typeof label === 'string') {
    needFreeLabel(cloud, label, holding);
    balancer.label = label;
  }
  if (typeof client_conn_throttle === 'number') balancer.client_conn_throttle = client_conn_throttle;
  if (tags !== undefined) balancer.tags = Array.isArray(tags) ? tags.map(String) : [];
  if (transfer) balancer.transfer = transferAfter(balancer.transfer, transfer);
  touch(cloud, balancer);
  tell(call, cloud, 'nodebalancer_update', holding);
  return balancer;
}

function remove(call: Call, cloud: Cloud): Row {
  const holding = holdingIn(call, cloud);
  cloud.of(balancersOf).delete(holding.balancer.id);
  tell(call, cloud, 'nodebalancer_delete', holding);
  return {};
}

/** NodeBalancers (document 3, 4.2). */
export const nodebalancers = answers('nodebalancers', {
  list: (call, cloud) =>
    collection(
      [...cloud.of(balancersOf).values()].map(({ balancer }) => balancer),
      call,
      ['ipv4', 'label', 'region', 'tags'],
    ),
  view: (call, cloud) => holdingIn(call, cloud).balancer,
  create,
  edit,
  delete: remove,
  stats: { answer: (call, cloud) => balancerStatistics(cloud, holdingIn(call, cloud)), rateLimit: 100 },
});
