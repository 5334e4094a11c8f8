import { sizeText } from '../../text/numbers.ts';
import { counted, listed } from '../../text/words.ts';
import { type CacheView, countedBy, type Resource, type Row, resource } from '../resource.ts';

/** The traffic that the buckets of the account have sent out, in bytes (document 3, 2.6). */
export type ObjectStorage = Row & { used: number };

/** The outbound transfer that object storage adds to the pool of the account, in bytes (document 3, 4.3, rule 8). */
export const pooledBytes = 2 ** 40;

const sum = (view: CacheView, field: string) =>
  view.rows('buckets').reduce((total, bucket) => total + Number(bucket[field] ?? 0), 0);

function losses(view: CacheView): string {
  const count = view.rows('buckets').length;
  if (count === 0 || !view.isRead('buckets')) return 'All buckets and everything in them';
  const some = count === 1 ? 'The only bucket' : `All ${count} buckets`;
  const objects = sum(view, 'objects');
  return `${some} with ${counted(objects, 'object')} (${sizeText(sum(view, 'size'))})`;
}

function bucketNames(view: CacheView): string {
  const names = view.rows('buckets').map(({ cluster, region, label }) => `${cluster || region}/${label}`);
  if (names.length === 0) return '';
  const which = view.isRead('buckets') ? 'Buckets' : 'Among the buckets';
  return ` ${which}: ${listed(names, 12)}.`;
}

/** Object storage as a whole: its transfer and its cancellation (document 3, 4.3). */
export const objectStorage: Resource = resource<ObjectStorage>()({
  name: 'object-storage',
  area: 'Storage',
  aliases: ['obj', 'objectstorage'],
  id: 'used',
  param: 'object-storage',
  label: () => 'object storage',
  columns: [
    { title: 'Outbound transfer', value: 'used', format: 'bytes', keep: 1 },
    { title: 'Share of the pool', value: ({ used }) => (used / pooledBytes) * 100, format: 'percent', keep: 1 },
    { title: 'Pool', value: () => pooledBytes, format: 'bytes', keep: 1 },
  ],
  tabs: [
    { title: 'Transfer', screen: 'objectTransfer', uses: ['buckets.list'] },
    { title: 'Buckets', list: 'buckets' },
    { title: 'Keys', list: 'object-keys' },
    { title: 'Clusters', list: 'object-clusters' },
  ],
  opensAt: 'Transfer',
  list: false,
  view: { path: '/v4/object-storage/transfer', scope: 'object_storage:read_only' },
  actions: [
    {
      name: 'cancel',
      key: 'x',
      help: 'Cancel object storage',
      on: 'Cancel {}',
      path: '/v4/object-storage/cancel',
      scope: 'object_storage:read_write',
      reads: ['buckets'],
      ask: {
        warning: (_row, view) =>
          `${losses(view)} will be deleted and cannot be recovered. The account loses ${sizeText(pooledBytes)} of its transfer pool.${bucketNames(view)}`,
        typeLabel: true,
      },
      also: (view) => ({ buckets: view.rows('buckets').map(({ label, objects }) => ({ label, objects })) }),
      inverse: 'All buckets are gone with their objects.',
      invalidates: ['buckets', 'object-clusters'],
    },
  ],
});

/** A place where buckets are kept (document 3, 2.6). */
export type ObjectCluster = Row & {
  id: string;
  region: string;
  status: string;
  domain: string;
  static_site_domain?: string;
};

/** Object storage clusters (document 3, 4.3). */
export const objectClusters: Resource = resource<ObjectCluster>()({
  name: 'object-clusters',
  one: 'cluster',
  many: 'Object storage clusters',
  area: 'Storage',
  aliases: ['clusters', 'objectclusters'],
  path: '/v4/object-storage/clusters',
  label: ({ id }) => id,
  catalogue: true,
  reads: ['buckets'],
  relations: [{ to: 'regions', by: ({ region }) => [region] }],
  sort: 'ID',
  empty: 'A cluster is a site where buckets are stored.',
  columns: [
    { title: 'ID', value: 'id', keep: 1 },
    { title: 'Region', value: 'region' },
    { title: 'Status', value: 'status', format: 'status', words: ['available', 'unavailable'] },
    { title: 'Domain', value: 'domain' },
    { title: 'Static site', value: 'static_site_domain' },
    { title: 'Buckets', value: countedBy('buckets', 'cluster'), format: 'number' },
  ],
  overview: { reads: ['regions'] },
  tabs: [{ title: 'Buckets', list: 'buckets', operation: 'buckets' }],
  view: { freshFor: 600 },
  operations: {
    buckets: { path: '/v4/object-storage/buckets/{clusterId}', scope: 'object_storage:read_only', pages: 'numbered' },
  },
  copies: { domain: ({ domain }) => domain },
});
