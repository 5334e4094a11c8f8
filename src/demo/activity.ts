import { outagesOf } from './compute/catalogue.ts';
import { backUp, boot, reboot, resize, shutDown } from './compute/serverJobs.ts';
import type { Server } from './compute/servers.seed.ts';
import type { Cloud } from './engine/cloud.ts';
import { type Random, randomFrom } from './engine/random.ts';
import { parseTimestamp } from './engine/time.ts';
import { serverEntity, serversOf, volumesOf } from './inventory.ts';
import { beginOutages } from './managed/services.ts';
import type { BalancerTree, Port } from './networking/balancerBodies.ts';
import { balancersOf } from './networking/balancers.seed.ts';
import { balancerEntity } from './networking/balancers.ts';
import { grow } from './storage/volumes.ts';

/** Begins a resize, and has colleagues work, services fail and a region go down from time to time. */
export function startActivity(cloud: Cloud): void {
  const moving = idle(cloud).find(({ label }) => label === 'web-7');
  if (moving) resize(cloud, moving, 'g6-standard-4', true, 'operator', 300);
  const random = randomFrom(cloud.options.seed, 6);
  cloud.repeat(
    () => random.integer(20, 40),
    () => random.pick(scenarios)(cloud, random),
  );
  beginOutages(cloud);
  cloud.repeat(
    (count) => (count === 0 ? 240 : 1800),
    () => {
      outagesOf(cloud).add('ap-south');
      cloud.after(180, () => outagesOf(cloud).delete('ap-south'));
    },
  );
}

/** Something that a colleague or the platform does now and then. */
type Scenario = (cloud: Cloud, random: Random) => void;

/** Whether something was there at first; colleagues leave alone what was made since. */
const wasThere = (cloud: Cloud, { created }: { created: string }) => parseTimestamp(created) < cloud.options.time;

/** Some servers on which nothing runs or waits. */
const idle = (cloud: Cloud): Server[] =>
  [...serversOf(cloud).values()]
    .slice(0, 200)
    .filter((server) => wasThere(cloud, server) && !cloud.log.busy('server', server.id));

const oneOf = <T>(things: readonly T[], random: Random): T | undefined => things[random.integer(0, things.length - 1)];

/** Does something to one of the idle servers for which the condition holds, if there is one. */
const toServer =
  (holds: (server: Server) => boolean, act: (cloud: Cloud, server: Server) => void): Scenario =>
  (cloud, random) => {
    const server = oneOf(idle(cloud).filter(holds), random);
    if (server) act(cloud, server);
  };

const runs = ({ status }: Server) => status === 'running';
const isBatch = ({ tags }: Server) => tags.includes('batch');
const ofRole = (server: Server, ...tags: readonly string[]) => tags.some((tag) => server.tags.includes(tag));

const scenarios: readonly [Scenario, ...Scenario[]] = [
  toServer(
    (server) => runs(server) && server.watchdog_enabled && ofRole(server, 'staging'),
    (cloud, server) => reboot(cloud, server, 'system', 'watchdog_reboot'),
  ),
  toServer((server) => server.backups.enabled && runs(server), backUp),
  toServer(
    (server) => runs(server) && ofRole(server, 'web', 'api'),
    (cloud, server) => reboot(cloud, server, 'deploy-bot'),
  ),
  toServer(
    (server) => server.status === 'offline' && isBatch(server),
    (cloud, server) => boot(cloud, server, 'night-shift'),
  ),
  toServer(
    (server) => runs(server) && isBatch(server),
    (cloud, server) => shutDown(cloud, server, 'night-shift'),
  ),
  toServer(
    (server) => ofRole(server, 'web', 'api', 'worker'),
    (cloud, server) =>
      cloud.log.note({ action: 'server_update', entity: serverEntity(server), username: 'deploy-bot' }),
  ),
  (cloud, random) => {
    const active = [...volumesOf(cloud).values()].filter(
      (volume) => volume.status === 'active' && volume.size < 2000 && wasThere(cloud, volume),
    );
    const volume = oneOf(active, random);
    if (volume) grow(cloud, volume, volume.size + 10, 'night-shift');
  },
  deploy,
];

/** A deployment takes a node out of rotation, and puts it back when it is through; what was made since is left alone. */
function deploy(cloud: Cloud, random: Random): void {
  const members = [...balancersOf(cloud).values()].flatMap((tree) =>
    tree.ports.flatMap(({ nodes }) =>
      nodes
        .filter(({ node, since }) => since < cloud.options.time && node.mode === 'accept')
        .map((member) => ({ tree, member })),
    ),
  );
  const chosen = oneOf(members, random);
  if (!chosen) return;
  turn(cloud, chosen.tree, chosen.member, 'drain');
  cloud.after(45, () => {
    if (chosen.member.node.mode === 'drain') turn(cloud, chosen.tree, chosen.member, 'accept');
  });
}

function turn(cloud: Cloud, tree: BalancerTree, member: Port['nodes'][number], mode: string): void {
  member.node = { ...member.node, mode };
  const message = `${member.node.label} to ${mode}`;
  cloud.log.note({ action: 'nodebalancer_node_update', entity: balancerEntity(tree), username: 'deploy-bot', message });
}
