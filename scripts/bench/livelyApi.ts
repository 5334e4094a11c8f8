/** The demo API while servers change all the time: `node scripts/bench/livelyApi.ts SERVERS CHANGES_A_SECOND`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { writeHistory } from '../../src/demo/account/events.ts';
import { boot, reboot, shutDown } from '../../src/demo/compute/serverJobs.ts';
import type { Server } from '../../src/demo/compute/servers.seed.ts';
import { users } from '../../src/demo/engine/access.ts';
import { Cloud } from '../../src/demo/engine/cloud.ts';
import { faultInjector } from '../../src/demo/engine/faults.ts';
import { randomFrom } from '../../src/demo/engine/random.ts';
import { appOf } from '../../src/demo/engine/routes.ts';
import { translatorFor } from '../../src/demo/engine/vocabulary.ts';
import * as handlers from '../../src/demo/handlers.ts';
import { serverEntity, serversOf } from '../../src/demo/inventory.ts';

const [servers = 0, perSecond = 1] = process.argv.slice(2).map(Number);
const seed = 1;
const username = 'deploy-bot';
const cloud = new Cloud({ seed, servers, pace: 1, time: Date.now() });
writeHistory(cloud);
const all = [...serversOf(cloud).values()];
const random = randomFrom(seed, 7);

/** A third of the changes is a new label, a third another setting, and a third starts a job of some seconds. */
const changes: readonly [(server: Server) => void, ...((server: Server) => void)[]] = [
  (server) => {
    server.label = `${server.label.replace(/-moved\d+$/, '')}-moved${random.integer(1, 99)}`;
    tell(server);
  },
  (server) => {
    server.watchdog_enabled = !server.watchdog_enabled;
    tell(server);
  },
  (server) => {
    if (cloud.log.busy('server', server.id)) tell(server);
    else if (server.status === 'offline') boot(cloud, server, username);
    else random.pick([reboot, shutDown])(cloud, server, username);
  },
];

function tell(server: Server): void {
  cloud.touch(server);
  cloud.log.note({ action: 'server_update', entity: serverEntity(server), username });
}

setInterval(() => {
  cloud.timeline.advance(Date.now());
  const server = all[random.integer(0, all.length - 1)];
  if (server) random.pick(changes)(server);
}, 1000 / perSecond);

const behaviour = { now: Date.now, latencyMs: 0, injectFault: faultInjector([], seed), translator: translatorFor() };
const { fetch } = appOf(cloud, Object.values(handlers), behaviour);
const listener = createServer(getRequestListener(fetch, { overrideGlobalObjects: false })).listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address() as AddressInfo;
console.log(`The demo API listens on http://127.0.0.1:${port}.\nTokens: ${users.full.token}`);
