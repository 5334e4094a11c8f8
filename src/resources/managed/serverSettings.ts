import { shellWord } from '../../text/escapes.ts';
import { isIpv4, isIpv6 } from '../ipAddress.ts';
import { type Labelled, type Resource, resource } from '../resource.ts';

/** The SSH access of managed monitoring to the server of this id and label; each server has one (document 3, 4.4). */
export type ManagedServerSettings = Labelled & {
  group: string;
  ssh: { access: boolean; ip: string; port: number; user: string };
};

/** Managed settings of servers (document 3, 4.4). */
export const managedServerSettings: Resource = resource<ManagedServerSettings>()({
  name: 'managed-server-settings',
  area: 'Managed',
  aliases: ['ssh-access'],
  param: 'serverId',
  path: '/v4/managed/server-settings',
  scope: 'account',
  relations: [{ to: 'servers', by: ({ id }) => [id] }],
  sort: 'Server',
  empty: "There is one for each server: whether and how the platform's staff may log in to it.",
  fields: {
    'ssh.access': { label: 'SSH access', kind: 'boolean', help: "Whether the platform's staff may log in." },
    'ssh.user': { max: 32, emptied: '', help: 'The user that they log in as.' },
    'ssh.ip': {
      label: 'IP address',
      check: (entry) =>
        entry === 'any' || isIpv4(entry) || isIpv6(entry)
          ? undefined
          : `must be one IPv4 or IPv6 address; it is ${entry}`,
      help: 'An address of the server, IPv4 or IPv6.',
    },
    'ssh.port': { kind: 'integer', min: 1, max: 65535 },
  },
  columns: [
    { title: 'Server', value: 'label', keep: 1 },
    { title: 'SSH', value: 'ssh.access', format: 'boolean', keep: 1 },
    { title: 'User', value: 'ssh.user' },
    { title: 'IP', value: 'ssh.ip' },
    { title: 'Port', value: 'ssh.port', format: 'id' },
    { title: 'Group', value: 'group', keep: 3 },
    { title: 'Server ID', value: 'id', format: 'id', keep: 3 },
  ],
  edit: { body: ['ssh.access', 'ssh.user', 'ssh.ip', 'ssh.port'] },
  copies: {
    'ssh command': ({ ssh }) =>
      ssh?.ip && ssh.ip !== 'any' ? `ssh -p ${shellWord(ssh.port)} ${shellWord(`${ssh.user}@${ssh.ip}`)}` : undefined,
  },
});
