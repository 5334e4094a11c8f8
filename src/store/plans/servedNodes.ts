import { paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { hostOf, privateAddressOf } from '../../resources/networking/nodeText.ts';
import type { CacheView, Params, Row } from '../../resources/resource.ts';
import { listed } from '../../text/words.ts';
import type { Cache } from '../cache.ts';
import { readListAgain } from '../changes/readAgain.ts';
import { listsUnder } from '../queries.ts';

const [balancers, configs] = [resourceNamed('nodebalancers'), resourceNamed('nodebalancer-configs')];
/** The description of nodes, for whoever sends changes to them. */
export const nodeResource = resourceNamed('nodebalancer-nodes');

/** A node whose address a server has. */
export interface ServedNode {
  params: Params;
  row: Row;
  /** Its parts of the path: `7/12/31`. */
  id: string;
}

/** The most lists of nodes that are read for one question. */
const maxLists = 100;

/** The lists of nodes in which the servers may be: those of their regions. Undefined where that is not known. */
function listsFor(servers: readonly Row[], view: CacheView): readonly Params[] | undefined {
  const regions = new Set(servers.filter(privateAddressOf).map(({ region }) => region));
  if (regions.size === 0) return [];
  if (!view.isRead(balancers.name)) return undefined;
  const lists = view
    .rows(balancers.name)
    .filter(({ region }) => regions.has(region))
    .map((row) => listsUnder(nodeResource.name, paramsOf(balancers, row), view));
  return lists.every((some) => some !== undefined) ? lists.flat() : undefined;
}

/**
 * Reads the nodes of the NodeBalancers in the regions of servers. Never rejects.
 * @param again lists that are loaded are read, too
 */
export async function readNodesFor(
  { cache, view }: { cache: Cache; view: CacheView },
  servers: readonly Row[],
  again = false,
): Promise<void> {
  if (!servers.some(privateAddressOf)) return;
  const read = async (resource: string, params: Params) => {
    if (again || !view.isRead(resource, params)) await readListAgain(cache, { resource, operation: 'list', params });
  };
  await read(balancers.name, {});
  const regions = new Set(servers.map(({ region }) => region));
  for (const row of view.rows(balancers.name))
    if (regions.has(row.region)) await read(configs.name, paramsOf(balancers, row));
  for (const params of (listsFor(servers, view) ?? []).slice(0, maxLists)) await read(nodeResource.name, params);
}

/** The nodes that a server serves by its addresses; undefined where not all lists are read that may have one. */
export function nodesOf(server: Row, view: CacheView): readonly ServedNode[] | undefined {
  const lists = listsFor([server], view);
  if (!lists?.every((params) => view.isRead(nodeResource.name, params))) return undefined;
  const own = new Set([server.ipv4].flat());
  return lists.flatMap((under) =>
    view
      .rows(nodeResource.name, under)
      .filter(({ address }) => own.has(hostOf(address)))
      .map((row) => {
        const params = paramsOf(nodeResource, row, under);
        return { row, params, id: nodeId(params) };
      }),
  );
}

/** Those of the nodes of a server that take traffic, so that they can be drained; undefined where that is not known. */
export const drainedNodes = (server: Row, view: CacheView): readonly ServedNode[] | undefined =>
  nodesOf(server, view)?.filter(({ row: { mode } }) => mode === 'accept' || mode === 'backup');

const names = ['nodeBalancerId', 'configId', 'nodeId'] as const;

/** The ids of a node as one text. */
export const nodeId = (params: Params): string => names.map((name) => params[name]).join('/');

/** The parameters of a node by its ids. */
export function nodeParams(id: string): Params {
  const parts = id.split('/');
  return Object.fromEntries(names.map((name, at) => [name, parts[at] ?? '']));
}

/** The milliseconds until a node has been checked at least once more; 0 where it is not checked. */
export function checkedWithin(params: Params, view: CacheView): number {
  const { check, check_interval: seconds } = view.row(configs.name, params.configId, params) ?? {};
  return check === 'none' || typeof seconds !== 'number' ? 0 : seconds * 1000;
}

/** Where nodes are: `port 80 and 443 of web-lb`. */
export function placesOf(some: readonly ServedNode[], view: CacheView): string {
  const places = [...Map.groupBy(some, ({ params }) => params.nodeBalancerId)].map(([id, those]) => {
    const ports = new Set(those.map(({ params }) => view.row(configs.name, params.configId, params)?.port));
    const label = view.row(balancers.name, id)?.label ?? id;
    return `port ${[...ports].sort((one, other) => Number(one) - Number(other)).join(' and ')} of ${label}`;
  });
  return listed(places);
}
