import { at, countedBy, type Resource, type Row, resource, statusColumn } from '../resource.ts';

/** A data center (document 1, 2.10). */
export type Region = Row & {
  id: string;
  country: string;
  status: string;
  capabilities: readonly string[];
  label?: string;
};

/** The addresses of the resolvers, which the API sends as one comma-separated text. */
const resolvers = (version: 'ipv4' | 'ipv6') => (region: Region) => {
  const text = at(region, `resolvers.${version}`);
  return typeof text === 'string' ? text.split(/\s*,\s*/).filter(Boolean) : undefined;
};

/** Regions (document 1, 2.10 and 4.6). */
export const regions: Resource = resource<Region>()({
  name: 'regions',
  area: 'Compute',
  aliases: ['datacenters'],
  path: '/v4/regions',
  label: (region) => region.id,
  catalogue: true,
  sort: 'ID',
  reads: ['servers', 'volumes', 'nodebalancers'],
  columns: [
    { title: 'ID', value: 'id', keep: 1 },
    { title: 'Country', value: 'country', keep: 1 },
    { ...statusColumn, words: ['ok', 'outage'] },
    { title: 'Servers', value: countedBy('servers', 'region'), format: 'number' },
    { title: 'Volumes', value: countedBy('volumes', 'region'), format: 'number' },
    { title: 'NodeBalancers', value: countedBy('nodebalancers', 'region'), format: 'number' },
    { title: 'Capabilities', value: 'capabilities', format: 'list' },
    { title: 'Label', value: 'label', keep: 3 },
    { title: 'Resolvers', value: resolvers('ipv4'), format: 'list', keep: 3 },
  ],
  card: [{ title: 'IPv6 resolvers', value: resolvers('ipv6'), format: 'list' }],
  overview: { related: [{ list: 'servers' }, { list: 'volumes' }, { list: 'nodebalancers' }] },
});
