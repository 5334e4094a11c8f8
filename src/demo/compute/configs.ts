import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { invalid } from '../engine/errors.ts';
import { assignFields, type Call, collection, logEvent } from '../engine/handler.ts';
import { serverEntity, volumesOf } from '../inventory.ts';
import { kernels } from './catalogue.ts';
import { devicesIn, interfacesIn } from './configBodies.ts';
import { type Config, configOf, hardwareOf, slots } from './hardware.ts';
import type { Server } from './servers.seed.ts';
import { serverIn } from './servers.ts';

const { handlers } = collection<Config>('configs', {
  rows: (cloud, call) => hardwareOf(cloud, serverIn(call, cloud)).configs,
  filters: ['label'],
  remove: (config, call, cloud) => {
    const server = serverIn(call, cloud);
    const hardware = hardwareOf(cloud, server);
    if (hardware.lastBooted === config.id) hardware.lastBooted = undefined;
    logChange(call, cloud, 'delete', server, config);
  },
  onRow: { edit },
});

function create(call: Call, cloud: Cloud): Config {
  const server = serverIn(call, cloud);
  if (!call.body.devices) throw invalid('devices', 'devices is required');
  const config: Config = { ...configOf(server, cloud.nextId(), [], ''), kernel: 'server/latest-64bit' };
  change(config, call.body, server, cloud);
  hardwareOf(cloud, server).configs.push(config);
  logChange(call, cloud, 'create', server, config);
  return config;
}

function edit(config: Config, call: Call, cloud: Cloud): Config {
  const server = serverIn(call, cloud);
  change(config, call.body, server, cloud);
  logChange(call, cloud, 'update', server, config);
  return config;
}

/** Checks a body whole before anything of the config is changed. */
function change(config: Config, body: Row, server: Server, cloud: Cloud): void {
  const virtMode = typeof body.virt_mode === 'string' ? body.virt_mode : config.virt_mode;
  const available = virtMode === 'fullvirt' ? slots.slice(0, 4) : slots;
  if (typeof body.kernel === 'string' && !kernels.some(({ id }) => id === body.kernel))
    throw invalid('kernel', 'kernel is not valid');
  if (Number(body.memory_limit ?? 0) > server.specs.memory)
    throw invalid('memory_limit', `Must be ${server.specs.memory} or less`);
  const devices = body.devices ? devicesIn(body, server, cloud, available) : undefined;
  const interfaces = interfacesIn(body, server.region);
  assignFields(config, body, 'label', 'kernel', 'root_device', 'run_level');
  if (typeof body.comments === 'string' || body.comments === null) config.comments = body.comments;
  config.virt_mode = virtMode;
  if (typeof body.memory_limit === 'number') config.memory_limit = body.memory_limit || server.specs.memory;
  if (body.helpers) config.helpers = { ...config.helpers, ...(body.helpers as Record<string, boolean>) };
  if (devices) config.devices = { ...Object.fromEntries(slots.map((slot) => [slot, null])), ...devices };
  if (interfaces) config.interfaces = interfaces;
  attachVolumes(config, server, cloud);
}

/** A volume that a config names belongs to its server from then on. */
function attachVolumes(config: Config, server: Server, cloud: Cloud): void {
  for (const device of Object.values(config.devices)) {
    const volume = device?.volume_id ? volumesOf(cloud).get(device.volume_id) : undefined;
    if (volume?.server_id === null) Object.assign(volume, { server_id: server.id, server_label: server.label });
  }
}

function logChange(call: Call, cloud: Cloud, change: string, server: Server, { id, label }: Config): void {
  const secondary = { id, label, type: 'server_config', url: null };
  logEvent(call, cloud, `server_config_${change}`, serverEntity(server), { secondary });
}

/** Configuration profiles (document 2, 4.1). */
export const configs = handlers({ create });
