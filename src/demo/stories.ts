import { outagesOf } from './compute/catalogue.ts';
import { backUp, boot, reboot, resize, shutDown } from './compute/serverJobs.ts';
import type { Server } from './compute/servers.seed.ts';
import type { Cloud } from './engine/cloud.ts';
import { type Random, randomFrom } from './engine/random.ts';
import { hour, timeOf } from './engine/stamp.ts';
import { serverEntity, serversOf, volumesOf } from './inventory.ts';
import { beginOutages } from './managed/monitoring.ts';
import { deploy } from './networking/deployment.ts';
import { grow } from './storage/volumes.ts';

/** Lets something be under way in the cloud, and colleagues go on working in it. */
export function beginStories(cloud: Cloud): void {
  const moving = idle(cloud).find(({ label }) => label === 'web-7');
  if (moving) resize(cloud, moving, 'g6-standard-4', true, 'operator', 300);
  tellNext(cloud, randomFrom(cloud.options.seed, 6));
  beginOutages(cloud);
  troubleNext(cloud, 240);
}

/** A region is in trouble for three minutes now and then, some servers of the account in it; of a long pause only the last hours are told. */
function troubleNext(cloud: Cloud, seconds: number): void {
  const { timeline } = cloud;
  const region = 'ap-south';
  timeline.at(Math.max(timeline.time + cloud.lasting(seconds), timeline.until - 3 * hour), () => {
    cloud.of(outagesOf).add(region);
    cloud.after(180, () => cloud.of(outagesOf).delete(region));
    troubleNext(cloud, 1800);
  });
}

/** One story every 20 to 40 seconds; of a long pause only the last hours are told. */
function tellNext(cloud: Cloud, random: Random): void {
  const { timeline } = cloud;
  const next = timeline.time + cloud.lasting(random.integer(20, 40));
  timeline.at(Math.max(next, timeline.until - 3 * hour), () => {
    random.pick(stories)(cloud, random);
    tellNext(cloud, random);
  });
}

type Story = (cloud: Cloud, random: Random) => void;

/** Colleagues leave alone what was made since. */
const wasThere = (cloud: Cloud, { created }: { created: string }) => timeOf(created) < cloud.options.time;

/** Some servers on which nothing runs or waits. */
const idle = (cloud: Cloud): Server[] =>
  [...cloud.of(serversOf).values()]
    .slice(0, 200)
    .filter((server) => wasThere(cloud, server) && !cloud.log.busy('server', server.id));

const oneOf = <T>(things: readonly T[], random: Random): T | undefined => things[random.integer(0, things.length - 1)];

/** A story about one of the servers for which the condition holds; none where there is none. */
const about =
  (holds: (server: Server) => boolean, tell: (cloud: Cloud, server: Server) => void): Story =>
  (cloud, random) => {
    const server = oneOf(idle(cloud).filter(holds), random);
    if (server) tell(cloud, server);
  };

const runs = ({ status }: Server) => status === 'running';
const isBatch = ({ tags }: Server) => tags.includes('batch');
const ofRole = (server: Server, ...tags: readonly string[]) => tags.some((tag) => server.tags.includes(tag));

const stories: readonly [Story, ...Story[]] = [
  about(
    (server) => runs(server) && server.watchdog_enabled && ofRole(server, 'staging'),
    (cloud, server) => reboot(cloud, server, 'system', 'watchdog_reboot'),
  ),
  about((server) => server.backups.enabled && runs(server), backUp),
  about(
    (server) => runs(server) && ofRole(server, 'web', 'api'),
    (cloud, server) => reboot(cloud, server, 'deploy-bot'),
  ),
  about(
    (server) => server.status === 'offline' && isBatch(server),
    (cloud, server) => boot(cloud, server, 'night-shift'),
  ),
  about(
    (server) => runs(server) && isBatch(server),
    (cloud, server) => shutDown(cloud, server, 'night-shift'),
  ),
  about(
    (server) => ofRole(server, 'web', 'api', 'worker'),
    (cloud, server) =>
      cloud.log.note({ action: 'server_update', entity: serverEntity(server), username: 'deploy-bot' }),
  ),
  (cloud, random) => {
    const active = [...cloud.of(volumesOf).values()].filter(
      (volume) => volume.status === 'active' && volume.size < 2000 && wasThere(cloud, volume),
    );
    const volume = oneOf(active, random);
    if (volume) grow(cloud, volume, volume.size + 10, 'night-shift');
  },
  deploy,
];
