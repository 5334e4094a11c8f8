import type { Row } from '../../resources/resource.ts';
import { type Config, slots } from '../compute/hardware.seed.ts';
import { hardwareOf } from '../compute/hardware.ts';
import type { Server } from '../compute/servers.seed.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { attachedTo, serverEntity, serversOf, volumeEntity } from '../inventory.ts';
import type { Volume } from './volumes.seed.ts';

/** Attaches a volume to a server in the same region (document 2, 4.4, rule 3). */
export function attach(cloud: Cloud, volume: Volume, body: Row, username: string): Volume {
  const server = serversOf(cloud).get(Number(body.server_id));
  if (!server) throw invalid('server_id', 'server_id is not valid');
  if (volume.server_id !== null) throw badRequest('The volume is attached already.');
  if (server.region !== volume.region) throw invalid('server_id', 'The server is in another region.');
  if (body.persist_across_boots === false) attachTemporarily(cloud, volume, server, body);
  else assign(volume, server, chosenConfig(cloud, server, body.config_id));
  cloud.touch(volume);
  cloud.begin(5, { action: 'volume_attach', entity: volumeEntity(volume), secondary: serverEntity(server), username });
  return volume;
}

/** Without a place in a config the server must run, and takes as many volumes as it has GB of RAM, at most 64. */
function attachTemporarily(cloud: Cloud, volume: Volume, server: Server, body: Row): void {
  if (typeof body.config_id === 'number') {
    throw invalid('config_id', 'config_id must not be sent when persist_across_boots is false');
  }
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
export function chosenConfig(cloud: Cloud, server: Server, configId: unknown): Config {
  const { configs, lastBooted } = hardwareOf(cloud, server);
  const wanted = typeof configId === 'number' ? configId : configs.length === 1 ? configs[0]?.id : lastBooted;
  const config = configs.find(({ id }) => id === wanted);
  if (!config) {
    throw invalid('config_id', typeof configId === 'number' ? 'config_id is not valid' : 'config_id is required');
  }
  if (!freeSlot(config)) throw invalid('config_id', 'This config has no free device; it takes 8.');
  return config;
}

const freeSlot = ({ devices, virt_mode }: Config) =>
  slots.slice(0, virt_mode === 'fullvirt' ? 4 : 8).find((slot) => !devices[slot]);

/** Assigns a volume to a server, in the first free slot of a config. */
export function assign(volume: Volume, server: Server, config: Config): void {
  const slot = freeSlot(config);
  if (slot) config.devices[slot] = { disk_id: null, volume_id: volume.id };
  Object.assign(volume, { server_id: server.id, server_label: server.label });
}

/** Detaches a volume; the server has it until the job is done. */
export function detach(cloud: Cloud, volume: Volume, username: string): Row {
  const server = volume.server_id === null ? undefined : serversOf(cloud).get(volume.server_id);
  if (!server) throw badRequest('The volume is not attached.');
  if (cloud.log.busy('volume', volume.id)) throw badRequest('The volume is busy.');
  const job = { action: 'volume_detach', entity: volumeEntity(volume), secondary: serverEntity(server), username };
  const { configs } = hardwareOf(cloud, server);
  cloud.begin(4, job, () => {
    for (const { devices } of configs) {
      for (const slot of slots) if (devices[slot]?.volume_id === volume.id) devices[slot] = null;
    }
    volume.server_id = volume.server_label = null;
    cloud.touch(volume);
  });
  return {};
}
