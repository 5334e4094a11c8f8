import { type Cloud, perCloud } from '../engine/cloud.ts';
import { attachedTo, diskLabel, serversOf } from '../inventory.ts';
import { type Backup, type Disk, type Hardware, ownerOfBackup, ownerOfDisk, seedHardware } from './hardware.seed.ts';
import { type Server, serverIdAt } from './servers.seed.ts';

const hardwareByServer = perCloud(() => new Map<number, Hardware>());

/** The disks, configs and backups of a server; those it has at first are made when they are first read. */
export function hardwareOf(cloud: Cloud, server: Server): Hardware {
  const known = hardwareByServer(cloud);
  const found = known.get(server.id);
  if (found) return found;
  const made = seedHardware(
    cloud.options.seed,
    server,
    attachedTo(cloud, server.id).map(({ id }) => id),
    diskLabel(cloud, server.image),
  );
  known.set(server.id, made);
  return made;
}

/** Gives a new server what belongs to it. */
export function setHardware(cloud: Cloud, server: Server, hardware: Hardware): void {
  hardwareByServer(cloud).set(server.id, hardware);
}

/** A backup with the server it was made of. */
export const findBackup = (cloud: Cloud, id: number): { server: Server; found: Backup } | undefined =>
  findPart(cloud, id, ownerOfBackup(id), ({ backups }) => [...backups.automatic, backups.current]);

/** A disk with its server. */
export const findDisk = (cloud: Cloud, id: number): { server: Server; found: Disk } | undefined =>
  findPart(cloud, id, ownerOfDisk(id), ({ disks }) => disks);

/** Looks for a part where it was at first, by the number of its server, and where parts were made since. */
function findPart<T extends { id: number }>(
  cloud: Cloud,
  id: number,
  firstOwner: number,
  partsIn: (hardware: Hardware) => readonly (T | null)[],
): { server: Server; found: T } | undefined {
  const servers = serversOf(cloud);
  const first = servers.get(serverIdAt(firstOwner));
  if (first) hardwareOf(cloud, first);
  for (const [serverId, hardware] of hardwareByServer(cloud)) {
    const server = servers.get(serverId);
    const found = partsIn(hardware).find((one) => one?.id === id);
    if (server && found) return { server, found };
  }
  return undefined;
}
