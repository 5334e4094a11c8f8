import { privateAddress, type Server } from '../compute/servers.seed.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { noise, randomFrom } from '../engine/random.ts';
import { day, timestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';
import {
  type Balancer,
  type BalancerConfig,
  type BalancerNode,
  type BalancerTree,
  fingerprintOf,
  hidden,
  type Port,
  plainConfig,
} from './balancerBodies.ts';

type About = Partial<BalancerConfig> & { port: number };
type Member = readonly [server: Server, mode?: string, weight?: number];

interface Plan extends Pick<Balancer, 'label' | 'region' | 'tags'> {
  throttle: number;
  /** Megabytes that went through it this month. */
  transfer: number;
  ports: readonly { about: About; port: number; members: readonly Member[]; gone?: number }[];
}

const firstBalancer = 18_301;
const firstConfig = 361_204;
const firstNode = 7_340_115;

/** The NodeBalancers by id, oldest first; at first those before servers of their regions. */
export const balancersOf = perCloud((cloud) => {
  const { seed, time } = cloud.options;
  const ids = { config: firstConfig, node: firstNode };
  const trees = plansFor([...serversOf(cloud).values()].slice(0, 400)).map((plan, place): BalancerTree => {
    const id = firstBalancer + place * 4;
    const age = randomFrom(seed, place, 72).integer(60, 700) * day;
    const balancer: Balancer = {
      ...blankBalancer(id, plan.label, plan.region, place, timestamp(time - age)),
      tags: plan.tags,
      client_conn_throttle: plan.throttle,
      transfer: transferOf(plan.transfer, noise(seed, place)),
      updated: timestamp(time - age / 5),
    };
    return { balancer, ports: plan.ports.map((port) => portFor(port, id, ids, time - age)) };
  });
  return new Map(trees.map((tree) => [tree.balancer.id, tree]));
});

function portFor(
  { about, port, members, gone }: Plan['ports'][number],
  balancerId: number,
  ids: { config: number; node: number },
  since: number,
): Port {
  ids.config += 3;
  const config: BalancerConfig = { ...plainConfig, ...about, id: ids.config, nodebalancer_id: balancerId };
  const node = (label: string, host: string, mode: string, weight: number): BalancerNode => {
    ids.node += 2;
    const place = { id: ids.node, nodebalancer_id: balancerId, config_id: config.id };
    return { ...place, label, address: `${host}:${port}`, mode, weight };
  };
  const nodes = members.map(([server, mode = 'accept', weight = 100]) =>
    node(server.label, server.ipv4[1] ?? '', mode, weight),
  );
  if (gone !== undefined) nodes.push(node('web-old', privateAddress(gone), 'accept', 100));
  return { config, nodes: nodes.map((one) => ({ node: one, since })) };
}

function plansFor(servers: readonly Server[]): readonly Plan[] {
  const of = (role: string, region?: string) =>
    servers.filter(
      (server) => server.label.startsWith(role) && server.ipv4.length > 1 && (!region || server.region === region),
    );
  const home = (role: string) => busiestRegion(of(role));
  const web = of('web-', home('web-'));
  const api = of('api-', home('api-'));
  const db = of('db-', home('db-replica'));
  const checked = { check: 'http', check_path: '/health', check_interval: 5, check_timeout: 3, check_attempts: 3 };
  const name = 'www.example.com';
  const pem = { ssl_cert: hidden, ssl_key: hidden, ssl_commonname: name, ssl_fingerprint: fingerprintOf(name) };
  const certificate = { protocol: 'https', algorithm: 'leastconn', stickiness: 'http_cookie', ...pem };
  return [
    {
      label: 'web-lb',
      region: home('web-'),
      tags: ['web', 'prod'],
      throttle: 15,
      transfer: 1_840_000,
      ports: [
        {
          about: { port: 80, stickiness: 'table', ...checked },
          port: 8080,
          members: web.map((server) => [server]),
          // It stands for a server that is gone: nobody took it out.
          gone: 29_000,
        },
        { about: { port: 443, ...certificate, ...checked }, port: 8080, members: web.map((server) => [server]) },
      ],
    },
    {
      label: 'api-lb',
      region: home('api-'),
      tags: ['api', 'prod'],
      throttle: 20,
      transfer: 620_000,
      ports: [
        {
          about: {
            port: 443,
            ...certificate,
            stickiness: 'none',
            ...checked,
            check: 'http_body',
            check_body: '"ok":true',
          },
          port: 9000,
          members: api.map((server, index) => (index === 1 ? [server, 'drain'] : [server])),
        },
      ],
    },
    {
      label: 'db-read',
      region: home('db-replica'),
      tags: ['database', 'prod'],
      throttle: 0,
      transfer: 96_000,
      ports: [
        {
          about: {
            port: 5432,
            protocol: 'tcp',
            algorithm: 'source',
            stickiness: 'table',
            check: 'connection',
            proxy_protocol: 'v2',
          },
          port: 5432,
          members: db.map((server) => (server.label === 'db-primary' ? [server, 'backup', 10] : [server])),
        },
      ],
    },
    { label: 'staging-lb', region: 'us-central', tags: ['staging'], throttle: 0, transfer: 0, ports: [] },
  ];
}

/** The region that holds most of these servers. */
function busiestRegion(servers: readonly Server[]): string {
  const counts = Map.groupBy(servers, ({ region }) => region);
  const [first] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return first?.[0] ?? 'us-east';
}

const transferOf = (total: number, share: number): Balancer['transfer'] => {
  if (total === 0) return { in: null, out: null, total: null };
  const inward = Math.round(total * (0.08 + 0.06 * share) * 100) / 100;
  return { in: inward, out: Math.round((total - inward) * 100) / 100, total };
};

const suffix = 'ip.nodebalancers.example';

/** A NodeBalancer without configs; its addresses are of ranges set aside for documentation and benchmarks. */
function blankBalancer(id: number, label: string, region: string, place: number, created: string): Balancer {
  const ipv4 =
    place < 8 ? `203.0.113.${place + 1}` : `198.19.${200 + (Math.floor(place / 250) % 50)}.${(place % 250) + 1}`;
  return {
    id,
    label,
    region,
    hostname: `${ipv4}.${suffix}`,
    ipv4,
    ipv6: `3fff:100:b::${(place + 1).toString(16)}`,
    client_conn_throttle: 0,
    tags: [],
    transfer: { in: null, out: null, total: null },
    created,
    updated: created,
  };
}

/** The number of NodeBalancers made so far. */
const countOf = perCloud(() => ({ next: 8 }));

/** A new NodeBalancer with addresses that none had before. */
export function balancerMade(cloud: Cloud, id: number, label: string, region: string): Balancer {
  const count = countOf(cloud);
  count.next += 1;
  return blankBalancer(id, label, region, count.next, cloud.timestamp);
}
