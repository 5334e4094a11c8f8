import { addressOf } from './engine/address.ts';
import type { Cloud } from './engine/cloud.ts';
import type { Entity } from './engine/eventLog.ts';
import { notFound } from './engine/refusal.ts';
import { day, stamp } from './engine/stamp.ts';
import { type Backup, type Disk, type Hardware, ownerOfBackup, ownerOfDisk, seedHardware } from './seed/hardware.ts';
import { type Image, ownImages, publicImages } from './seed/images.ts';
import { type Server, seedServers, serverIdAt } from './seed/servers.ts';
import { seedVolumes, type Volume } from './seed/volumes.ts';

/** The servers by id, oldest first. */
export const serversOf = ({ options }: Cloud): Map<number, Server> =>
  seedServers(options.seed, options.servers, options.time);

/** The volumes by id, oldest first. */
export const volumesOf = (cloud: Cloud): Map<number, Volume> =>
  seedVolumes(cloud.options.seed, cloud.of(serversOf).values(), cloud.options.time);

/** The account's own images by id, after the public ones. */
export const imagesOf = ({ options }: Cloud): Map<string, Image> =>
  new Map(
    [...publicImages, ...ownImages((days) => stamp(options.time - days * day))].map((image) => [
      image.id,
      { ...image },
    ]),
  );

/** How many addresses have been given out. */
export const addressesOf = ({ options }: Cloud): { next: number } => ({ next: options.servers });

/** What the account owes, in US dollars. */
export const balanceOf = (): { due: number } => ({ due: 0 });

const hardwareByServer = (): Map<number, Hardware> => new Map();

/** What belongs to a server: made when it is first asked for. */
export function hardwareOf(cloud: Cloud, server: Server): Hardware {
  const known = cloud.of(hardwareByServer);
  const found = known.get(server.id);
  if (found) return found;
  const made = seedHardware(cloud.options.seed, server, attachedTo(cloud, server.id));
  known.set(server.id, made);
  return made;
}

/** Gives a new server what belongs to it. */
export function setHardware(cloud: Cloud, server: Server, hardware: Hardware): void {
  cloud.of(hardwareByServer).set(server.id, hardware);
}

/** The volumes attached to a server. */
export const attachedTo = (cloud: Cloud, serverId: number): Volume[] =>
  [...cloud.of(volumesOf).values()].filter(({ server_id }) => server_id === serverId);

/** The server of this id. @throws 404 */
export function serverAt(cloud: Cloud, id: number): Server {
  const server = cloud.of(serversOf).get(id);
  if (!server) throw notFound();
  return server;
}

/** The volume of this id. @throws 404 */
export function volumeAt(cloud: Cloud, id: number): Volume {
  const volume = cloud.of(volumesOf).get(id);
  if (!volume) throw notFound();
  return volume;
}

/** A backup with the server it was made of, looked for where it was at first and where backups were made since. */
export function findBackup(cloud: Cloud, id: number): { server: Server; backup: Backup } | undefined {
  const servers = cloud.of(serversOf);
  const first = servers.get(serverIdAt(ownerOfBackup(id)));
  if (first) hardwareOf(cloud, first);
  for (const [serverId, { backups }] of cloud.of(hardwareByServer)) {
    const server = servers.get(serverId);
    const backup = [...backups.automatic, backups.current].find((one) => one?.id === id);
    if (server && backup) return { server, backup };
  }
  return undefined;
}

/** A disk with its server, looked for where it was at first and where disks were made since. */
export function findDisk(cloud: Cloud, id: number): { server: Server; disk: Disk } | undefined {
  const servers = cloud.of(serversOf);
  const first = servers.get(serverIdAt(ownerOfDisk(id)));
  if (first) hardwareOf(cloud, first);
  for (const [serverId, { disks }] of cloud.of(hardwareByServer)) {
    const server = servers.get(serverId);
    const disk = disks.find((one) => one.id === id);
    if (server && disk) return { server, disk };
  }
  return undefined;
}

/** A server as an event names it. */
export const serverEntity = ({ id, label }: Server): Entity => ({
  id,
  label,
  type: 'server',
  url: addressOf('servers', id) ?? null,
});

/** A volume as an event names it. */
export const volumeEntity = ({ id, label }: Volume): Entity => ({
  id,
  label,
  type: 'volume',
  url: addressOf('volumes', id) ?? null,
});

/** Writes down that a thing was changed. */
export function touch(cloud: Cloud, thing: { updated: string }): void {
  thing.updated = cloud.stamp;
}
