import {
  boolean,
  date,
  either,
  integer,
  list,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
} from './shapes.ts';

/** The fields of a server that tests read (document 2, 2.1). */
export interface Server {
  id: number;
  label: string;
  status: string;
  region: string;
  created: string;
  type: string;
  image: string | null;
  ipv4: string[];
  tags: string[];
  watchdog_enabled: boolean;
  alerts: Record<string, number>;
  backups: { enabled: boolean; schedule: { day: string | null; window: string | null } };
  specs: { disk: number; memory: number; transfer: number; vcpus: number };
}

export interface Device {
  disk_id: number | null;
  volume_id: number | null;
}

export interface Config {
  id: number;
  label: string;
  kernel: string;
  run_level: string;
  virt_mode: string;
  root_device: string;
  comments: string | null;
  devices: Record<string, Device | null>;
  interfaces: { purpose: string; label: string | null; ipam_address: string | null }[];
  helpers: Record<string, boolean>;
}

export interface Disk {
  id: number;
  label: string;
  size: number;
  filesystem: string;
  status: string;
}

export interface Backup {
  id: number;
  label: string | null;
  status: string;
  type: string;
  disks: { size: number }[];
}

export interface Backups {
  automatic: Backup[];
  snapshot: { current: Backup | null; in_progress: Backup | null };
}

export interface Volume {
  id: number;
  label: string;
  size: number;
  status: string;
  region: string;
  server_id: number | null;
  server_label: string | null;
  filesystem_path: string;
  tags: string[];
}

export interface Event {
  id: number;
  action: string;
  status: string | null;
  created: string;
  read: boolean;
  seen: boolean;
  percent_complete: number | null;
  duration: number | null;
  entity: { id: number | string; type: string; label: string; url: string } | null;
}

export const windows = ['Scheduling', ...Array.from({ length: 12 }, (_, n) => `W${n * 2}`)];
export const days = ['Scheduling', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const filesystems = ['raw', 'swap', 'ext3', 'ext4', 'initrd'];
export const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'];

/** Document 2, 2.1. */
export const server: Shape = object({
  alerts: object({ cpu: integer, io: integer, network_in: integer, network_out: integer, transfer_quota: integer }),
  backups: object({
    enabled: boolean,
    last_successful: optional(date),
    schedule: object({ day: nullable(oneOf(...days)), window: nullable(oneOf(...windows)) }),
  }),
  created: date,
  group: nullable(text),
  hypervisor: oneOf('kvm'),
  id: integer,
  image: nullable(matching(/^(server|private)\//)),
  ipv4: list(matching(/^\d+\.\d+\.\d+\.\d+$/)),
  ipv6: nullable(matching(/^[0-9a-f:]+\/128$/)),
  label: matching(/^[a-zA-Z0-9](?:[-_.]?[a-zA-Z0-9])+$/),
  region: text,
  specs: object({ disk: integer, memory: integer, transfer: integer, vcpus: integer }),
  status: oneOf(
    ...['running', 'offline', 'booting', 'rebooting', 'shutting_down', 'provisioning', 'deleting', 'migrating'],
    ...['rebuilding', 'cloning', 'restoring', 'stopped'],
  ),
  tags: list(text),
  type: text,
  updated: date,
  watchdog_enabled: boolean,
});

const device = nullable(object({ disk_id: optional(integer), volume_id: optional(integer) }));

const networkInterface = object({
  purpose: oneOf('public', 'vlan'),
  label: nullable(text),
  ipam_address: nullable(text),
});

/** Document 2, 2.2. */
export const config: Shape = object({
  comments: nullable(text),
  devices: object(Object.fromEntries(slots.map((slot) => [slot, optional(device)]))),
  helpers: object({
    devtmpfs_automount: boolean,
    distro: boolean,
    modules_dep: boolean,
    network: boolean,
    updatedb_disabled: boolean,
  }),
  id: integer,
  interfaces: list(networkInterface),
  kernel: text,
  label: text,
  memory_limit: integer,
  root_device: text,
  run_level: oneOf('default', 'single', 'binbash'),
  virt_mode: oneOf('paravirt', 'fullvirt'),
});

/** Document 2, 2.3. */
export const disk: Shape = object({
  created: date,
  filesystem: oneOf(...filesystems),
  id: integer,
  label: text,
  size: integer,
  status: text,
  updated: date,
});

/** Document 2, 2.4. */
export const backup: Shape = object({
  configs: list(text),
  created: date,
  disks: list(object({ filesystem: text, label: text, size: integer })),
  finished: nullable(date),
  id: integer,
  label: nullable(text),
  status: text,
  type: oneOf('auto', 'snapshot'),
  updated: date,
});

/** Document 2, 2.7. */
export const volume: Shape = object({
  created: date,
  filesystem_path: matching(/^\/dev\/disk\/by-id\/scsi-0.+_Volume_.+$/),
  hardware_type: oneOf('hdd', 'nvme'),
  id: integer,
  label: text,
  server_id: nullable(integer),
  server_label: nullable(text),
  region: text,
  size: integer,
  status: oneOf('creating', 'active', 'resizing'),
  tags: list(text),
  updated: date,
});

const entity = object({ id: optional(either(integer, text)), label: nullable(text), type: text, url: nullable(text) });

/** Document 1, 2.5. */
export const event: Shape = object({
  action: text,
  created: date,
  duration: nullable(number),
  entity: nullable(entity),
  id: integer,
  message: nullable(text),
  percent_complete: nullable(integer),
  rate: nullable(text),
  read: boolean,
  secondary_entity: nullable(entity),
  seen: boolean,
  status: nullable(oneOf('failed', 'finished', 'notification', 'scheduled', 'started')),
  time_remaining: nullable(text),
  username: nullable(text),
});

/** Document 1, 2.10. */
export const region: Shape = object({
  capabilities: list(text),
  country: text,
  id: text,
  resolvers: object({ ipv4: text, ipv6: text }),
  status: oneOf('ok', 'outage'),
});

/** Document 2, 2.6; live answers lack `xen`. */
export const kernel: Shape = object({
  architecture: oneOf('x86_64', 'i386'),
  built: nullable(date),
  deprecated: boolean,
  id: text,
  kvm: boolean,
  label: text,
  pvops: boolean,
  version: text,
  xen: optional(boolean),
});
