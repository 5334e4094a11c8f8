import type { Backup as BackupRow } from '../../resources/compute/backups.ts';
import type { Config as ConfigRow } from '../../resources/compute/configs.ts';
import type { Disk as DiskRow } from '../../resources/compute/disks.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import { type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, minute, parseTimestamp, timestamp } from '../engine/time.ts';
import { attachedTo, diskLabel, serversOf } from '../inventory.ts';
import { numberOfServer, type Server, serverIdAt } from './servers.seed.ts';

/** A disk (document 2, 2.3); its size is in MB. */
export type Disk = Stored<DiskRow>;

/** The disk or volume in a slot of a config. */
export type Device = NonNullable<ConfigRow['devices'][string]>;

/** A network interface (document 2, 2.1). */
export type Interface = NonNullable<ConfigRow['interfaces']>[number];

/** A configuration profile (document 2, 2.2). */
export type Config = Stored<ConfigRow> & { helpers: Record<string, boolean>; interfaces: readonly Interface[] };

/** A backup (document 2, 2.4). */
export type Backup = Required<Omit<Stored<BackupRow>, 'slot' | 'region'>>;

/** The disks, configs and backups of one server. */
export interface Hardware {
  disks: Disk[];
  configs: Config[];
  backups: { automatic: Backup[]; current: Backup | null; inProgress: Backup | null };
  lastBooted: number | undefined;
}

/** The slots of a config in their order. */
export const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'] as const;

const firstDisk = 51_000_000;
const firstConfig = 53_000_000;
const firstBackup = 250_000_000;

/** All helpers as a new config has them. */
const defaultHelpers = (): Config['helpers'] => ({
  devtmpfs_automount: true,
  distro: true,
  modules_dep: true,
  network: true,
  updatedb_disabled: true,
});

/**
 * The hardware of a server at first.
 * @param volumeIds the volumes attached to it
 * @param diskLabel the label of its system disk
 */
function seedHardware(seed: number, server: Server, volumeIds: readonly number[], diskLabel: string): Hardware {
  const number = numberOfServer(server.id);
  const random = randomFrom(seed, server.id, 3);
  const { specs, created } = server;
  const ready = { status: 'ready', created, updated: created };
  const id = firstDisk + number * 10;
  const disks: Disk[] = [
    { id, label: diskLabel, size: specs.disk - 512, filesystem: 'ext4', ...ready },
    { id: id + 1, label: '512 MB Swap Image', size: 512, filesystem: 'swap', ...ready },
  ];
  const [system, swap] = disks;
  const devices = [
    ...[system, swap].flatMap((disk) => (disk ? [{ disk_id: disk.id, volume_id: null }] : [])),
    ...volumeIds.map((volume_id) => ({ disk_id: null, volume_id })),
  ].slice(0, slots.length);
  const config = configOf(server, firstConfig + number * 10, devices, diskLabel);
  const configs = random.chance(0.2) ? [config, rescueConfig(config)] : [config];
  const automatic = server.backups.enabled
    ? automaticBackups(server, random, configs, disks, firstBackup + number * 10)
    : [];
  const current = server.backups.enabled && random.chance(0.4) ? snapshotOf(automatic[0], random, number) : null;
  return { disks, configs, backups: { automatic, current, inProgress: null }, lastBooted: configs[0]?.id };
}

/** A config that boots from the first of these devices. */
export const configOf = ({ specs }: Server, id: number, devices: readonly Device[], diskLabel: string): Config => ({
  id,
  label: `My ${diskLabel} Profile`.slice(0, 48),
  comments: null,
  kernel: 'server/grub2',
  memory_limit: specs.memory,
  root_device: '/dev/sda',
  run_level: 'default',
  virt_mode: 'paravirt',
  devices: Object.fromEntries(slots.map((slot, place) => [slot, devices[place] ?? null])),
  helpers: defaultHelpers(),
  interfaces: [],
});

const rescueConfig = (usual: Config): Config => ({
  ...usual,
  id: usual.id + 1,
  devices: { ...usual.devices },
  helpers: defaultHelpers(),
  label: 'Single user, older kernel',
  comments: 'For the day the other one does not boot.',
  kernel: 'server/latest-64bit',
  run_level: 'single',
});

function automaticBackups(server: Server, random: Random, configs: Config[], disks: Disk[], first: number): Backup[] {
  const last = parseTimestamp(server.backups.last_successful ?? server.updated);
  return [0, 2 + random.integer(0, 4), 9].map((daysBefore, place) => {
    const finished = last - daysBefore * day;
    const created = finished - random.integer(4, 40) * minute;
    return automaticBackup({ disks, configs }, first + place, timestamp(created), timestamp(finished));
  });
}

/** The parts of hardware that a backup holds. */
export const savedOf = ({ disks, configs }: Readonly<Pick<Hardware, 'disks' | 'configs'>>) => ({
  configs: configs.map(({ label }) => label),
  disks: disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
});

export function automaticBackup(
  hardware: Parameters<typeof savedOf>[0],
  id: number,
  created: string,
  finished: string,
): Backup {
  const times = { created, updated: finished, finished };
  return { id, label: null, type: 'auto', status: 'successful', ...times, ...savedOf(hardware) };
}

function snapshotOf(backup: Backup | undefined, random: Random, number: number): Backup | null {
  if (!backup) return null;
  const finished = parseTimestamp(backup.created) - random.integer(20, 60) * day;
  return {
    ...backup,
    id: firstBackup + number * 10 + 5,
    label: random.pick(['before the upgrade', 'clean install', 'before the move']),
    type: 'snapshot',
    created: timestamp(finished - hour / 4),
    updated: timestamp(finished),
    finished: timestamp(finished),
  };
}

const hardwareByServer = perCloud(() => new Map<number, Hardware>());

/** The disks, configs and backups of a server; those it has at first are made when they are first read. */
export const hardwareOf = (cloud: Cloud, server: Server): Hardware =>
  foundOrMade(hardwareByServer(cloud), server.id, () => {
    const volumeIds = attachedTo(cloud, server.id).map(({ id }) => id);
    return seedHardware(cloud.options.seed, server, volumeIds, diskLabel(cloud, server.image));
  });

/** Gives a new server what belongs to it. */
export function setHardware(cloud: Cloud, server: Server, hardware: Hardware): void {
  hardwareByServer(cloud).set(server.id, hardware);
}

/** A backup with the server it was made of. */
export const findBackup = (cloud: Cloud, id: number) =>
  findPart(cloud, id, firstBackup, ({ backups }) => [...backups.automatic, backups.current]);

/** A disk with its server. */
export const findDisk = (cloud: Cloud, id: number) => findPart(cloud, id, firstDisk, ({ disks }) => disks);

/**
 * Looks for a part where it was at first, by the number of its server, and where parts were made since.
 * @param firstId that of the parts there are at first, of which each server has ten; no server has later ones
 */
function findPart<T extends { id: number }>(
  cloud: Cloud,
  id: number,
  firstId: number,
  partsIn: (hardware: Hardware) => readonly (T | null)[],
): { server: Server; found: T } | undefined {
  const servers = serversOf(cloud);
  const first = servers.get(serverIdAt(Math.floor((id - firstId) / 10)));
  if (first) hardwareOf(cloud, first);
  for (const [serverId, hardware] of hardwareByServer(cloud)) {
    const server = servers.get(serverId);
    const found = partsIn(hardware).find((one) => one?.id === id);
    if (server && found) return { server, found };
  }
  return undefined;
}
