import { regions } from '../compute/regions.seed.ts';
import { serverIn } from '../compute/servers.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection, handlersFor, needUniqueLabel, page } from '../engine/collection.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { type Call, logEvent, needUnrestricted, userIn } from '../engine/handler.ts';
import { attachedTo, serversOf, volumeEntity, volumesOf } from '../inventory.ts';
import { assign, attach, chosenConfig, detach } from './attaching.ts';
import { pathOfVolume, type Volume } from './volumes.seed.ts';

const filters = ['label', 'tags'];

const { find, handlers } = collection<Volume>('volumes', {
  rows: volumesOf,
  filters,
  remove: (volume, call, cloud) => {
    if (volume.server_id !== null) throw badRequest('The volume is attached to a server. Detach it first.');
    needActive(volume);
    logEvent(call, cloud, 'volume_delete', volumeEntity(volume));
  },
});

/** Volume Create (document 2, 4.4). It needs the grant add_volumes. */
function create(call: Call, cloud: Cloud): Volume {
  needUnrestricted(call);
  const { body } = call;
  if (typeof body.config_id === 'number' && typeof body.server_id !== 'number') {
    throw invalid('config_id', 'config_id must not be sent without server_id');
  }
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
  const volume: Volume = {
    id: cloud.nextId(),
    label,
    status: 'creating',
    size,
    region,
    server_id: null,
    server_label: null,
    filesystem_path: pathOfVolume(label),
    hardware_type: 'nvme',
    tags: [],
    created: cloud.timestamp,
    updated: cloud.timestamp,
  };
  volumesOf(cloud).set(volume.id, volume);
  return volume;
}

/** Begins a job on a volume, which is active at its end. */
function beginJob(cloud: Cloud, volume: Volume, action: string, seconds: number, username: string): void {
  cloud.begin(seconds, { action, entity: volumeEntity(volume), username }, () => {
    volume.status = 'active';
    cloud.touch(volume);
  });
}

function edit(call: Call, cloud: Cloud): Volume {
  const volume = find(call, cloud);
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
function clone(call: Call, cloud: Cloud): Volume {
  needUnrestricted(call);
  const source = find(call, cloud);
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

function resize(call: Call, cloud: Cloud): Volume {
  const volume = find(call, cloud);
  const size = Number(call.body.size);
  if (size <= volume.size) throw invalid('size', `Volumes can only be resized up; this one has ${volume.size} GB.`);
  needActive(volume);
  grow(cloud, volume, size, userIn(call).name);
  return volume;
}

/** A volume gets larger: resizing, then active. */
export function grow(cloud: Cloud, volume: Volume, size: number, username: string): void {
  volume.size = size;
  volume.status = 'resizing';
  cloud.touch(volume);
  beginJob(cloud, volume, 'volume_resize', 15, username);
}

/** Volumes (document 2, 4.4). */
export const volumes = handlers({
  create,
  edit,
  attach: (call, cloud) => attach(cloud, find(call, cloud), call.body, userIn(call).name),
  detach: (call, cloud) => detach(cloud, find(call, cloud), userIn(call).name),
  resize,
  clone,
});

/** The volumes that are attached to a server (document 2, 4.1). */
export const serverVolumes = handlersFor('servers', {
  volumes: (call, cloud) => page(attachedTo(cloud, serverIn(call, cloud).id), call, filters),
});
