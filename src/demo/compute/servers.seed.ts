import type { Server as ServerRow } from '../../resources/compute/serverSettings.ts';
import { byId, type CloudOptions, type Stored } from '../engine/cloud.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, timestamp } from '../engine/time.ts';
import { type ServerType, serverTypes } from './catalogue.ts';

/** A role of servers, and the load of each. */
export interface Role {
  name: string;
  /** Their number among forty servers; the only one of a role has no number in its label. */
  count: number;
  type: string;
  image: string;
  tags: readonly string[];
  backups: boolean;
  /** Mean CPU in percent of one core at the quietest and at the busiest hour of the day. */
  load: readonly [quiet: number, busy: number];
  /** Mean public traffic out at the busiest hour, in Mbit/s. */
  traffic: number;
  /** Mean disk operations at the busiest hour, in blocks a second. */
  io: number;
}

/** The roles, forty servers in all. */
const roles: readonly Role[] = [
  role('web', 8, 'g6-standard-2', 'debian12', ['web', 'prod'], true, [9, 62], 14, 40),
  role('api', 6, 'g6-standard-4', 'debian12', ['api', 'prod'], true, [25, 160], 8, 60),
  role('db-primary', 1, 'g6-dedicated-16', 'ubuntu22.04', ['database', 'prod'], true, [140, 520], 9, 1900),
  role('db-replica', 3, 'g6-dedicated-8', 'ubuntu22.04', ['database', 'prod'], true, [60, 240], 4, 900),
  role('cache', 4, 'g7-highmem-1', 'debian12', ['cache', 'prod'], false, [12, 55], 6, 6),
  role('worker', 5, 'g6-standard-2', 'debian12', ['worker', 'prod'], false, [22, 110], 3, 150),
  role('batch', 4, 'g6-dedicated-4', 'ubuntu24.04', ['batch'], false, [4, 30], 1, 260),
  role('queue', 2, 'g6-standard-2', 'debian12', ['queue', 'prod'], true, [8, 34], 5, 220),
  role('ci', 2, 'g6-standard-6', 'ubuntu24.04', ['build'], false, [6, 310], 7, 800),
  role('mail', 1, 'g6-standard-1', 'debian11', ['mail', 'prod'], true, [3, 12], 2, 30),
  role('vpn', 1, 'g6-nanode-1', 'alpine3.20', ['infra'], false, [1, 9], 5, 2),
  role('metrics', 1, 'g6-standard-4', 'debian12', ['infra'], true, [70, 95], 2, 480),
  role('staging-web', 1, 'g6-standard-1', 'debian12', ['staging'], false, [1, 14], 2, 8),
  role('staging-db', 1, 'g6-standard-2', 'ubuntu22.04', ['staging'], false, [2, 20], 1, 40),
];

/** The role of a server that was made later. */
const anyRole: Role = role('', 1, 'g6-standard-1', 'debian12', [], false, [2, 18], 1, 10);

/** The number of servers in all roles. */
const fleetSize = roles.reduce((sum, { count }) => sum + count, 0);

function role(
  name: string,
  count: number,
  type: string,
  image: string,
  tags: readonly string[],
  backups: boolean,
  load: readonly [number, number],
  traffic: number,
  io: number,
): Role {
  return { name, count, type, image: `server/${image}`, tags, backups, load, traffic, io };
}

/** The role and label of the server of this number, from 0: `web-1` … `web-8`, `api-1`, … and round again. */
function memberOf(number: number): { role: Role; label: string } {
  const round = Math.floor(number / fleetSize);
  let place = number % fleetSize;
  for (const role of roles) {
    if (place < role.count) {
      const nth = round * role.count + place + 1;
      return { role, label: role.count === 1 && nth === 1 ? role.name : `${role.name}-${nth}` };
    }
    place -= role.count;
  }
  return { role: anyRole, label: `server-${number}` };
}

/** The role that a label tells. */
export const roleOf = (label: string): Role =>
  roles.find(({ name }) => label === name || label.startsWith(`${name}-`)) ?? anyRole;

/** Only ranges set aside for documentation and benchmarks are used, so that no address is anybody's. */
const documentation = ['192.0.2', '198.51.100', '203.0.113'];
const perBlock = 240;

/** The public IPv4 address of this number, from 0; they do not repeat below 123 000. */
export function publicAddress(number: number): string {
  const block = documentation[Math.floor(number / perBlock)];
  if (block) return `${block}.${(number % perBlock) + 10}`;
  const rest = number - documentation.length * perBlock;
  const high = Math.floor(rest / perBlock);
  return `198.${18 + (Math.floor(high / 256) % 2)}.${high % 256}.${(rest % perBlock) + 10}`;
}

/** The private IPv4 address of this number, from 0; they do not repeat below 30 000. */
export const privateAddress = (number: number): string =>
  `192.168.${128 + (Math.floor(number / perBlock) % 128)}.${(number % perBlock) + 10}`;

