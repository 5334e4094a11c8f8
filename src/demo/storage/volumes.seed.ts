import type { Volume as VolumeRow } from '../../resources/storage/volumes.ts';
import { roleOf, type Server } from '../compute/servers.seed.ts';
import { byId, type CloudOptions, type Stored } from '../engine/cloud.ts';
import { randomFrom } from '../engine/random.ts';
import { day, timestamp } from '../engine/time.ts';

/** A volume (document 2, 2.7). */
export type Volume = Stored<VolumeRow>;

/** The path of a volume's device on the server it is attached to. */
export const pathOfVolume = (label: string): string => `/dev/disk/by-id/scsi-0Server_Volume_${label}`;

type Told = 'id' | 'label' | 'status' | 'size' | 'region' | 'created' | 'updated';

/** A volume, as far as nothing else is said of it. */
export const newVolume = (own: Pick<Volume, Told> & Partial<Volume>): Volume => ({
  ...{ id: own.id, label: own.label, size: own.size, tags: [], region: own.region, server_id: null },
  ...{ server_label: null, status: own.status, filesystem_path: pathOfVolume(own.label), hardware_type: 'nvme' },
  ...own,
});

/** The roles whose servers keep their data on volumes, with what the volume is for and the sizes it comes in. */
const keepers: Readonly<Record<string, readonly [purpose: string, ...sizes: [number, ...number[]]]>> = {
  'db-primary': ['data', 500],
  'db-replica': ['data', 500],
  queue: ['spool', 80, 100],
  mail: ['store', 200],
  metrics: ['series', 320],
  batch: ['scratch', 100, 200, 400],
  ci: ['cache', 120],
  api: ['uploads', 40, 60],
};

const loose: readonly (readonly [label: string, size: number, region: string])[] = [
  ['archive-2023', 1000, 'us-east'],
  ['db-before-upgrade', 500, 'us-east'],
  ['scratch', 20, 'eu-west'],
  ['photos-old', 250, 'eu-central'],
];

/** The volumes there are at first, oldest first: those of servers, and some that belong to none. */
export function seedVolumes({ seed, time }: CloudOptions, servers: Iterable<Server>): Map<number, Volume> {
  const volumes: Volume[] = [];
  const add = (volume: Pick<Volume, 'label' | 'size' | 'region'> & Partial<Volume>) => {
    const random = randomFrom(seed, volumes.length, 2);
    const age = random.integer(10, 600) * day + random.integer(0, day);
    const times = { created: timestamp(time - age), updated: timestamp(time - age / 3) };
    const of = { id: 610_001 + volumes.length * 7, status: 'active', ...times, ...volume };
    volumes.push(newVolume({ ...of, hardware_type: random.chance(0.8) ? 'nvme' : 'hdd' }));
  };
  for (const [label, size, region] of loose) add({ label, size, region });
  for (const server of servers) {
    const { name, tags } = roleOf(server.label);
    const keeper = keepers[name];
    if (!keeper) continue;
    const [purpose, ...sizes] = keeper;
    const size = randomFrom(seed, server.id).pick(sizes);
    const at = { region: server.region, server_id: server.id, server_label: server.label };
    add({ label: `${server.label}-${purpose}`.slice(0, 32), size, tags, ...at });
  }
  return byId(volumes);
}
