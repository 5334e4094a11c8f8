import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/regions.seed.ts';
import { addressOf } from '../engine/address.ts';
import { answers, type Call, idIn, needUnrestricted, userIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import type { Entity } from '../engine/eventLog.ts';
import { invalid, notFound } from '../engine/refusal.ts';
import { configsIn } from './balancerBodies.ts';
import type { Balancer, BalancerTree } from './balancerRows.ts';
import { balancerStatistics } from './balancerStatistics.ts';
import { balancerMade, seedBalancers } from './balancers.seed.ts';

/** The NodeBalancers by id, oldest first. */
export const balancersOf = (cloud: Cloud): Map<number, BalancerTree> => seedBalancers(cloud);

/** The NodeBalancer that a call is about. @throws 404 */
export function treeIn(call: Call, cloud: Cloud): BalancerTree {
  const tree = cloud.of(balancersOf).get(idIn(call, 'nodeBalancerId'));
  if (!tree) throw notFound();
  return tree;
}

/** A NodeBalancer as an event names it. */
export const balancerEntity = ({ balancer: { id, label } }: BalancerTree): Entity => ({
  id,
  label,
  type: 'nodebalancer',
  url: addressOf('nodebalancers', id) ?? null,
});

/** Tells what was done to a NodeBalancer or something below it. */
export function tell(call: Call, cloud: Cloud, action: string, tree: BalancerTree, message = ''): void {
  cloud.log.note({ action, entity: balancerEntity(tree), username: userIn(call).name, message });
}

function needFreeLabel(cloud: Cloud, label: unknown, except?: BalancerTree): void {
  const taken = [...cloud.of(balancersOf).values()].some((tree) => tree.balancer.label === label && tree !== except);
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
  const tree = { balancer, ports };
  cloud.of(balancersOf).set(id, tree);
  tell(call, cloud, 'nodebalancer_create', tree);
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
  const tree = treeIn(call, cloud);
  const { balancer } = tree;
  const { label, client_conn_throttle, tags, transfer } = call.body;
  if (Array.isArray(tags)) needUnrestricted(call);
  if (typeof label === 'string') {
    needFreeLabel(cloud, label, tree);
    balancer.label = label;
  }
  if (typeof client_conn_throttle === 'number') balancer.client_conn_throttle = client_conn_throttle;
  if (tags !== undefined) balancer.tags = Array.isArray(tags) ? tags.map(String) : [];
  if (transfer) balancer.transfer = transferAfter(balancer.transfer, transfer);
  cloud.touch(balancer);
  tell(call, cloud, 'nodebalancer_update', tree);
  return balancer;
}

function remove(call: Call, cloud: Cloud): Row {
  const tree = treeIn(call, cloud);
  cloud.of(balancersOf).delete(tree.balancer.id);
  tell(call, cloud, 'nodebalancer_delete', tree);
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
  view: (call, cloud) => treeIn(call, cloud).balancer,
  create,
  edit,
  delete: remove,
  stats: { answer: (call, cloud) => balancerStatistics(cloud, treeIn(call, cloud)), rateLimit: 100 },
});
