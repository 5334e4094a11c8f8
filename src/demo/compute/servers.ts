import { at, type Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection, needUniqueLabel } from '../engine/collection.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { assignFields, type Call, logEvent, needUnrestricted, userIn } from '../engine/handler.ts';
import { attachedTo, balanceOf, serverEntity, serversOf } from '../inventory.ts';
import { beyondDocuments } from './beyondDocuments.ts';
import { devicesIn } from './devices.ts';
import { slots } from './hardware.seed.ts';
import { hardwareOf } from './hardware.ts';
import { createServer } from './serverCreate.ts';
import { boot, needIdle, reboot, resize, shutDown, snapshot } from './serverJobs.ts';
import type { Server } from './servers.seed.ts';
import { serverTypes } from './serverTypes.seed.ts';
import { statisticsOf } from './statistics.ts';
import { monthAsked, transferNow, transferOfMonth } from './transfer.ts';

const { find, handlers } = collection<Server>('servers', {
  rows: serversOf,
  filters: ['group', 'id', 'image', 'ipv4', 'label', 'region', 'tags'],
  remove: (server, call, cloud) => {
    needIdle(cloud, server);
    for (const volume of attachedTo(cloud, server.id)) {
      volume.server_id = volume.server_label = null;
      cloud.touch(volume);
    }
    cloud.begin(4, { action: 'server_delete', entity: serverEntity(server), username: userIn(call).name });
  },
});

/** The server that a call is about. @throws 404 */
export const serverIn = find;

function edit(call: Call, cloud: Cloud): Server {
  const server = find(call, cloud);
  const { body } = call;
  if (Array.isArray(body.tags)) needUnrestricted(call);
  if (body.label === '') throw invalid('label', 'Label must be unique');
  needUniqueLabel(serversOf(cloud).values(), body.label, server);
  const schedule = at(body, 'backups.schedule') as Row | undefined;
  if (schedule && !server.backups.enabled) throw invalid('backups.schedule', 'Backups are not enabled');
  assignFields(server, body, 'label', 'group', 'watchdog_enabled');
  if (Array.isArray(body.tags)) server.tags = body.tags.map(String);
  assignFields(server.alerts, (body.alerts ?? {}) as Row, 'cpu', 'io', 'network_in', 'network_out', 'transfer_quota');
  if (schedule) assignFields(server.backups.schedule, schedule, 'day', 'window');
  for (const volume of attachedTo(cloud, server.id)) volume.server_label = server.label;
  cloud.touch(server);
  logEvent(call, cloud, 'server_update', serverEntity(server));
  return server;
}

function shutdown(call: Call, cloud: Cloud): Row {
  const server = find(call, cloud);
  needIdle(cloud, server);
  if (server.status !== 'running') throw badRequest('The server is not running.');
  shutDown(cloud, server, userIn(call).name);
  return {};
}

/** The four conditions of Server Resize (document 2, 4.2). */
function resized(call: Call, cloud: Cloud): Row {
  const server = find(call, cloud);
  const type = serverTypes.find(({ id }) => id === call.body.type);
  if (!type) throw invalid('type', 'type is not valid');
  needIdle(cloud, server);
  if (type.id === server.type) throw invalid('type', 'The server is of this type already.');
  if (balanceOf(cloud).due > 0) throw badRequest('The account has an outstanding balance. Pay it before resizing.');
  const automatic = call.body.allow_auto_disk_resize !== false;
  const used = hardwareOf(cloud, server).disks.reduce((sum, { size }) => sum + size, 0);
  if (used > type.disk) {
    throw invalid(
      'type',
      `The disks take ${used} MB and this type allows ${type.disk} MB. Delete or shrink disks first.`,
    );
  }
  resize(cloud, server, type.id, automatic, userIn(call).name);
  return {};
}

function rescue(call: Call, cloud: Cloud): Row {
  const server = find(call, cloud);
  if (at(call.body, 'devices.sdh')) throw invalid('devices.sdh', 'sdh is reserved for the rescue system');
  devicesIn(call.body, server, cloud, slots.slice(0, -1));
  needIdle(cloud, server);
  if (server.status === 'running') reboot(cloud, server, userIn(call).name);
  else boot(cloud, server, userIn(call).name);
  return {};
}

function takeSnapshot(call: Call, cloud: Cloud) {
  const server = find(call, cloud);
  if (!server.backups.enabled) throw badRequest('Backups are not enabled for this server.');
  needIdle(cloud, server);
  return snapshot(cloud, server, String(call.body.label), userIn(call).name);
}

const documented = handlers({
  create: { handler: createServer, rateLimit: 10 },
  edit,
  snapshot: takeSnapshot,
  shutdown,
  resize: resized,
  rescue,
  stats: { handler: (call, cloud) => statisticsOf(cloud, find(call, cloud)), rateLimit: 100 },
  statsMonth: {
    handler: (call, cloud) => statisticsOf(cloud, find(call, cloud), monthAsked(call, cloud)),
    rateLimit: 100,
  },
  transfer: (call, cloud) => transferNow(cloud, find(call, cloud)),
  transferMonth: (call, cloud) => transferOfMonth(cloud, find(call, cloud), monthAsked(call, cloud, [2000, 2037])),
});

/** Servers (document 2, 4.1), and what is known of them from elsewhere. */
export const servers = { ...documented, beyond: beyondDocuments(find) };
