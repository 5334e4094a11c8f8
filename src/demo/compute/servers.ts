import { at, type Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import {
  assignFields,
  type Call,
  collection,
  type Handler,
  logEvent,
  needUniqueLabel,
  needUnrestricted,
  userIn,
} from '../engine/handler.ts';
import { attachedTo, balanceOf, serverEntity, serversOf } from '../inventory.ts';
import { serverTypes } from './catalogue.ts';
import { devicesIn } from './configBodies.ts';
import { hardwareOf, setHardware, slots } from './hardware.ts';
import { addressesFor, createServer, imageComplaints } from './serverCreate.ts';
import { boot, comeBack, needIdle, reboot, resize, shutDown, snapshot } from './serverJobs.ts';
import type { Server } from './servers.seed.ts';
import { monthAsked, statisticsOf, transferNow, transferOfMonth } from './statistics.ts';

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
  onRow: {
    edit,
    snapshot: takeSnapshot,
    shutdown,
    resize: resized,
    rescue,
    transfer: (server, _call, cloud) => transferNow(cloud, server),
    transferMonth: (server, call, cloud) => transferOfMonth(cloud, server, monthAsked(call, cloud, [2000, 2037])),
  },
});

/** The server that a call is about. @throws 404 */
export const serverIn = find;

function edit(server: Server, call: Call, cloud: Cloud): Server {
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

function shutdown(server: Server, call: Call, cloud: Cloud): void {
  needIdle(cloud, server);
  if (server.status !== 'running') throw badRequest('The server is not running.');
  shutDown(cloud, server, userIn(call).name);
}

/** The four conditions of Server Resize (document 2, 4.2). */
function resized(server: Server, call: Call, cloud: Cloud): void {
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
}

function rescue(server: Server, call: Call, cloud: Cloud): void {
  if (at(call.body, 'devices.sdh')) throw invalid('devices.sdh', 'sdh is reserved for the rescue system');
  devicesIn(call.body, server, cloud, slots.slice(0, -1));
  needIdle(cloud, server);
  if (server.status === 'running') reboot(cloud, server, userIn(call).name);
  else boot(cloud, server, userIn(call).name);
}

function takeSnapshot(server: Server, call: Call, cloud: Cloud) {
  if (!server.backups.enabled) throw badRequest('Backups are not enabled for this server.');
  needIdle(cloud, server);
  return snapshot(cloud, server, String(call.body.label), userIn(call).name);
}

/** The server of a call, which no job keeps busy; it has the config that the body names. @throws 400 */
function idle(call: Call, cloud: Cloud): Server {
  const server = find(call, cloud);
  needIdle(cloud, server);
  const { config_id } = call.body;
  if (config_id !== undefined && !hardwareOf(cloud, server).configs.some(({ id }) => id === config_id))
    throw invalid('config_id', 'config_id is not valid');
  return server;
}

function rebuild(call: Call, cloud: Cloud): Server {
  const server = idle(call, cloud);
  const { image } = call.body;
  if (typeof image !== 'string') throw invalid('image', 'image is required');
  const [complaint] = imageComplaints(call.body, image, cloud);
  if (complaint) throw invalid(complaint.field ?? 'image', complaint.reason);
  const isBooted = call.body.booted !== false;
  const job = { action: 'server_rebuild', entity: serverEntity(server), username: userIn(call).name };
  server.image = image;
  cloud.setStatus(server, 'rebuilding');
  cloud.begin(40, job, () => comeBack(cloud, server, job.username, isBooted));
  return server;
}

function clone(call: Call, cloud: Cloud): Server {
  needUnrestricted(call);
  const server = idle(call, cloud);
  const row = cloud.newRow();
  const { label = `server${row.id}`, region = server.region } = call.body;
  if (typeof label !== 'string') throw invalid('label', 'Must be of type String');
  needUniqueLabel(serversOf(cloud).values(), label);
  const made: Server = {
    ...structuredClone(server),
    ...row,
    label,
    ...addressesFor(cloud),
    region: String(region),
    status: 'cloning',
  };
  const { disks, configs } = structuredClone(hardwareOf(cloud, server));
  const named = <T extends { id: number }>(parts: readonly T[]) =>
    parts.map((part) => ({ ...part, id: cloud.nextId() }));
  setHardware(cloud, made, {
    disks: named(disks),
    configs: named(configs),
    backups: { automatic: [], current: null, inProgress: null },
    lastBooted: undefined,
  });
  serversOf(cloud).set(made.id, made);
  const job = { action: 'server_clone', entity: serverEntity(made), username: userIn(call).name };
  cloud.begin(60, job, () => cloud.setStatus(made, 'offline'));
  return made;
}

/** Operations on servers that the documents leave out; other deployments of the API have them. */
const beyond: Readonly<Record<string, Handler>> = {
  boot: (call, cloud) => {
    const server = idle(call, cloud);
    if (server.status === 'running') throw badRequest('The server is running already.');
    boot(cloud, server, userIn(call).name);
  },
  reboot: (call, cloud) => {
    const server = idle(call, cloud);
    if (server.status !== 'running') throw badRequest('The server is not running.');
    reboot(cloud, server, userIn(call).name);
  },
  rebuild,
  clone,
};

/** Servers (document 2, 4.1), and what is known of them from elsewhere. */
export const servers = {
  ...handlers({
    create: { handler: createServer, rateLimit: 10 },
    stats: { handler: (call, cloud) => statisticsOf(cloud, find(call, cloud)), rateLimit: 100 },
    statsMonth: {
      handler: (call, cloud) => statisticsOf(cloud, find(call, cloud), monthAsked(call, cloud)),
      rateLimit: 100,
    },
  }),
  beyond,
};
