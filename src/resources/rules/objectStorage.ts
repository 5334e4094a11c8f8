import { grouped, sizeText } from '../../text/numbers.ts';
import { listed } from '../../text/words.ts';
import { type Rule, rule } from '../problems/rule.ts';
import { at, type CacheView, numberAt, type Params, type Row, rowName, textAt } from '../row.ts';
import { pooledBytes } from '../storage/objectStorage.ts';

const bucketRule = rule('buckets', bucketName);
const keyRule = rule('object-keys', (key) => `The key ${keyName(key)}`);
const storageRule = rule('object-storage');

/** The cluster that a bucket or a grant names; newer deployments name a region instead. */
const clusterOf = (row: unknown) => textAt(row, 'cluster') ?? textAt(row, 'region');

function bucketName(bucket: Row): string {
  return [clusterOf(bucket), textAt(bucket, 'label')].filter((part) => part !== undefined).join('/') || 'a bucket';
}

const aclOf = (view: CacheView, params: Params) => textAt(view.answer('buckets', 'access', params), 'acl');

const readers: Readonly<Record<string, string>> = {
  'public-read': 'everyone: its access is public-read',
  'authenticated-read': 'every user of object storage, of other accounts too, as its access is authenticated-read',
};

/** The buckets that a key names and that are not there. */
function goneFrom(key: Row, view: CacheView): readonly string[] {
  const grants = at(key, 'bucket_access');
  if (key.limited !== true || !Array.isArray(grants) || !view.isRead('buckets')) return [];
  return grants.flatMap((grant) => {
    const [cluster, bucket] = [clusterOf(grant), textAt(grant, 'bucket_name')];
    if (cluster === undefined || bucket === undefined) return [];
    return view.row('buckets', `${cluster}/${bucket}`) ? [] : [`${cluster}/${bucket}`];
  });
}

const keyName = (key: Row) => textAt(key, 'label') ?? textAt(key, 'access_key') ?? rowName(key, 'key');

/** The share of the pool, in percent, at which its use is reported. */
const nearPool = 80;

/** Problems of object storage (document 3, 2.6 and 4.3). */
export const objectStorageRules: readonly Rule[] = [
  bucketRule({
    name: 'bucket-writable-by-all',
    several: '{} buckets may be written by everyone',
    severity: 'critical',
    fetches: 'access',
    remedy: { action: 'edit' },
    find: (_bucket, view, params) =>
      aclOf(view, params) === 'public-read-write'
        ? 'may be written by everyone: its access is public-read-write'
        : undefined,
  }),
  bucketRule({
    name: 'bucket-readable-by-all',
    several: '{} buckets may be read by people outside of the account',
    severity: 'notice',
    fetches: 'access',
    remedy: { action: 'edit' },
    find: (_bucket, view, params) => {
      const acl = aclOf(view, params) ?? '';
      return Object.hasOwn(readers, acl) ? `may be read by ${readers[acl]}` : undefined;
    },
  }),
  keyRule({
    name: 'object-key-unrestricted',
    several: '{} keys may read and write all buckets, those made later too',
    severity: 'notice',
    remedy: { action: 'create' },
    find: ({ limited }) => (limited === false ? 'may read and write all buckets, those made later too' : undefined),
  }),
  keyRule({
    name: 'object-key-of-gone-bucket',
    several: '{} keys may use buckets that are missing; anybody can create a bucket of that name',
    reads: ['buckets'],
    remedy: { action: 'delete' },
    find: (key, view) => {
      const gone = goneFrom(key, view);
      if (gone.length === 0) return;
      const are = gone.length === 1 ? 'which is' : 'which are';
      return `may use ${listed(gone)}, ${are} missing; anybody can create a bucket of that name`;
    },
  }),
  storageRule({
    name: 'object-transfer-pool',
    remedy: { tab: 'Transfer' },
    find: (storage) => {
      const used = numberAt(storage, 'used');
      const share = ((used ?? 0) / pooledBytes) * 100;
      if (used === undefined || share < nearPool) return;
      const sent = `${sizeText(used)}, ${grouped(Math.round(share))}% of the ${sizeText(pooledBytes)}`;
      return `The buckets sent out ${sent} that object storage adds to the transfer pool`;
    },
  }),
];
