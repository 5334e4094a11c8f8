import { textIn } from '../../text/words.ts';
import type { Loaded } from '../description.ts';
import { idOf } from '../identity.ts';
import { at, type Draft, type Field, type Labelled, type Resource, resource, rowsOf } from '../resource.ts';
import { buckets } from './buckets.ts';

/** One bucket that a limited key may use (document 3, 4.3). */
type Grant = { bucket_name: string; cluster: string; permissions: string };

/** A key to object storage; its secret is sent only once, when it is created (document 3, 2.6). */
export type ObjectKey = Labelled & { access_key: string; limited: boolean; bucket_access: readonly Grant[] | null };

const grants: readonly string[] = ['read_write', 'read_only'];

/** The buckets that a key may use with these permissions, or with any. */
const granted = ({ bucket_access }: ObjectKey, permissions?: string): readonly string[] =>
  rowsOf(bucket_access).flatMap(({ cluster, bucket_name, ...grant }) =>
    (permissions ?? grant.permissions) === grant.permissions ? [`${cluster}/${bucket_name}`] : [],
  );

/** Whether the API tells which buckets a key may use. */
const isTold = ({ limited, bucket_access }: ObjectKey): boolean =>
  limited === false ||
  (limited === true &&
    Array.isArray(bucket_access) &&
    bucket_access.every((one) => textIn(at(one, 'cluster')) && textIn(at(one, 'bucket_name'))));

/** Says whether a key is limited (document 3, 4.3, rule 5); nothing where the API does not tell. */
const byReach = ({ limited }: ObjectKey, all: string, some: string): string | undefined =>
  limited === true ? some : limited === false ? all : undefined;

function bucketsText(key: ObjectKey): string | undefined {
  const [both, read] = [granted(key, 'read_write').length, granted(key, 'read_only').length];
  return byReach(key, 'all, read and write', both + read === 0 ? 'none' : `${both} rw / ${read} ro`);
}

const bucketsField = (label: string, help: string): Field => ({
  label,
  kind: 'references',
  to: 'buckets',
  local: true,
  shown: ({ reach }) => reach === 'limited',
  help,
});

const grantsOf = (entry: Draft[string], permissions: string): readonly Grant[] =>
  (Array.isArray(entry) ? entry : []).map((id: string) => {
    const slash = id.indexOf('/');
    return { bucket_name: id.slice(slash + 1), cluster: id.slice(0, slash), permissions };
  });

const reached = (key: ObjectKey, loaded: Loaded): readonly string[] =>
  key.limited === false ? loaded('buckets').map((bucket) => idOf(buckets, bucket)) : granted(key);

/** Object storage keys (document 3, 4.3). */
export const objectKeys: Resource = resource<ObjectKey>()({
  name: 'object-keys',
  one: 'key',
  many: 'Object storage keys',
  area: 'Storage',
  aliases: ['keys', 'objectkeys'],
  path: '/v4/object-storage/keys',
  scope: 'object_storage',
  label: ({ label, access_key }) => label || access_key,
  relations: [{ to: 'buckets', by: reached }],
  sort: 'Label',
  empty: 'A key gives S3 clients access to your buckets.',
  fields: {
    label: { help: 'What it is for, so that you recognize it later.' },
    reach: {
      label: 'May use',
      optionHelp: {
        limited: 'only the buckets that you choose',
        nothing: 'no bucket; it can still list them and create new ones',
        unrestricted: 'ALL buckets, also those created later, to read and write',
      },
      local: true,
    },
    read_write: bucketsField('Read and write', 'Buckets that it may read and write.'),
    read_only: bucketsField('Read only', 'Buckets that it may only read.'),
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Access key', value: 'access_key', keep: 1 },
    {
      title: 'Limited',
      value: (key) => byReach(key, 'NO: all buckets', granted(key).length > 0 ? 'yes: those listed' : 'yes: no bucket'),
      keep: 1,
    },
    { title: 'Buckets', value: bucketsText },
    { title: 'ID', value: 'id', format: 'id' },
  ],
  card: [
    { title: 'Read and write', value: (key) => granted(key, 'read_write'), format: 'list' },
    { title: 'Read only', value: (key) => granted(key, 'read_only'), format: 'list' },
  ],
  overview: { related: [{ list: 'buckets' }] },
  create: {
    shownBy: { names: ['label'] },
    help: 'New object storage key',
    body: ['label', 'reach!', 'read_write', 'read_only'],
    check: ({ reach, read_write = [], read_only = [] }) => {
      if (reach !== 'limited') return undefined;
      const both = [read_write].flat();
      const read = [read_only].flat();
      if (both.length + read.length === 0)
        return { field: 'read_write', says: 'choose a bucket here or below, or let it use nothing' };
      const twice = both.find((bucket) => read.includes(bucket));
      return twice === undefined ? undefined : { field: 'read_only', says: `${twice} is already chosen above` };
    },
    send: (body, { reach, read_write, read_only }) =>
      reach === 'unrestricted'
        ? body
        : {
            ...body,
            bucket_access:
              reach === 'limited' ? [...grantsOf(read_write, 'read_write'), ...grantsOf(read_only, 'read_only')] : [],
          },
    secret: ['access_key', 'secret_key'],
    ask: {
      note: 'The secret key is shown once, right after the creation. What the key may use cannot be changed later.',
    },
  },
  edit: { help: 'Rename', body: ['label'] },
  remove: {
    help: 'Revoke',
    ask: {
      warning: (key) =>
        `Revokes the key ${key.label || key.access_key}. Every program that uses ${textIn(key.access_key) ?? 'it'} is refused from then on. This cannot be undone.`,
      typeLabel: true,
      together:
        'Revokes these keys. Every program that uses one of them is refused from then on. This cannot be undone.',
    },
    inverse: 'A revoked key never works again.',
  },
  shortcuts: [
    {
      name: 'rotate',
      key: 'r',
      help: 'Rotate',
      to: 'object-keys',
      action: 'create',
      next: 'delete',
      each: 'Rotate {}',
      together:
        'Makes a new key with the same rights for each. Their secrets are shown once all are made; then it is asked whether to revoke the old ones, which work until that.',
      refuse: (key) =>
        !isTold(key)
          ? `the API does not tell which buckets ${key.label} may use`
          : key.limited && rowsOf(key.bucket_access).some(({ permissions }) => !grants.includes(String(permissions)))
            ? `${key.label} has a permission other than those to read or to write, which no new key can be given`
            : undefined,
      start: (key) => ({
        label: key.label,
        reach: key.limited ? (granted(key).length > 0 ? 'limited' : 'nothing') : 'unrestricted',
        read_write: granted(key, 'read_write'),
        read_only: granted(key, 'read_only'),
      }),
    },
  ],
  copies: { 'access key': ({ access_key }) => access_key },
});
