import type { Events } from './events.ts';
import { type Item, type Items, latest, Refusal, type Row, type Write } from './items.ts';

/** A request about one thing besides reading, changing and deleting it. */
export interface Acting {
  readonly items: Items;
  readonly events: Events;
  readonly item: Item;
  readonly body: Row;
  readonly write: Write;
  readonly username: string;
}

type Act = (acting: Acting) => Row;

const busy = ['shutting_down', 'migrating', 'provisioning', 'booting', 'rebuilding', 'deleting'];

const only = (is: boolean, reason: string, field?: string): void => {
  if (!is) throw new Refusal(400, reason, field);
};

/** Puts a volume into the first free slot of a config. */
function plug({ items, write }: Pick<Acting, 'items' | 'write'>, volume: Item, server: Item, configId: unknown): void {
  const configs = items.of('configs', server.account, server);
  only(configs.length > 0, 'The server has no configuration profile', 'server_id');
  const config = configId ? items.find('configs', server.account, configId, server) : configs[0];
  const devices = { ...((config && latest(config)?.devices) as Row) };
  const slot = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'].find((name) => !isTaken(devices[name]));
  only(slot !== undefined, 'No device is free', 'config_id');
  if (config)
    items.change(config, { devices: { ...devices, [slot ?? '']: { disk_id: null, volume_id: volume.id } } }, write);
  items.change(volume, { server_id: server.id, server_label: latest(server)?.label }, write);
}

const isTaken = (device: unknown): boolean => {
  const { disk_id = null, volume_id = null } = (device ?? {}) as Row;
  return disk_id !== null || volume_id !== null;
};

/** Takes a volume out of its server and its configs. */
export function unplug({ items, write }: Pick<Acting, 'items'> & { write?: Write }, volume: Item): void {
  for (const config of items.of('configs', volume.account)) {
    const devices = Object.entries(latest(config)?.devices as Row);
    const left = devices.filter(([, device]) => (device as Row | null)?.volume_id !== volume.id);
    if (left.length < devices.length) items.change(config, { devices: Object.fromEntries(left) }, write);
  }
  items.change(volume, { server_id: null, server_label: null }, write);
}

/** Gives a server the disk and the config that it has from an image. */
function furnishServer({ items, write }: Pick<Acting, 'items' | 'write'>, server: Item): void {
  const of = { label: 'Debian 12 Disk', size: 25_000, status: 'ready' };
  const disk = items.make('disks', server.account, of, write, server);
  const devices = { sda: { disk_id: disk.id, volume_id: null } };
  const config = { label: 'My config', devices, kernel: 'server/latest-64bit', comments: null };
  items.make('configs', server.account, config, write, server);
}