/** The IPv6 address of this number, from 0, with its prefix length. */
export const ipv6Address = (number: number): string =>
  `3fff:100:${(number >> 16).toString(16)}:1::f03c:${((number & 0xffff) + 0x1000).toString(16)}/128`;

/** A server (document 2, 2.1). */
export type Server = Stored<ServerRow>;

const firstId = 48_200_101;
const step = 3;

/** The id of the server of this number among those there are at first. */
export const serverIdAt = (number: number): number => firstId + number * step;

/** The number of the server of this id among those there are at first; not a whole number for others. */
export const numberOfServer = (id: number): number => (id - firstId) / step;

/** The resources that a type gives a server. */
export const specsOf = ({ disk, memory, transfer, vcpus }: ServerType): Server['specs'] => ({
  disk,
  memory,
  transfer,
  vcpus,
});

/** The alert thresholds of a new server. */
const alertsFor = ({ vcpus }: ServerType): Server['alerts'] => ({
  cpu: 90 * vcpus,
  io: 10_000,
  network_in: 10,
  network_out: 10,
  transfer_quota: 80,
});

/** A new server of a type, as far as nothing else is said of it. */
export const newServer = (
  type: ServerType,
  own: Pick<Server, 'id' | 'label' | 'status' | 'created' | 'updated' | 'ipv4' | 'ipv6' | 'image' | 'region'> &
    Partial<Server>,
): Server => ({
  ...{ id: own.id, label: own.label, group: '', status: own.status, created: own.created, updated: own.updated },
  ...{ type: type.id, ipv4: own.ipv4, ipv6: own.ipv6, image: own.image, region: own.region, specs: specsOf(type) },
  ...{ alerts: alertsFor(type), backups: noBackups(), hypervisor: 'kvm', watchdog_enabled: true, tags: [], ...own },
});

/** The type of this id. */
export function serverType(id: string): ServerType {
  const found = serverTypes.find((type) => type.id === id);
  if (!found) throw new Error(`there is no server type ${id}`);
  return found;
}

const homes = ['us-east', 'us-east', 'eu-west', 'us-east', 'eu-central', 'us-west', 'ap-south'] as const;
const backupDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const backupWindows = ['W0', 'W2', 'W4', 'W6', 'W20', 'W22'] as const;
/** Among the first forty servers these are off. */
const asleep: Readonly<Record<string, string>> = {
  'batch-2': 'offline',
  'batch-4': 'offline',
  'staging-db': 'offline',
  'worker-5': 'stopped',
};

/** A threshold that ordinary days exceed, so that there is something to notice. */
const strict: Readonly<Record<string, Partial<Server['alerts']>>> = { 'worker-2': { cpu: 60 } };

/** The servers there are at first, oldest first. */
export const seedServers = ({ seed, servers, time }: CloudOptions): Map<number, Server> =>
  byId(Array.from({ length: servers }, (_, number) => serverAt(seed, number, time)));

function serverAt(seed: number, number: number, time: number): Server {
  const random = randomFrom(seed, number, 1);
  const { role, label } = memberOf(number);
  const type = serverType(role.type);
  const age = random.integer(12, 900) * day + random.integer(0, day);
  const changed = Math.min(age, random.integer(1, 11) * day + random.integer(0, day));
  return newServer(type, {
    id: serverIdAt(number),
    label,
    status: number < 40 ? (asleep[label] ?? 'running') : random.chance(0.03) ? 'offline' : 'running',
    created: timestamp(time - age),
    updated: timestamp(time - changed),
    ipv4: role.tags.includes('prod') ? [publicAddress(number), privateAddress(number)] : [publicAddress(number)],
    ipv6: ipv6Address(number),
    image: role.image,
    region: label.startsWith('staging') ? 'us-central' : random.pick(homes),
    alerts: { ...alertsFor(type), network_out: role.traffic > 5 ? 20 : 10, ...strict[label] },
    backups: role.backups ? { ...backupsOf(random, time), ...neglected(label, time) } : noBackups(),
    watchdog_enabled: !role.tags.includes('build'),
    tags: role.tags,
  });
}

const noBackups = (): Server['backups'] => ({
  enabled: false,
  last_successful: null,
  schedule: { day: null, window: null },
});

/** The backups of one server have stopped, and nobody has noticed. */
const neglected = (label: string, time: number): Partial<Server['backups']> =>
  label === 'mail' ? { last_successful: timestamp(time - 9 * day - 5 * hour) } : {};

const backupsOf = (random: Random, time: number): Server['backups'] => ({
  enabled: true,
  last_successful: timestamp(time - random.integer(90, 1380) * 60_000),
  schedule: { day: random.pick(backupDays), window: random.pick(backupWindows) },
});
