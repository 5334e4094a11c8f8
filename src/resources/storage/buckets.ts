import { untoldPrice } from '../../text/numbers.ts';
import { suffixOf, textIn } from '../../text/words.ts';
import { paramsOf } from '../identity.ts';
import { type Ask, at, type CacheView, type DescribedAction, type Resource, type Row, resource } from '../resource.ts';
import { statusOf } from '../wording.ts';
import { aclField, newBucketAcls, opening, openingWarning } from './objects.ts';

/** A bucket of object storage (document 3, 2.6); newer deployments name a region and may leave the cluster empty. */
export type Bucket = Row & {
  label: string;
  cluster: string;
  region?: string;
  hostname: string;
  created: string;
  size: number;
  objects: number;
};

const path = '/v4/object-storage/buckets/{clusterId}/{bucket}';
const writing = 'object_storage:read_write';

const clusterOf = ({ cluster, region }: Bucket) => cluster || region;

/** A bucket with its cluster: the same label may be used in another one. */
const bucketName = (bucket: Bucket) => `${clusterOf(bucket)}/${bucket.label}`;

const answered = (operation: string, field: string) => (bucket: Bucket, view: CacheView) =>
  at(view.answer('buckets', operation, paramsOf(buckets, bucket)), field);

const accessAsk: Ask<Bucket> = {
  when: opening,
  warning: (bucket, _view, { acl }) => openingWarning(acl, bucketName(bucket)),
};

/** The charge for the first bucket; undefined for further ones. */
function firstOne(view: CacheView): string | undefined {
  if (view.rows('buckets').length > 0) return undefined;
  const isFirst = view.isRead?.('buckets') ?? false;
  return `${isFirst ? 'The' : 'Your buckets could not be read. A'} first bucket enables object storage for the account, which is billed from then on.`;
}

/** A text that is pasted or read from its file; its first line names what it is. */
const pem = (what: string, test: RegExp) =>
  ({
    kind: 'secretParagraph',
    pattern: { test, says: `text that begins with -----BEGIN ${what}-----`, whole: true },
    help: 'Paste it, or type the path of its file and press ctrl-o.',
  }) as const;

const uploadCertificate: DescribedAction<Bucket> = {
  name: 'upload-certificate',
  shownBy: { answer: 'certificate', state: (_, __, { ssl }) => ssl === true },
  key: 'u',
  on: 'Upload a certificate for {}',
  path: `${path}/ssl`,
  body: ['certificate!', 'private_key!'],
  ask: { note: 'It is stored encrypted. If the bucket has one already, use Replace the certificate instead.' },
  inverse: () => ({ action: 'delete-certificate' }),
  single: true,
};