export const actions: Readonly<Record<string, Act>> = {
  'servers shutdown': ({ items, events, item, write, username }) => {
    const { status } = latest(item) ?? {};
    only(status === 'running', status === 'offline' ? 'Server is not running' : 'Server busy.');
    items.change(item, { status: 'shutting_down' }, write);
    events.begin('server_shutdown', item, username, { seconds: [3, 12], write: write.number }, () =>
      items.change(item, { status: 'offline' }),
    );
    return {};
  },
  'servers boot': ({ items, events, item, write, username }) => {
    only(latest(item)?.status === 'offline', 'Server busy.');
    items.change(item, { status: 'booting' }, write);
    events.begin('server_boot', item, username, { seconds: [5, 20], write: write.number }, () =>
      items.change(item, { status: 'running' }),
    );
    return {};
  },
  /** Its disks and configs are new ones from then on. */
  'servers rebuild': ({ items, events, item, body, write, username }) => {
    only(!busy.includes(String(latest(item)?.status)), 'Server busy.');
    for (const kind of ['disks', 'configs'])
      for (const part of items.of(kind, item.account, item)) items.remove(part, write);
    for (const volume of items.of('volumes', item.account))
      if (latest(volume)?.server_id === item.id) items.change(volume, { server_id: null, server_label: null }, write);
    furnishServer({ items, write }, item);
    items.change(item, { status: 'rebuilding', image: body.image }, write);
    events.begin('server_rebuild', item, username, { seconds: [10, 40], write: write.number }, () =>
      items.change(item, { status: 'running' }),
    );
    return latest(item) ?? {};
  },
  'servers resize': ({ items, events, item, body, write, username }) => {
    const { status, type } = latest(item) ?? {};
    only(!busy.includes(String(status)), 'Server busy.');
    only(typeof body.type === 'string' && body.type !== type, 'The server has this type already', 'type');
    items.change(item, { status: 'migrating' }, write);
    events.begin('server_resize', item, username, { seconds: [10, 40], write: write.number }, () =>
      items.change(item, { status: status ?? 'offline', type: body.type }),
    );
    return {};
  },
  'volumes attach': ({ items, events, item, body, write, username }) => {
    only(latest(item)?.server_id === null, 'Volume is already attached');
    const server = items.find('servers', item.account, body.server_id);
    only(latest(server)?.region === latest(item)?.region, 'Must be in the same region', 'server_id');
    plug({ items, write }, item, server, body.config_id);
    events.tell('volume_attach', item, username, write.number);
    return latest(item) ?? {};
  },
  'volumes detach': ({ items, events, item, write, username }) => {
    only(latest(item)?.server_id !== null, 'Volume is not attached');
    unplug({ items, write }, item);
    events.tell('volume_detach', item, username, write.number);
    return {};
  },
  'volumes resize': ({ items, events, item, body, write, username }) => {
    const { status, size } = latest(item) ?? {};
    only(status === 'active', 'The volume is not active');
    only(Number(body.size) > Number(size), 'A volume can only grow', 'size');
    items.change(item, { size: body.size, status: 'resizing' }, write);
    events.begin('volume_resize', item, username, { seconds: [2, 15], write: write.number }, () =>
      items.change(item, { status: 'active' }),
    );
    return latest(item) ?? {};
  },
  'tickets close': ({ items, events, item, write, username }) => {
    only(latest(item)?.status !== 'closed', 'The ticket is closed');
    items.change(item, { status: 'closed', closable: false }, write);
    events.tell('ticket_update', item, username, write.number);
    return {};
  },
};

/** New things of some kinds begin more than being there. */
export const beginnings: Readonly<Record<string, (acting: Acting) => void>> = {
  servers: ({ items, events, item, body, write, username }) => {
    const ipv4 = [`192.0.2.${item.id % 250}`, `192.168.${item.id % 200}.${item.id % 250}`];
    const { label = `server${item.id}` } = body;
    items.change(
      item,
      { label, region: body.region, type: body.type, image: body.image ?? null, ipv4, ipv6: null },
      write,
    );
    if (typeof body.image !== 'string') {
      events.tell('server_create', item, username, write.number);
      return;
    }
    only(typeof body.root_pass === 'string' && body.root_pass.length >= 7, 'root_pass is required', 'root_pass');
    furnishServer({ items, write }, item);
    items.change(item, { status: 'provisioning' }, write);
    events.begin('server_create', item, username, { seconds: [5, 30], write: write.number }, () =>
      items.change(item, { status: 'running' }),
    );
  },
  volumes: ({ items, events, item, body, write, username }) => {
    const server = body.server_id === undefined ? undefined : items.find('servers', item.account, body.server_id);
    const region = server ? latest(server)?.region : body.region;
    only(region !== undefined, 'region is required', 'region');
    const path = `/dev/disk/by-id/scsi-0PLAT_Volume_${body.label}`;
    items.change(item, { region, size: body.size ?? 20, filesystem_path: path }, write);
    if (server) plug({ items, write }, item, server, body.config_id);
    events.begin('volume_create', item, username, { seconds: [1, 10], write: write.number }, () =>
      items.change(item, { status: 'active' }),
    );
  },
  nodebalancers: ({ items, events, item, body, write, username }) => {
    const label = body.label ?? `balancer${item.id}`;
    const ipv4 = `198.51.100.${item.id % 250}`;
    items.change(item, { label, region: body.region, ipv4, hostname: `nb-${item.id}.example` }, write);
    events.tell('nodebalancer_create', item, username, write.number);
  },
};
