import { attempt } from '../../text/errno.ts';
import { isPrivateAddress } from '../ipAddress.ts';
import { type Action, at, type Described, type DescribedField, type DescribedFields, type Field } from '../resource.ts';
import { textsOf } from '../row.ts';
import { isDeployable } from '../storage/images.ts';
import { tagsField } from '../tagging.ts';
import { statusOf } from '../wording.ts';
import { interfaceFields, interfaceNames, interfacesOf } from './interfaces.ts';
import { isMadeFor, questionFields, withAnswers } from './scriptQuestions.ts';
import {
  fromBackup,
  fromImage,
  modeOf,
  onVlan,
  roomComplaint,
  sourceWords,
  vlanComplaint,
  withStackScript,
} from './serverCreateRules.ts';
import { newServerCost, serverPrice, sizeWords, typeWords } from './serverTypes.ts';

/** The types of public keys that OpenSSH writes (RFC 4253, RFC 5656, RFC 8709 and its PROTOCOL.u2f). */
const keyTypes =
  /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com)$/;

/**
 * Whether the data of a public key are complete: a row of parts, each preceded by its length as four bytes, the first
 * of which is the name of the type.
 */
function isWhole(type: string, base64: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return false;
  const bytes = attempt(() => atob(base64));
  if (bytes === undefined) return false;
  let parts = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = [...bytes.slice(at, at + 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
    if (parts === 0 && bytes.slice(at + 4, at + 4 + length) !== type) return false;
    at += 4 + length;
    parts++;
  }
  return at === bytes.length && parts > 1;
}

/** Says why public keys are wrong, as the end of a sentence that never repeats what was entered; undefined when all are right. */
export function wrongKeys(keys: readonly string[]): string | undefined {
  for (const [index, key] of keys.entries()) {
    const which = keys.length === 1 ? 'this' : `key ${index + 1}`;
    const [type = '', data = ''] = key.trim().split(/\s+/);
    if (/PRIVATE KEY/.test(key)) return 'must not contain a private key; enter the line in the .pub file beside it';
    if (!keyTypes.test(type)) return `must be public keys, e.g. ssh-ed25519 AAAA… name; ${which} is not one`;
    if (!isWhole(type, data)) return `must be complete public keys; ${which} is cut off or altered`;
  }
  return undefined;
}

/** The label of a server (document 2, 2.1). */
export const serverLabel: DescribedField = {
  min: 3,
  max: 64,
  pattern: {
    test: /^[A-Za-z0-9](?:(?!--|__|\.\.)[A-Za-z0-9_.-])*[A-Za-z0-9]$/,
    says: 'letters, digits, - . and _ (first and last a letter or digit, never --, __ or ..)',
  },
  section: 'Server',
};

/** The server type in a creation and a resize. */
export const typeField: DescribedField = {
  to: 'server-types',
  offers: (type, _draft, _view, server) => type.id !== server?.type,
  section: 'Server',
};

/** Who may log in to a disk that is made from an image, for servers and disks (document 2, 4.2). */
export const accessFields = (shown: NonNullable<Field['shown']>) =>
  ({
    root_pass: { label: 'Root password', kind: 'secret', min: 7, max: 128, section: 'Access', shown, needed: shown },
    authorized_keys: {
      label: 'SSH keys',
      kind: 'strings',
      check: (keys: string) => wrongKeys(keys.split(',')),
      help: 'Public keys for the root user, e.g. ssh-ed25519 AAAA… name.',
      section: 'Access',
      shown,
    },
    authorized_users: {
      label: 'Users',
      kind: 'strings',
      help: 'Usernames; the SSH keys on their profiles are added for the root user.',
      section: 'Access',
      shown,
    },
  }) as const;

/** The image of a disk, for servers and disks; only available ones can be deployed (document 1, 2.11). */
export const imageField: DescribedField = {
  to: 'images',
  offers: (image, draft, view) =>
    isDeployable(image) && isMadeFor(view.row('stackscripts', draft.stackscript_id), image.id),
  section: 'Deploy',
};

/** The StackScript that runs on provisioning, for servers and disks. */
export const stackscriptId: DescribedField = {
  label: 'StackScript',
  to: 'stackscripts',
  offers: (script, draft) => isMadeFor(script, draft.image),
  writeOnly: true,
  help: 'The image must be compatible with it.',
  section: 'Deploy',
};

/** The answers to the questions of a StackScript, for servers and disks. */
export const stackscriptData: Field = {
  label: 'StackScript data',
  kind: 'json',
  help: 'Needed only where the StackScript asks for input, e.g. {"hostname": "web-1"}.',
  members: questionFields,
  section: 'Deploy',
};

/** The fields that only Server Create has (document 2, 4.2). */
export const createFields: DescribedFields = {
  mode: {
    label: 'From',
    optionHelp: {
      image: 'a disk from an image, and a swap disk',
      stackscript: 'an image, set up by a StackScript',
      backup: 'disks, config and root password of a backed-up server',
      vlan: 'an image, with its own network interfaces',
      empty: 'no disk, no config; stays offline until you create them and boot it',
    },
    needed: true,
    local: true,
    section: 'Deploy',
  },
  stackscript_id: { ...stackscriptId, shown: withStackScript, needed: withStackScript },
  stackscript_data: { ...stackscriptData, shown: withStackScript },
  image: { ...imageField, shown: fromImage, needed: fromImage },
  backup_of: {
    to: 'servers',
    offers: (server) => at(server, 'backups.enabled') !== false,
    shown: fromBackup,
    local: true,
    help: 'The server whose backups are offered.',
    section: 'Deploy',
  },
  backup_id: {
    to: 'backups',
    under: ({ backup_of }) => (backup_of ? { serverId: String(backup_of) } : undefined),
    offers: (backup) => statusOf(backup) === 'successful',
    shown: fromBackup,
    needed: fromBackup,
    help: 'The type must have room for its disks. You can also type an ID.',
    section: 'Deploy',
  },
  region: {
    to: 'regions',
    offers: ({ capabilities }) => !Array.isArray(capabilities) || capabilities.includes('Servers'),
    section: 'Server',
  },
  ...accessFields(fromImage),
  private_ip: {
    label: 'Private address',
    kind: 'boolean',
    fallback: false,
    help: 'Adds a private IPv4 address, which NodeBalancers need.',
    section: 'Network',
  },
  ...interfaceFields(onVlan),
  backups_enabled: {
    label: 'Backups',
    kind: 'boolean',
    fallback: false,
    help: 'Daily and weekly backups and one snapshot, billed monthly.',
    section: 'Options',
  },
  swap_size: {
    label: 'Swap disk',
    kind: 'integer',
    unit: 'MiB',
    min: 0,
    fallback: 512,
    shown: fromImage,
    section: 'Options',
  },
  booted: {
    label: 'Boot after creation',
    kind: 'boolean',
    fallback: true,
    shown: (draft) => modeOf(draft) !== 'empty',
    section: 'Options',
  },
};

/** Server Create in its five modes (document 2, 4.2). */
export const createServer: Described<Action> = {
  shownBy: { events: ['server_create'], names: ['label'], time: 'created' },
  body: [
    'mode',
    'stackscript_id',
    'image',
    'backup_of',
    'backup_id',
    'stackscript_data',
    'region!',
    'type!',
    'label',
    'tags',
    'root_pass',
    'authorized_keys',
    'authorized_users',
    'private_ip',
    ...interfaceNames,
    'backups_enabled',
    'swap_size',
    'booted',
    'group',
  ],
  fields: {
    label: { ...serverLabel, help: 'If empty, the platform chooses one.' },
    tags: { ...tagsField, section: 'Server' },
  },
  monthly: (_server, view, draft) => serverPrice(draft, view),
  start: () => ({ mode: 'image', 'interfaces.0.purpose': 'public', 'interfaces.1.purpose': 'vlan' }),
  like: (server) => ({
    mode: typeof server.image === 'string' && server.image !== '' ? 'image' : 'empty',
    backups_enabled: at(server, 'backups.enabled') === true,
    private_ip: textsOf(server.ipv4).some(isPrivateAddress),
  }),
  ask: {
    question: (_server, view, draft) => {
      const { label, type, region, tags, backups_enabled } = draft;
      const parts = [
        typeWords(type, view, sizeWords(view.row('server-types', type))),
        region && `in ${region}`,
        sourceWords(draft, view),
      ];
      const tagged = textsOf(tags).length > 0 ? `, tagged ${textsOf(tags).join(', ')}` : '';
      const has = backups_enabled === true ? 'backups' : 'no backups';
      return `Creates ${label || 'a new server'}: ${parts.filter(Boolean).join(' ')}${tagged}. It has ${has}. It is billed as soon as it is created.`;
    },
    cost: (_servers, view, draft) => newServerCost(draft, view),
    note: 'New accounts cannot send mail from it: outbound ports 25, 465 and 587 are blocked.',
  },
  reads: ['server-types'],
  check: (draft, view) => roomComplaint(draft, view) ?? (onVlan(draft) ? vlanComplaint(draft, view) : undefined),
  send: (body, draft) => withAnswers(onVlan(draft) ? { ...body, interfaces: interfacesOf(draft) } : body),
  invalidates: ['disks', 'configs'],
  emptyBelow: ({ image, backup_id }) => (image === undefined && backup_id === undefined ? ['disks', 'configs'] : []),
};
