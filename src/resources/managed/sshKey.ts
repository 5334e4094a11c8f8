import { shellWord } from '../../text/escapes.ts';
import { textOf } from '../../text/words.ts';
import { type Resource, type Row, resource } from '../resource.ts';

/** The SSH public key with which managed monitoring logs in to servers (document 3, 4.4). */
export type ManagedSshKey = Row & { ssh_key: string };

/** The command that authorizes the key for a user of a server. */
const installCommand = ({ ssh_key }: ManagedSshKey) =>
  `mkdir -p ~/.ssh && echo ${shellWord(textOf(ssh_key).trim())} >> ~/.ssh/authorized_keys`;

/** The account's SSH public key (document 3, 4.4). */
export const managedSshKey: Resource = resource<ManagedSshKey>()({
  name: 'managed-ssh-key',
  one: 'managed SSH key',
  many: 'Managed SSH key',
  area: 'Managed',
  aliases: ['sshkey'],
  id: 'ssh_key',
  param: 'sshKey',
  label: () => 'public key',
  columns: [
    { title: 'Type', value: ({ ssh_key }) => textOf(ssh_key).trim().split(/\s+/)[0], keep: 1 },
    { title: 'Comment', value: ({ ssh_key }) => textOf(ssh_key).trim().split(/\s+/).slice(2).join(' '), keep: 1 },
  ],
  card: [
    { title: 'Key', value: 'ssh_key', format: 'paragraph' },
    {
      title: 'Purpose',
      value: () =>
        "It is unique to the account. Add it to ~/.ssh/authorized_keys of the user in a server's managed settings, and the platform's staff can log in there. Copy the key, or the command that adds it.",
      format: 'paragraph',
    },
  ],
  view: { path: '/v4/managed/credentials/sshkey', scope: 'account:read_only', freshFor: 600 },
  copies: { 'SSH public key': ({ ssh_key }) => ssh_key, 'command that adds it': installCommand },
});
