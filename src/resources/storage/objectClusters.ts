import { type Resource, type Row, resource } from '../resource.ts';

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
  status: ({ status }) => status,
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
    {
      title: 'Buckets',
      value: ({ id }, view) => view.rows('buckets').filter(({ cluster }) => cluster === id).length,
      format: 'number',
    },
  ],
  tabs: [{ title: 'Buckets', list: 'buckets', operation: 'buckets' }],
  list: { pages: 'numbered', freshFor: 600 },
  view: { freshFor: 600 },
  operations: {
    buckets: { path: '/v4/object-storage/buckets/{clusterId}', scope: 'object_storage:read_only', pages: 'numbered' },
  },
  copies: { domain: ({ domain }) => domain },
});
