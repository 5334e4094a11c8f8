import { isIP } from 'node:net';
import type { ManagedServerSettings } from '../../resources/managed/serverSettings.ts';
import { at } from '../../resources/resource.ts';
import type { Server } from '../compute/servers.seed.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { invalid } from '../engine/errors.ts';
import { type Call, collection } from '../engine/handler.ts';
import { serversOf } from '../inventory.ts';

type Ssh = ManagedServerSettings['ssh'];

/** The settings that were changed, by the id of the server. */
const settingsOf = perCloud(() => new Map<number, Ssh>());

/** The SSH access of managed monitoring to a server; staging is closed at first, databases listen elsewhere. */
function sshOf(cloud: Cloud, server: Server): Ssh {
  const { label, ipv4 } = server;
  const usual = {
    access: !label.startsWith('staging'),
    ip: ipv4[0] ?? 'any',
    port: label.startsWith('db-') ? 2222 : 22,
    user: label.startsWith('db-') ? 'postgres' : 'root',
  };
  return settingsOf(cloud).get(server.id) ?? usual;
}

const { handlers } = collection<Server>('managed-server-settings', {
  rows: serversOf,
  filters: ['id', 'label', 'group'],
  shown: settings,
  onRow: { edit },
});

function settings(server: Server, cloud: Cloud): object {
  const { id, label, group } = server;
  return { id, label, group, ssh: sshOf(cloud, server) };
}

function edit(server: Server, call: Call, cloud: Cloud) {
  const ip = at(call.body, 'ssh.ip');
  if (typeof ip === 'string' && ip !== 'any' && isIP(ip) === 0) throw invalid('ssh.ip', 'ssh.ip is not an IP address');
  const sent = Object.entries((at(call.body, 'ssh') ?? {}) as Partial<Ssh>).filter(([, value]) => value !== null);
  settingsOf(cloud).set(server.id, { ...sshOf(cloud, server), ...Object.fromEntries(sent) });
  return settings(server, cloud);
}

/** Managed settings, one for each server (document 3, 4.4). */
export const managedServerSettings = handlers();
