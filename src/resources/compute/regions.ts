import { type Known, type Row, resource } from '../resource.ts';

/** A data centre (document 1, 2.10). */
export type Region = Row & { id: string; country: string; status: string; capabilities: readonly string[] };

/** How many loaded rows of a resource are in a region. */
const ours = (name: string) => (region: Region, known: Known) =>
  known.rows(name).filter((row) => row.region === region.id).length;

/** How many servers, volumes and NodeBalancers the account has there, as far as they are loaded. */
const allOurs = (region: Region, known: Known) =>
  ['servers', 'volumes', 'nodebalancers'].map((name) => ours(name)(region, known)).join('/');

/** Regions (document 1, 2.10 and 4.6). */
export const regions = resource<Region>()({
  name: 'regions',
  one: 'region',
  many: 'Regions',
  area: 'Compute',
  aliases: ['datacenters'],
  id: 'id',
  param: 'regionId',
  label: (region) => region.id,
  status: (region) => region.status,
  catalogue: true,
  sort: 'ID',
  fields: {},
  columns: [
    { title: 'ID', value: 'id', keep: 1 },
    { title: 'Country', value: 'country', keep: 1 },
    { title: 'Status', value: 'status', look: 'status', keep: 1 },
    { title: 'Ours', value: allOurs },
    { title: 'Capabilities', value: 'capabilities', look: 'list' },
    { title: 'Label', value: 'label', keep: 3 },
    { title: 'Resolvers', value: 'resolvers.ipv4', keep: 3 },
  ],
  card: [
    { title: 'Our servers', value: ours('servers'), look: 'number' },
    { title: 'Our volumes', value: ours('volumes'), look: 'number' },
    { title: 'Our NodeBalancers', value: ours('nodebalancers'), look: 'number' },
    { title: 'IPv6 resolvers', value: 'resolvers.ipv6' },
  ],
  list: { method: 'GET', path: '/v4/regions', pages: 'numbered', freshFor: 600 },
  view: { method: 'GET', path: '/v4/regions/{regionId}' },
  copies: { id: (region) => region.id },
});
