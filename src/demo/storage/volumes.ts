import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/catalogue.ts';
import { type Config, hardwareOf, slots } from '../compute/hardware.ts';
import type { Server } from '../compute/servers.seed.ts';
import { serverIn } from '../compute/servers.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import {
  type Call,
  collection,
  handlersFor,
  logEvent,
  needUniqueLabel,
  needUnrestricted,
  page,
  userIn,
} from '../engine/handler.ts';
import { attachedTo, serverEntity, serversOf, volumeEntity, volumesOf } from '../inventory.ts';
import { newVolume, pathOfVolume, type Volume } from './volumes.seed.ts';

const filters = ['label', 'tags'];

const { handlers } = collection<Volume>('volumes', {
  rows: volumesOf,
  filters,
  remove: (volume, call, cloud) => {
    if (volume.server_id !== null) throw badRequest('The volume is attached to a server. Detach it first.');
    needActive(volume);
    logEvent(call, cloud, 'volume_delete', volumeEntity(volume));
  },
  onRow: { edit, attach, detach, resize, clone },
});

/** Volume Create (document 2, 4.4). It needs the grant add_volumes. */
function create(call: Call, cloud: Cloud): Volume {
  needUnrestricted(call);
  const { body } = call;
  if (typeof body.config_id === 'number' && typeof body.server_id !== 'number')
    throw invalid('config_id', 'config_id must not be sent without server_id');
  needUniqueLabel(volumesOf(cloud).values(), body.label);
  const server = typeof body.server_id === 'number' ? serversOf(cloud).get(body.server_id) : undefined;
  if (typeof body.server_id === 'number' && !server) throw invalid('server_id', 'server_id is not valid');
  if (!server && !body.region) throw invalid('region', 'region is required without server_id');
  const region = body.region ? String(body.region) : (server?.region ?? '');
  if (!regions.some(({ id }) => id === region)) throw invalid('region', 'region is not valid');
  if (server && region !== server.region) throw invalid('region', 'The server is in another region.');
  const config = server && chosenConfig(cloud, server, body.config_id);
  const volume = make(cloud, String(body.label), Number(body.size ?? 20), region);
  if (Array.isArray(body.tags)) volume.tags = body.tags.map(String);
  if (server && config) assign(volume, server, config);
  beginJob(cloud, volume, 'volume_create', 8, userIn(call).name);
  return volume;
}

function make(cloud: Cloud, label: string, size: number, region: string): Volume {
  const volume = newVolume({ ...cloud.newRow(), label, status: 'creating', size, region });
  volumesOf(cloud).set(volume.id, volume);
  return volume;
}

/** Begins a job on a volume, which is active at its end. */
function beginJob(cloud: Cloud, volume: Volume, action: string, seconds: number, username: string): void {
  cloud.begin(seconds, { action, entity: volumeEntity(volume), username }, () => cloud.setStatus(volume, 'active'));
}

function edit(volume: Volume, call: Call, cloud: Cloud): Volume {
  const { label, tags } = call.body;
  if (Array.isArray(tags)) needUnrestricted(call);
  if (typeof label === 'string') {
    needUniqueLabel(volumesOf(cloud).values(), label, volume);
    volume.label = label;
    volume.filesystem_path = pathOfVolume(label);
  }
  if (Array.isArray(tags)) volume.tags = tags.map(String);
  cloud.touch(volume);
  logEvent(call, cloud, 'volume_update', volumeEntity(volume));
  return volume;
}

/** Clone copies the size and data of an active volume; it needs the grant add_volumes. */
function clone(source: Volume, call: Call, cloud: Cloud): Volume {
  needUnrestricted(call);
  needActive(source);
  needUniqueLabel(volumesOf(cloud).values(), call.body.label);
  const copy = make(cloud, String(call.body.label), source.size, source.region);
  copy.tags = source.tags;
  beginJob(cloud, copy, 'volume_clone', 20, userIn(call).name);
  return copy;
}

function needActive({ status }: Volume): void {
  if (status !== 'active') throw badRequest(`The volume is ${status}. It must be active.`);
}

function resize(volume: Volume, call: Call, cloud: Cloud): Volume {
  const size = Number(call.body.size);
  if (size <= volume.size) throw invalid('size', `Volumes can only be resized up; this one has ${volume.size} GB.`);
  needActive(volume);
  grow(cloud, volume, size, userIn(call).name);
  return volume;
}

