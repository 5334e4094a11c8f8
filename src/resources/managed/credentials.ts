import { shellWord } from '../../text/escapes.ts';
import { textOf } from '../../text/words.ts';
import { type CacheView, type Resource, type Row, resource } from '../resource.ts';
import { plainName } from './address.ts';

/** A username and password for the platform's staff; neither is ever shown (document 3, 4.4). */
export type ManagedCredential = Row & { id: number; label: string; last_decrypted: string | null };

/** The services that name a credential, as far as they are loaded. */
const usersOf = ({ id }: ManagedCredential, view: CacheView) =>
  view.rows('managed-services').filter(({ credentials }) => Array.isArray(credentials) && credentials.includes(id));

function revokeWarning(credential: ManagedCredential, view: CacheView): string {
  const users = usersOf(credential, view).map(({ label }) => String(label));
  const used = users.length === 0 ? '' : ` It is used for ${users.join(', ')}.`;
  return `Revokes and deletes ${credential.label}; its username and password cannot be recovered.${used}`;
}

/** Credentials of managed monitoring (document 3, 4.4). */
export const managedCredentials: Resource = resource<ManagedCredential>()({
  name: 'managed-credentials',
  area: 'Managed',
  aliases: ['credentials'],
  path: '/v4/managed/credentials',
  scope: 'account',
  reads: ['managed-services'],
  sort: 'Label',
  empty:
    "A credential is a username and password that the platform's staff may use to solve a problem. It is never shown.",
  fields: {
    label: { min: 2, max: 75, pattern: plainName(2), help: 'Unique on the account.' },
    username: { max: 5000 },
    password: { kind: 'secret' },
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Last decrypted', value: ({ last_decrypted }) => last_decrypted ?? 'never', format: 'age', keep: 1 },
    { title: 'ID', value: 'id', format: 'id', keep: 1 },
    {
      title: 'Services',
      value: (credential, view) => usersOf(credential, view).map(({ label }) => label),
      format: 'list',
    },
  ],
  view: { scope: 'account:read_write' },
  create: { shownBy: { names: ['label'], isUnique: true }, body: ['label!', 'username', 'password!'] },
  edit: {
    help: 'Rename',
    body: ['label!'],
    ask: { note: 'Username and password are changed by an action of their own.' },
    single: true,
  },
  remove: {
    name: 'revoke',
    help: 'Revoke',
    reads: ['managed-services'],
    method: 'POST',
    path: '/v4/managed/credentials/{credentialId}/revoke',
    ask: {
      warning: revokeWarning,
      typeLabel: true,
      together: 'Revokes and deletes them; their usernames and passwords cannot be recovered.',
    },
    inverse: 'Its password cannot be read back.',
    invalidates: ['managed-services'],
  },
  actions: [
    {
      name: 'update',
      key: 'p',
      on: 'Change username and password of {}',
      body: ['username', 'password!'],
      ask: {
        warning: ({ label }, _view, { username }) =>
          `Replaces the ${username ? 'username and ' : ''}password of ${label}. The current one cannot be read back.`,
        note: 'The current password cannot be read back. A username that is left empty stays as it is.',
      },
      inverse: 'The password that it replaced cannot be read back.',
      single: true,
    },
  ],
});

/** The SSH public key with which managed monitoring logs in to servers (document 3, 4.4). */
export type ManagedSshKey = Row & { ssh_key: string };

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
  list: false,
  view: { path: '/v4/managed/credentials/sshkey', scope: 'account:read_only', freshFor: 600 },
  copies: { 'SSH public key': ({ ssh_key }) => ssh_key, 'command that adds it': installCommand },
});
