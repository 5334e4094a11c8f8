import { regions } from '../compute/regions.seed.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection, needUniqueLabel, page } from '../engine/collection.ts';
import { type Entity, entityOf } from '../engine/entity.ts';
import { invalid } from '../engine/errors.ts';
import { type Call, logEvent, needUnrestricted } from '../engine/handler.ts';
import { configsIn } from './balancerBodies.ts';
import type { Balancer, BalancerTree } from './balancerRows.ts';
import { balancerStatistics } from './balancerStatistics.ts';
import { balancerMade, balancersOf } from './balancers.seed.ts';

const { find, handlers } = collection<BalancerTree>('nodebalancers', {
  rows: balancersOf,
  shown: ({ balancer }) => balancer,
  remove: (tree, call, cloud) => logChange(call, cloud, 'nodebalancer_delete', tree),
});

/** The NodeBalancer that a call is about, with everything below it. @throws 404 */
export const treeIn = find;

/** A NodeBalancer as an event names it. */
export const balancerEntity = ({ balancer }: BalancerTree): Entity =>
  entityOf('nodebalancers', 'nodebalancer', balancer);

/** Logs a change of a NodeBalancer or of something below it. */
export function logChange(call: Call, cloud: Cloud, action: string, tree: BalancerTree, message = ''): void {
  logEvent(call, cloud, action, balancerEntity(tree), { message });
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
  logChange(call, cloud, 'nodebalancer_create', tree);
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
  const tree = find(call, cloud);
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
  cloud.touch(balancer);
  logChange(call, cloud, 'nodebalancer_update', tree);
  return balancer;
}

/** NodeBalancers (document 3, 4.2). */
export const nodebalancers = handlers({
  list: (call, cloud) => page(balancersIn(cloud), call, ['ipv4', 'label', 'region', 'tags']),
  create,
  edit,
  stats: { handler: (call, cloud) => balancerStatistics(cloud, find(call, cloud)), rateLimit: 100 },
});