/** A volume gets larger: resizing, then active. */
export function grow(cloud: Cloud, volume: Volume, size: number, username: string): void {
  volume.size = size;
  cloud.setStatus(volume, 'resizing');
  beginJob(cloud, volume, 'volume_resize', 15, username);
}

/** Volumes (document 2, 4.4). */
export const volumes = handlers({ create });

/** The volumes that are attached to a server (document 2, 4.1). */
export const serverVolumes = handlersFor('servers', {
  volumes: (call, cloud) => page(attachedTo(cloud, serverIn(call, cloud).id), call, filters),
});

/** Attaches a volume to a server in the same region (document 2, 4.4, rule 3). */
function attach(volume: Volume, call: Call, cloud: Cloud): Volume {
  const { body } = call;
  const server = serversOf(cloud).get(Number(body.server_id));
  if (!server) throw invalid('server_id', 'server_id is not valid');
  if (volume.server_id !== null) throw badRequest('The volume is attached already.');
  if (server.region !== volume.region) throw invalid('server_id', 'The server is in another region.');
  if (body.persist_across_boots === false) attachTemporarily(cloud, volume, server, body);
  else assign(volume, server, chosenConfig(cloud, server, body.config_id));
  cloud.touch(volume);
  cloud.begin(5, moveOf(call, 'volume_attach', volume, server));
  return volume;
}

/** The job that brings a volume to a server or takes it away. */
const moveOf = (call: Call, action: string, volume: Volume, server: Server) => ({
  action,
  entity: volumeEntity(volume),
  secondary: serverEntity(server),
  username: userIn(call).name,
});

/** Without a place in a config the server must run, and takes as many volumes as it has GB of RAM, at most 64. */
function attachTemporarily(cloud: Cloud, volume: Volume, server: Server, body: Row): void {
  if (typeof body.config_id === 'number')
    throw invalid('config_id', 'config_id must not be sent when persist_across_boots is false');
  if (server.status !== 'running') throw invalid('server_id', 'The server must be running.');
  const maxVolumes = Math.min(64, Math.floor(server.specs.memory / 1024));
  const attachedCount = attachedTo(cloud, server.id).length;
  hardwareOf(cloud, server);
  if (attachedCount >= maxVolumes) throw invalid('server_id', `This server can have ${maxVolumes} volumes attached.`);
  Object.assign(volume, { server_id: server.id, server_label: server.label });
}

/**
 * The config that takes a volume: the one asked for, else the only one, else the last booted.
 * @throws 400 where there is none or where it has no free slot
 */
function chosenConfig(cloud: Cloud, server: Server, configId: unknown): Config {
  const { configs, lastBooted } = hardwareOf(cloud, server);
  const wanted = typeof configId === 'number' ? configId : configs.length === 1 ? configs[0]?.id : lastBooted;
  const config = configs.find(({ id }) => id === wanted);
  if (!config)
    throw invalid('config_id', typeof configId === 'number' ? 'config_id is not valid' : 'config_id is required');
  if (!freeSlot(config)) throw invalid('config_id', 'This config has no free device; it takes 8.');
  return config;
}

const freeSlot = ({ devices, virt_mode }: Config) =>
  slots.slice(0, virt_mode === 'fullvirt' ? 4 : 8).find((slot) => !devices[slot]);

/** Assigns a volume to a server, in the first free slot of a config. */
function assign(volume: Volume, server: Server, config: Config): void {
  const slot = freeSlot(config);
  if (slot) config.devices[slot] = { disk_id: null, volume_id: volume.id };
  Object.assign(volume, { server_id: server.id, server_label: server.label });
}

/** Detaches a volume; the server has it until the job is done. */
function detach(volume: Volume, call: Call, cloud: Cloud): void {
  const server = volume.server_id === null ? undefined : serversOf(cloud).get(volume.server_id);
  if (!server) throw badRequest('The volume is not attached.');
  if (cloud.log.busy('volume', volume.id)) throw badRequest('The volume is busy.');
  const { configs } = hardwareOf(cloud, server);
  cloud.begin(4, moveOf(call, 'volume_detach', volume, server), () => {
    for (const { devices } of configs) {
      for (const slot of slots) if (devices[slot]?.volume_id === volume.id) devices[slot] = null;
    }
    volume.server_id = volume.server_label = null;
    cloud.touch(volume);
  });
}