/** Buckets (document 3, 4.3). */
export const buckets: Resource = resource<Bucket>()({
  name: 'buckets',
  area: 'Storage',
  aliases: ['s3'],
  id: 'label',
  param: 'bucket',
  path: '/v4/object-storage/buckets',
  scope: 'object_storage',
  params: { clusterId: clusterOf, bucket: 'label' },
  label: bucketName,
  sort: 'Label',
  empty: 'A bucket holds any number of files, called objects, each with an address of its own.',
  fields: {
    label: {
      min: 1,
      pattern: { test: /^[a-z0-9][a-z0-9-]*$/, says: 'lowercase letters, digits and -, a letter or digit first' },
      help: 'Unique within one cluster; part of the hostname.',
    },
    cluster: { to: 'object-clusters', offers: (cluster) => statusOf(cluster) !== 'unavailable' },
    acl: aclField,
    cors_enabled: { label: 'CORS', kind: 'boolean', help: 'Lets web pages of all origins use it.' },
    certificate: pem('CERTIFICATE', /-----BEGIN CERTIFICATE-----/),
    private_key: { ...pem('PRIVATE KEY', /-----BEGIN (\w+ )*PRIVATE KEY-----/), certificate: 'certificate' },
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Cluster', value: clusterOf, keep: 1 },
    { title: 'Objects', value: 'objects', format: 'number', keep: 1, total: true },
    { title: 'Size', value: 'size', format: 'bytes' },
    { title: 'Created', value: 'created', format: 'age' },
    { title: 'Hostname', value: 'hostname', format: 'address', keep: 3 },
    { title: 'Access', value: answered('access', 'acl'), keep: 3, fetches: 'access', width: 18 },
    { title: 'CORS', value: answered('access', 'cors_enabled'), format: 'boolean', keep: 3, fetches: 'access' },
    { title: 'Certificate', value: answered('certificate', 'ssl'), format: 'boolean', keep: 3, fetches: 'certificate' },
  ],
  tabs: [
    { title: 'Objects', screen: 'objects', uses: ['objects'] },
    { title: 'Access', answer: 'access' },
  ],
  overview: {
    summary: [
      { value: bucketName },
      { value: 'objects', format: 'number', says: '{} objects' },
      { value: 'size', format: 'bytes' },
      { value: 'hostname' },
      { value: 'created', format: 'age', says: '{} old' },
    ],
    related: [{ list: 'object-keys' }, { list: 'domains' }, { list: 'records' }],
    commands: { title: 'How to reach it', names: ['address', 's3 address'] },
  },
  opensAt: 'Objects',
  view: { path },
  operations: { access: { undocumented: true }, certificate: { path: `${path}/ssl` } },
  create: {
    shownBy: { names: ['label'], time: 'created', isUnique: true },
    body: ['label!', 'cluster!', 'acl', 'cors_enabled'],
    fields: { acl: { ...aclField, options: newBucketAcls, fallback: 'private' } },
    ask: {
      when: `it is the first bucket, or ${opening}`,
      question: (_bucket, view, { label }) => {
        const cost = firstOne(view);
        return cost && `Creates the bucket ${label}. ${cost}`;
      },
      warning: (_bucket, view, { label, acl }) => {
        const open = openingWarning(acl, `the bucket ${label}`);
        return open && [open, firstOne(view)].filter(Boolean).join(' ');
      },
      note: (_bucket, view) => firstOne(view),
      cost: (_buckets, view) => firstOne(view) && untoldPrice,
    },
    start: (_row, _view, { clusterId }) => (clusterId === undefined ? {} : { cluster: clusterId }),
    reads: ['buckets'],
    check: (draft, view) =>
      view.rows('buckets').some(({ label, cluster }) => label === draft.label && cluster === draft.cluster)
        ? {
            field: 'label',
            says: `the bucket ${draft.label} already exists in ${draft.cluster}; nothing new would be created`,
          }
        : undefined,
    invalidates: ['object-clusters'],
  },
  edit: {
    shownBy: { answer: 'access' },
    help: 'Set the access',
    on: 'Set the access to {}',
    path: `${path}/access`,
    body: ['acl!', 'cors_enabled!'],
    prefill: 'access',
    ask: { ...accessAsk, note: 'Objects with an access setting of their own keep it.' },
  },
  actions: [
    {
      name: 'modify-access',
      shownBy: { answer: 'access' },
      key: 'm',
      on: 'Change part of the access to {}',
      path: `${path}/access`,
      body: ['acl', 'cors_enabled'],
      ask: { ...accessAsk, note: 'Fields that are left empty stay as they are.' },
      check: ({ acl, cors_enabled }) =>
        acl === undefined && cors_enabled === undefined
          ? { field: 'acl', says: 'choose this or CORS, otherwise nothing changes' }
          : undefined,
      inverse: ({ params }, view) => {
        const acl = at(view.answer('buckets', 'access', params), 'acl');
        const cors = at(view.answer('buckets', 'access', params), 'cors_enabled');
        return typeof acl === 'string' && typeof cors === 'boolean'
          ? { action: 'edit', entries: { acl, cors_enabled: cors } }
          : 'The access that it had is not known.';
      },
    },
    uploadCertificate,
    {
      ...uploadCertificate,
      name: 'replace-certificate',
      // One was there before as well.
      shownBy: {},
      key: 'x',
      on: 'Replace the certificate of {}',
      ask: {
        warning: (bucket) =>
          `The current certificate of ${bucketName(bucket)} is deleted, then the new one is uploaded. If the upload is refused, the bucket has no certificate of its own until you upload one.`,
        note: 'The current one is deleted first, then the new one is uploaded.',
      },
      inverse: 'The certificate that it replaced cannot be read back.',
      first: { method: 'DELETE', path: `${path}/ssl`, scope: writing },
    },
    {
      name: 'delete-certificate',
      shownBy: { answer: 'certificate', state: (_, __, { ssl }) => ssl === false },
      key: 'k',
      on: 'Delete the certificate of {}',
      method: 'DELETE',
      path: `${path}/ssl`,
      ask: {
        warning: (bucket) =>
          `${bucketName(bucket)} will use the certificate of the platform again. Clients that reach it by your own hostname instead of ${textIn(bucket.hostname) ?? 'its own'} will get a certificate warning.`,
        together:
          'These buckets will use the certificate of the platform again. Clients that reach them by your own hostnames will get a certificate warning.',
      },
      inverse: 'Its certificate cannot be read back.',
    },
  ],
  remove: {
    refuse: (bucket) =>
      bucket.objects > 0
        ? `${bucketName(bucket)} holds ${bucket.objects === 1 ? 'an object' : `${bucket.objects} objects`}; a bucket must be empty before it is deleted`
        : undefined,
    staysOut: 'not empty',
    ask: {
      warning: (bucket) =>
        `Deletes the bucket ${bucketName(bucket)}. Its hostname${suffixOf(bucket.hostname)} stops working, and anyone can take the label afterwards.`,
      typeLabel: true,
      together: 'Deletes these buckets. Their hostnames stop working, and anyone can take the labels afterwards.',
    },
    inverse: ({ before }) =>
      before
        ? {
            action: 'create',
            entries: { label: before.label, cluster: clusterOf(before) },
            differs: ['its access begins as private', 'its label may be taken by then'],
          }
        : 'The bucket is not known.',
    invalidates: ['object-clusters'],
  },
  copies: {
    hostname: ({ hostname }) => hostname,
    address: ({ hostname }) => `https://${hostname}/`,
    's3 address': ({ label }) => `s3://${label}/`,
  },
});
